/** The budgets that one's calls are charged to, the one that binds first. */
import type { Answer } from '../../api/client.ts'
import { BudgetRuler } from '../../charts/budget-ruler.tsx'
import { BudgetBadge } from '../../ui/budget-badge.tsx'
import { formatPercent, formatRelative, formatTime, formatUsd } from '../../ui/format.ts'
import { Card, Columns } from '../../ui/layout.tsx'

type Budget = Answer<'/me/budget', 'get'>['budgets'][number]

const sources: Readonly<Record<Budget['source'], string>> = {
  own: 'Your own budget',
  'team-member': 'Your team’s limit for each member',
  default: 'The default for everybody',
  team: 'Your whole team’s budget',
}

export function BudgetCards({ budgets }: { readonly budgets: readonly Budget[] }) {
  if (budgets.length === 0)
    return (
      <Card title="Budget">
        <p className="text-text-2">No budget limits you. What you use is recorded all the same.</p>
      </Card>
    )
  // The one with the least left is the one that will stop a call.
  const [first, ...others] = [...budgets].sort((a, b) => b.percent - a.percent)
  return (
    <Columns min={380}>
      {first !== undefined && <BudgetCard budget={first} isBinding={others.length > 0} />}
      {others.map((budget) => (
        <BudgetCard key={budget.scope} budget={budget} isBinding={false} />
      ))}
    </Columns>
  )
}

function BudgetCard({ budget, isBinding }: { readonly budget: Budget; readonly isBinding: boolean }) {
  const title = budget.scope === 'user' ? 'Your budget' : `Team ${budget.name}`
  return (
    <Card
      title={title}
      lead={`${sources[budget.source]}${isBinding ? '; this one binds first' : ''}`}
      actions={<BudgetBadge status={budget.status} />}
    >
      <p className="mb-3">
        <span className="tabular text-24 font-semibold tracking-tight">{formatUsd(budget.remaining_usd)}</span>
        <span className="text-text-2"> left of {formatUsd(budget.limit_usd)}</span>
      </p>
      <BudgetRuler
        label={title}
        spendUsd={budget.spend_usd}
        limitUsd={budget.limit_usd}
        state={budget.status}
        marks={budget.rules.map(({ at_percent, action, rpm }) => ({ atPercent: at_percent, action, rpm }))}
      />
      <p className="mt-3 text-13 text-text-2">
        {formatUsd(budget.spend_usd)} spent, {formatPercent(budget.percent)}. Resets {formatRelative(budget.resets_at)}{' '}
        ({formatTime(budget.resets_at)}).
      </p>
    </Card>
  )
}
