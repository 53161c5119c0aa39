/** What is on top of a limit now, when it ends, and the way to take it back. Nothing where nothing is. */
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type Answer, api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { formatTime, formatUsd } from '../../ui/format.ts'
import { Failure } from '../../ui/states.tsx'
import { budgetPaths, type OwnedSubject } from './budget-subject.ts'

type TopUp = Answer<'/admin/users/{user_id}/budget/top-ups', 'get'>['data'][number]

const MOST = { limit: 200, sort: '-ends_at' } as const

function useTopUps({ kind, id }: OwnedSubject) {
  const ofTeam = useGet(
    '/admin/teams/{team_id}/budget/top-ups',
    { params: { path: { team_id: id }, query: MOST } },
    { enabled: kind === 'team' },
  )
  const ofUser = useGet(
    '/admin/users/{user_id}/budget/top-ups',
    { params: { path: { user_id: id }, query: MOST } },
    { enabled: kind === 'user' },
  )
  return kind === 'team' ? ofTeam : ofUser
}

export function TopUpList({ subject }: { readonly subject: OwnedSubject }) {
  const [asked, setAsked] = useState<TopUp>()
  const topUps = useTopUps(subject)
  const inForce = (topUps.data?.data ?? []).filter(({ active }) => active)
  if (topUps.data === undefined && topUps.error !== null)
    return (
      <div className="mt-3">
        <Failure error={topUps.error} title="What is on top cannot be shown" retry={() => void topUps.refetch()} />
      </div>
    )
  return (
    <>
      {inForce.length > 0 && (
        <ul aria-label={`On top for ${subject.name}`} className="mt-3 divide-y divide-line border-t border-line">
          {inForce.map((topUp) => (
            <li key={topUp.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="tabular font-medium">+ {formatUsd(topUp.amount_usd)}</span>
                {topUp.reason !== null && ` for ${topUp.reason}`}
                <span className="block text-12 text-text-3">
                  Ends {formatTime(topUp.ends_at)}. Given by {topUp.created_by} {formatTime(topUp.created_at)}.
                </span>
              </span>
              <Button icon={Undo2} onClick={() => setAsked(topUp)}>
                Take back
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asked !== undefined && <TakeBack topUp={asked} subject={subject} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function TakeBack({
  topUp,
  subject,
  onClose,
}: {
  readonly topUp: TopUp
  readonly subject: OwnedSubject
  readonly onClose: () => void
}) {
  const remove = useWrite(
    () => api.delete('/admin/budgets/top-ups/{top_up_id}', { params: { path: { top_up_id: topUp.id } } }),
    {
      refreshes: budgetPaths,
      done: `${formatUsd(topUp.amount_usd)} of ${subject.name} are taken back.`,
      showsErrors: true,
    },
  )
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Take ${formatUsd(topUp.amount_usd)} back from ${subject.name}?`}
      action="Take back"
      onConfirm={() => remove.mutateAsync(undefined)}
    >
      What is spent stays spent: where that is more than the limit without it, calls stop as the rules say.
    </Confirm>
  )
}
