/** The organization in numbers: spend, activity, models and tools of a range, each a way to the calls behind it. */
import { Download } from 'lucide-react'
import { useGet } from '../../../api/queries.ts'
import { useRights } from '../../../app/rights.ts'
import { SlotParts, useSlot } from '../../../app/slot.tsx'
import { ButtonAnchor, ButtonLink } from '../../../ui/button.tsx'
import { Page } from '../../../ui/layout.tsx'
import { QueryView } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useUrlState } from '../../../ui/url-state.ts'
import { reportTabs, viewActions } from '../slots.ts'
import { ActivitySection } from './activity.tsx'
import { exportAddress, type Filter, facets, useFilter } from './analytics-filter.ts'
import { EarlierFailure, earlierRead, spanText } from './earlier.tsx'
import { ExploreSection } from './explore.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ModelsSection } from './models.tsx'
import { OverviewFigures, WaitingFigures } from './overview.tsx'
import { SpendSection } from './spend.tsx'
import { ToolsSection } from './tools.tsx'

export function OrgAnalyticsPage() {
  const filter = useFilter()
  const { may, onlyTeam } = useRights()
  const team = onlyTeam('billing:read')
  const [{ tab }] = useUrlState()
  const ownTabs = useSlot(reportTabs).filter(({ facts }) => may(facts.grant))
  const own = ownTabs.find(({ facts }) => facts.id === tab)
  const isOwn = own !== undefined
  const overview = useGet(
    '/admin/analytics/org/overview',
    { params: { query: filter.query } },
    { keepPrevious: true, enabled: !isOwn },
  )
  const { totals, previous } = overview.data ?? {}
  // The days right before come with every answer; others are asked for.
  const [earlierInit] = earlierRead(filter)
  const isOfMonth = filter.comparison === 'month'
  const ofMonth = useGet('/admin/analytics/org/overview', earlierInit, { enabled: isOfMonth && !isOwn })
  // Told in the head, which has room for it: a box of its own would push everything down when it comes.
  const isEmpty = totals?.requests === 0 && previous?.requests === 0
  const isFiltered = facets.some((facet) => filter.query[facet] !== undefined)
  return (
    <Page
      title="Analytics"
      lead={
        isOwn
          ? own.facts.lead
          : `${team === undefined ? '' : `Your team ${team}. `}${writeLead(filter)}${isEmpty ? '. No calls, nor in the time before' : ''}`
      }
      actions={
        !isOwn && (
          <>
            {isEmpty && !isFiltered && <ButtonLink to="/connect">Connect a client</ButtonLink>}
            <SlotParts slot={viewActions} props={{}} />
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
      {!isOwn && <FilterBar filter={filter} names={overview.data?.filters} />}
      {!isOwn &&
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
          ...ownTabs.map(({ facts: { id, label }, Part }) => ({
            id,
            label,
            staysMounted: true,
            content: () => <Part />,
          })),
        ]}
      />
    </Page>
  )
}

function writeLead(filter: Filter): string {
  const { from, to, query, earlier } = filter
  const own = `${spanText(filter, query.until)}, ${from === to ? '' : 'days of '}${query.tz}`
  if (earlier === undefined) return own
  const running = query.until === undefined ? '' : ' Today is running, so both end at the same time of day.'
  return `${own}, beside ${spanText(earlier, query.until)}.${running}`
}
