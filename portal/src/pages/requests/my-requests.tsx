/** A person's own calls: what they cost, how long they took, and whether they were answered. */
import { useCallback, useMemo } from 'react'
import { useGet } from '../../api/queries.ts'
import { DataTable, useListParams } from '../../ui/data-table.tsx'
import { formatCount, formatShare, formatUsd } from '../../ui/format.ts'
import { Card, Figure, FigureRow, Page } from '../../ui/layout.tsx'
import { QueryView } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { RequestSummary } from './request-detail.tsx'
import { RequestDrawer } from './request-drawer.tsx'
import { type LoggedRequest, requestColumns } from './request-facts.tsx'
import { RequestFilters, useRequestFilter } from './request-filters.tsx'
import { SearchHelp } from './search-help.tsx'

export function MyRequestsPage() {
  const [state, setState] = useUrlState()
  const params = useListParams()
  const filter = useRequestFilter(true)
  const list = useGet('/me/requests', { params: { query: { ...params, ...filter } } }, { keepPrevious: true })
  const openId = useCallback((id: string) => setState({ id }), [setState])
  const columns = useMemo(() => requestColumns(true, ({ request_id: id }: LoggedRequest) => openId(id)), [openId])
  const rows = list.data?.data ?? []
  const shown = rows.find((row) => row.request_id === state['id'])
  return (
    <Page
      title="My requests"
      lead="Your own calls, over all your keys and sign-ins. Prompts and answers are not stored."
    >
      <Usage />
      <Card isFlush>
        <DataTable
          caption="My requests"
          columns={columns}
          query={list}
          rowId={(request) => request.request_id}
          searchLabel="Search, such as status:error cost>1"
          filters={<RequestFilters />}
          onOpen={({ request_id: id }) => openId(id)}
          empty={{ title: 'No calls yet', text: 'Your calls appear here a moment after they end.' }}
        />
      </Card>
      <SearchHelp />
      {shown !== undefined && (
        <RequestDrawer id={shown.request_id} rows={rows} onOpen={openId} onClose={() => setState({ id: undefined })}>
          <div className="flex flex-col gap-6">
            <RequestSummary request={shown} />
            <p className="flex justify-between font-medium">
              <span>Cost</span>
              {formatUsd(shown.cost_usd)}
            </p>
          </div>
        </RequestDrawer>
      )}
    </Page>
  )
}

function Usage() {
  const usage = useGet('/me/usage', { params: { query: { days: 30 } } })
  return (
    <QueryView query={usage} rows={2}>
      {({ totals, previous }) => (
        <FigureRow>
          <Figure
            name="Spend, 30 days"
            value={formatUsd(totals.spend_usd)}
            detail={`${formatUsd(previous.spend_usd)} in the 30 days before`}
          />
          <Figure name="Calls" value={formatCount(totals.requests)} detail={`${formatCount(totals.errors)} failed`} />
          <Figure
            name="Saved by the cache"
            value={formatUsd(totals.cache_savings_usd)}
            detail={`${formatShare(totals.cache_hit_rate)} of input read from it`}
          />
        </FigureRow>
      )}
    </QueryView>
  )
}
