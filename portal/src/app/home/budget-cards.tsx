/** The budgets that one's calls are charged to, the one that binds first. */
import type { ReactNode } from 'react'
import type { Answer } from '../../api/client.ts'
import { BudgetRuler } from '../../charts/budget-ruler.tsx'
import { BudgetBadge } from '../../ui/budget-badge.tsx'
import { formatPercent, formatRelative, formatTime, formatUsd } from '../../ui/format.ts'
import { Card, Columns } from '../../ui/layout.tsx'
import { AskForMore, type OwnRequest } from './ask-for-more.tsx'

type Budget = Answer<'/me/budget', 'get'>['budgets'][number]

const sources: Readonly<Record<Budget['source'], string>> = {
  own: 'Your own budget',
  'team-member': 'Your team’s limit for each member',
  default: 'The default for everybody',
  team: 'Your whole team’s budget',
}

export function BudgetCards({
  budgets,
  requests,
}: {
  readonly budgets: readonly Budget[]
  readonly requests: readonly OwnRequest[]
}) {
  if (budgets.length === 0)
    return (
      <Card title="Budget">
        <p className="text-text-2">No budget limits you. What you use is recorded all the same.</p>
      </Card>
    )
  // The one with the least left is the one that will stop a call.
  const [first, ...others] = [...budgets].sort((a, b) => b.percent - a.percent)
  const renderPart = (budget: Budget) => (
    <AskForMore budget={budget} isAskedFor={budget === findWorst(budgets)} requests={requests} />
  )
  return (
    <Columns min={380}>
      {first !== undefined && <BudgetCard budget={first} isBinding={others.length > 0} part={renderPart(first)} />}
      {others.map((budget) => (
        <BudgetCard key={budget.scope} budget={budget} isBinding={false} part={renderPart(budget)} />
      ))}
    </Columns>
  )
}

const order: Readonly<Record<Budget['status'], number>> = { ok: 0, warning: 1, shaped: 2, blocked: 3 }

/** As the gateway chooses the budget that more is asked for: the one that stands worse, one's own when both stand alike. */
function findWorst(budgets: readonly Budget[]): Budget | undefined {
  return budgets.reduce<Budget | undefined>(
    (worst, budget) => (worst === undefined || order[budget.status] > order[worst.status] ? budget : worst),
    undefined,
  )
}

function BudgetCard({
  budget,
  isBinding,
  part,
}: {
  readonly budget: Budget
  readonly isBinding: boolean
  readonly part: ReactNode
}) {
  const limitUsd = budget.limit_usd + budget.top_up_usd
  const title = budget.scope === 'user' ? 'Your budget' : `Team ${budget.name}`
  return (
    <Card
      title={title}
      lead={`${sources[budget.source]}${isBinding ? '; this one binds first' : ''}`}
      actions={<BudgetBadge status={budget.status} />}
    >
      <p className="mb-3">
        <span className="tabular text-24 font-semibold tracking-tight">{formatUsd(budget.remaining_usd)}</span>
        <span className="text-text-2"> left of {formatUsd(limitUsd)}</span>
      </p>
      <BudgetRuler
        label={title}
        spendUsd={budget.spend_usd}
        limitUsd={limitUsd}
        state={budget.status}
        marks={budget.rules.map(({ at_percent, action, rpm }) => ({ atPercent: at_percent, action, rpm }))}
      />
      <p className="mt-3 text-13 text-text-2">
        {formatUsd(budget.spend_usd)} spent, {formatPercent(budget.percent)}. Resets {formatRelative(budget.resets_at)}{' '}
        ({formatTime(budget.resets_at)}).
        {budget.top_up_usd > 0 &&
          ` ${formatUsd(budget.top_up_usd)} of the limit are on top of ${formatUsd(budget.limit_usd)} until then.`}
      </p>
      {part}
    </Card>
  )
}
