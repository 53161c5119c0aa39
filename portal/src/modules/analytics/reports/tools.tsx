/** What the assistants call: tool servers and tools. */
import { useGet } from '../../../api/queries.ts'
import { RankBars } from '../../../charts/rank-bars.tsx'
import { changeText } from '../../../ui/change.ts'
import { formatCount, formatCounted } from '../../../ui/format.ts'
import { Card, Figure, FigureRow } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { Nothing } from '../../../ui/values.tsx'
import { type Filter, requestsSearch, useFilterShown } from './analytics-filter.ts'
import { changeColumn, EarlierFailure, earlierRead, withBefore } from './earlier.tsx'

export function ToolsSection({ filter }: { readonly filter: Filter }) {
  const tools = useGet('/admin/analytics/org/tools', { params: { query: filter.query } }, { keepPrevious: true })
  const earlier = useGet('/admin/analytics/org/tools', ...earlierRead(filter))
  const shown = useFilterShown(filter, tools)
  const before = filter.earlier === undefined || tools.isPlaceholderData ? undefined : earlier.data
  const callsBefore = new Map((before?.top_tools ?? []).map(({ tool, calls }) => [tool, calls]))
  return (
    <>
      <EarlierFailure filter={filter} query={earlier} />
      <QueryView query={tools} rows={8}>
        {({ totals, servers, top_tools: top }) => (
          <>
            <FigureRow>
              <Figure
                name="Tool calls"
                value={formatCount(totals.calls)}
                detail={`of ${formatCounted(totals.tools, 'tool')}${since(totals.calls, before?.totals.calls)}`}
              />
              <Figure
                name="Through servers"
                value={formatCount(totals.server_calls)}
                detail={`of ${formatCount(totals.servers)} servers${since(totals.server_calls, before?.totals.server_calls)}`}
              />
              <Figure
                name="Web searches"
                value={formatCount(totals.web_searches)}
                {...(before === undefined
                  ? {}
                  : { detail: changeText(totals.web_searches, before.totals.web_searches, formatCount) })}
              />
            </FigureRow>
            <RankBars
              title="Tool servers"
              rows={withBefore(
                servers,
                before?.servers,
                ({ server }) => server,
                ({ server }) => ({ server, tools: 0, calls: 0, users: 0 }),
              ).map(({ row, before: then }) => ({
                name: row.server,
                value: row.calls,
                detail: formatCounted(row.users, 'person', 'people'),
                ...(before === undefined ? {} : { before: then?.calls ?? 0 }),
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
                      <PageLink to="/requests" search={requestsSearch(shown, { tool })}>
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
                  // Of the earlier hundred: a tool that was called less than those has no number there.
                  ...changeColumn<(typeof top)[number]>(
                    before !== undefined,
                    ({ calls }) => calls,
                    ({ tool }) => callsBefore.get(tool) ?? (callsBefore.size < MOST_TOOLS ? 0 : undefined),
                    formatCount,
                  ),
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
    </>
  )
}

const MOST_TOOLS = 100

const since = (now: number, before: number | undefined): string =>
  before === undefined ? '' : `; ${changeText(now, before, formatCount)}`
