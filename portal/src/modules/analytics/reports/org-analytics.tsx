/** The organization in numbers: spend, activity, models and tools of a range, each a way to the calls behind it. */
import { Download } from 'lucide-react'
import { useGet } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { ReconcileSection, useReconciliation } from '../../../extensions/reconciliation/reconcile.tsx'
import { ViewsMenu } from '../../../extensions/saved-views/views-menu.tsx'
import { ButtonAnchor, ButtonLink } from '../../../ui/button.tsx'
import { Page } from '../../../ui/layout.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { ActivitySection } from './activity.tsx'
import { exportAddress, type Filter, facets, useFilter } from './analytics-filter.ts'
import { EarlierFailure, earlierRead, spanText } from './earlier.tsx'
import { ExploreSection } from './explore.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ModelsSection } from './models.tsx'
import { OverviewFigures, WaitingFigures } from './overview.tsx'
import { SpendSection } from './spend.tsx'
import { ToolsSection } from './tools.tsx'

const BILL = 'reconcile'

export function OrgAnalyticsPage() {
  const filter = useFilter()
  const { may, onlyTeam } = useRights()
  const team = onlyTeam('billing:read')
  const [{ tab }] = useUrlState()
  // The days of a bill are its own: neither the range nor the filters are about it.
  const isBill = tab === BILL && may('billing:read')
  const bill = useReconciliation()
  const overview = useGet(
    '/admin/analytics/org/overview',
    { params: { query: filter.query } },
    { keepPrevious: true, enabled: !isBill },
  )
  const { totals, previous } = overview.data ?? {}
  // The days right before come with every answer; others are asked for.
  const [earlierInit] = earlierRead(filter)
  const isOfMonth = filter.comparison === 'month'
  const ofMonth = useGet('/admin/analytics/org/overview', earlierInit, { enabled: isOfMonth && !isBill })
  // Told in the head, which has room for it: a box of its own would push everything down when it comes.
  const isEmpty = totals?.requests === 0 && previous?.requests === 0
  const isFiltered = facets.some((facet) => filter.query[facet] !== undefined)
  return (
    <Page
      title="Analytics"
      lead={
        isBill
          ? 'Whether the dollars of the gateway are those of the cloud bill'
          : `${team === undefined ? '' : `Your team ${team}. `}${leadOf(filter)}${isEmpty ? '. No calls, nor in the time before' : ''}`
      }
      actions={
        !isBill && (
          <>
            {isEmpty && !isFiltered && <ButtonLink to="/connect">Connect a client</ButtonLink>}
            <ViewsMenu />
            <ButtonAnchor
              icon={Download}
              href={exportAddress(filter)}
              download={`causeway-${filter.from}-${filter.to}.csv`}
            >
              Export CSV
            </ButtonAnchor>
          </>
        )
      }
    >
      {!isBill && <FilterBar filter={filter} names={overview.data?.filters} />}
      {!isBill &&
        (overview.isPending ? (
          <WaitingFigures />
        ) : (
          <QueryView query={overview}>
            {(data) => {
              const before = isOfMonth ? ofMonth.data?.totals : data.previous
              if (before !== undefined) return <OverviewFigures data={data} before={before} filter={filter} />
              return ofMonth.error === null ? <WaitingFigures /> : <EarlierFailure filter={filter} query={ofMonth} />
            }}
          </QueryView>
        ))}
      <Tabs
        label="Parts of the analytics"
        tabs={[
          { id: 'spend', label: 'Spend', content: () => <SpendSection filter={filter} /> },
          { id: 'activity', label: 'Activity', content: () => <ActivitySection filter={filter} /> },
          { id: 'models', label: 'Models and endpoints', content: () => <ModelsSection filter={filter} /> },
          { id: 'tools', label: 'Tools', content: () => <ToolsSection filter={filter} /> },
          { id: 'explore', label: 'Explore', content: () => <ExploreSection filter={filter} /> },
          ...(may('billing:read')
            ? [{ id: BILL, label: 'Reconcile', content: () => <ReconcileSection asked={bill} /> }]
            : []),
        ]}
      />
    </Page>
  )
}

function leadOf(filter: Filter): string {
  const { from, to, query, earlier } = filter
  const own = `${spanText(filter, query.until)}, ${from === to ? '' : 'days of '}${query.tz}`
  if (earlier === undefined) return own
  const running = query.until === undefined ? '' : ' Today is running, so both end at the same time of day.'
  return `${own}, beside ${spanText(earlier, query.until)}.${running}`
}
