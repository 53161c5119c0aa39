/** What the assistants call: tool servers and tools. */
import { useGet } from '../../api/queries.ts'
import { RankBars } from '../../charts/rank-bars.tsx'
import { formatCount, formatCounted } from '../../ui/format.ts'
import { Card, Figure, FigureRow } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { QueryView } from '../../ui/states.tsx'
import { Nothing } from '../../ui/values.tsx'
import { type Filter, requestsSearch } from './analytics-filter.ts'

export function ToolsSection({ filter }: { readonly filter: Filter }) {
  const tools = useGet('/admin/analytics/org/tools', { params: { query: filter.query } }, { keepPrevious: true })
  return (
    <QueryView query={tools} rows={8}>
      {({ totals, servers, top_tools: top }) => (
        <>
          <FigureRow>
            <Figure
              name="Tool calls"
              value={formatCount(totals.calls)}
              detail={`of ${formatCounted(totals.tools, 'tool')}`}
            />
            <Figure
              name="Through servers"
              value={formatCount(totals.server_calls)}
              detail={`of ${formatCount(totals.servers)} servers`}
            />
            <Figure name="Web searches" value={formatCount(totals.web_searches)} />
          </FigureRow>
          <RankBars
            title="Tool servers"
            rows={servers.map(({ server, calls, users }) => ({
              name: server,
              value: calls,
              detail: formatCounted(users, 'person', 'people'),
            }))}
            valueName="Calls"
            formatValue={formatCount}
          />
          <Card title="Tools" lead="The hundred that were called most." isFlush>
            <PlainTable
              caption="Tools"
              rows={top}
              rowId={({ tool }) => tool}
              empty="No tool was called in this range."
              columns={[
                {
                  id: 'tool',
                  header: 'Tool',
                  cell: ({ tool }) => (
                    <PageLink to="/requests" search={requestsSearch(filter, { tool })}>
                      {tool}
                    </PageLink>
                  ),
                },
                { id: 'server', header: 'Server', cell: ({ server }) => server ?? <Nothing /> },
                {
                  id: 'calls',
                  header: 'Calls',
                  align: 'right',
                  cell: ({ calls }) => <span className="tabular">{formatCount(calls)}</span>,
                },
                {
                  id: 'users',
                  header: 'People',
                  align: 'right',
                  cell: ({ users }) => <span className="tabular">{formatCount(users)}</span>,
                },
              ]}
            />
          </Card>
        </>
      )}
    </QueryView>
  )
}
