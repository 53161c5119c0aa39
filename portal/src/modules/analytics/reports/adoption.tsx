/** How far people have come: who was invited, who has connected a client, who is active. Each stage leads to its people. */
import { useGet } from '../../../api/queries.ts'
import { RankBars, type RankRow } from '../../../charts/rank-bars.tsx'
import { formatNumber, formatShare } from '../../../ui/format.ts'
import { QueryView } from '../../../ui/states.tsx'

const names = { invited: 'Invited', connected: 'Connected', active: 'Active in the last 7 days' } as const

const LEAD =
  'Now, whatever the range. Invited: may sign in. Connected: made a call, asked for the models, or is signed in at a terminal.'

export function AdoptionCard({ team }: { readonly team: string | undefined }) {
  const adoption = useGet(
    '/admin/analytics/adoption',
    { params: { query: team === undefined ? {} : { team } } },
    { keepPrevious: true },
  )
  return (
    <QueryView query={adoption} rows={4}>
      {({ stages, team_id: teamId }) => {
        // The list of people takes one team or all of them.
        const isListed = team === undefined || teamId !== null
        const rows: RankRow[] = stages.map(({ stage, people, share, share_of_previous: ofPrevious }) => ({
          name: names[stage],
          value: people,
          ...(ofPrevious === null
            ? {}
            : { detail: describeShares(share, stage === 'active' ? ofPrevious : undefined) }),
          ...(isListed
            ? { to: { path: '/users', search: { adoption: stage, ...(teamId === null ? {} : { team: teamId }) } } }
            : {}),
        }))
        return (
          <RankBars
            title="From invited to active"
            lead={LEAD}
            rows={stages.every(({ people }) => people === 0) ? [] : rows}
            valueName="People"
            formatValue={formatNumber}
            isInOrder
          />
        )
      }}
    </QueryView>
  )
}

function describeShares(ofInvited: number, ofConnected: number | undefined): string {
  const text = `${formatShare(ofInvited)} of invited`
  return ofConnected === undefined ? text : `${text}, ${formatShare(ofConnected)} of connected`
}
