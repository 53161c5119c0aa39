/** The budget of one team or person on its page: where it stands, or that there is none, and how to change that. */
import { CirclePlus, Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toApiError } from '../../api/api-error.ts'
import { useGet } from '../../api/queries.ts'
import { useRights } from '../../app/rights.ts'
import { BudgetRuler } from '../../charts/budget-ruler.tsx'
import { BudgetBadge } from '../../ui/budget-badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatPercent, formatRelative, formatTime, formatUsd } from '../../ui/format.ts'
import { Card } from '../../ui/layout.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { BudgetForm } from './budget-form.tsx'
import { toMarks } from './budget-rules.ts'
import type { OwnedSubject } from './budget-subject.ts'
import { RemoveBudget } from './remove-budget.tsx'
import { TopUpForm } from './top-up-form.tsx'
import { TopUpList } from './top-up-list.tsx'

export const periodWords = { daily: 'a day', weekly: 'a week', monthly: 'a month' } as const

export function limitText(budget: {
  readonly limit_usd: number
  readonly top_up_usd: number
  readonly period: keyof typeof periodWords
}): string {
  const onTop = budget.top_up_usd > 0 ? `, with ${formatUsd(budget.top_up_usd)} on top until it resets` : ''
  return `${formatUsd(budget.limit_usd)} ${periodWords[budget.period]}${onTop}`
}

function useBudget({ kind, id }: OwnedSubject) {
  const ofTeam = useGet(
    '/admin/teams/{team_id}/budget',
    { params: { path: { team_id: id } } },
    { enabled: kind === 'team' },
  )
  const ofUser = useGet(
    '/admin/users/{user_id}/budget',
    { params: { path: { user_id: id } } },
    { enabled: kind === 'user' },
  )
  return kind === 'team' ? ofTeam : ofUser
}

/** `otherwise`: what limits them while they have no budget here. */
export function BudgetCard({ subject, otherwise }: { readonly subject: OwnedSubject; readonly otherwise: ReactNode }) {
  const [open, setOpen] = useState<'form' | 'question' | 'top-up'>()
  const budget = useBudget(subject)
  // None is an answer here, and stays one after a removal, when the last data is still kept.
  const isNone = budget.error !== null && toApiError(budget.error).status === 404
  const data = isNone ? undefined : budget.data
  const { isAdmin } = useRights()
  const close = (): void => setOpen(undefined)
  // Of a person also without a budget of their own: another one may limit them.
  const topUpButton = (
    <Button icon={CirclePlus} onClick={() => setOpen('top-up')}>
      Top up
    </Button>
  )
  return (
    <Card
      title="Budget"
      {...(data === undefined ? {} : { lead: limitText(data) })}
      actions={
        data === undefined ? (
          isNone &&
          isAdmin && (
            <>
              {subject.kind === 'user' && topUpButton}
              <Button icon={Plus} onClick={() => setOpen('form')}>
                Set a budget
              </Button>
            </>
          )
        ) : (
          <>
            <BudgetBadge status={data.status} />
            {isAdmin && (
              <>
                {topUpButton}
                <Button icon={Pencil} onClick={() => setOpen('form')}>
                  Change budget
                </Button>
                <Button icon={Trash2} tone="danger" onClick={() => setOpen('question')}>
                  Remove budget
                </Button>
              </>
            )}
          </>
        )
      }
    >
      {isNone && <p className="text-text-2">{otherwise}</p>}
      {!isNone && budget.error !== null && <Failure error={budget.error} retry={() => void budget.refetch()} />}
      {!isNone && data === undefined && budget.error === null && <Loading rows={2} />}
      {data !== undefined && (
        <>
          <BudgetRuler
            label={`Budget of ${subject.name}`}
            spendUsd={data.spend_usd}
            limitUsd={data.limit_usd + data.top_up_usd}
            state={data.status}
            marks={toMarks(data.rules)}
          />
          <p className="mt-3 text-13 text-text-2">
            {formatUsd(data.spend_usd)} spent, {formatPercent(data.percent)}. Resets {formatRelative(data.resets_at)} (
            {formatTime(data.resets_at)}).
            {data.member_limit_usd !== null && ` Each member: ${formatUsd(data.member_limit_usd)}.`}
          </p>
        </>
      )}
      {isAdmin && <TopUpList subject={subject} />}
      {open === 'top-up' && <TopUpForm subject={subject} onClose={close} />}
      {open === 'form' && <BudgetForm subject={subject} terms={data} onClose={close} />}
      {open === 'question' && <RemoveBudget subject={subject} onClose={close} />}
    </Card>
  )
}
