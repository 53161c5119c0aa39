/** Budgets beside the spend they limit: those of the teams and people that a filter names, or all. */
import type { Budget } from '../../foundation/domain/budget.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { isoTime } from '../../foundation/http/fields.ts'
import type { UsageFilter } from '../spend/usage/usage-source.store.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { standingsWithTopUps } from './budget-standings.ts'

export async function listBudgets(
  ports: Pick<BudgetPorts, 'snapshot' | 'clock' | 'readStandings'>,
  filter: UsageFilter,
  onlyTeamId: string | undefined,
) {
  const { teamBudgets, userBudgets, teams, users } = ports.snapshot()
  const budgets: Budget[] = [
    ...shown(teamBudgets, filter.teamIds, filter.userIds === undefined),
    ...shown(userBudgets, filter.userIds, filter.teamIds === undefined).filter(
      // A lead may name anybody in the filter: what somebody of another team may spend is told to nobody who leads this one.
      ({ subjectId }) => onlyTeamId === undefined || users.get(subjectId)?.teamId === onlyTeamId,
    ),
  ]
  if (budgets.length === 0) return []
  const standings = await standingsWithTopUps(ports, budgets)
  return budgets
    .flatMap((budget, index) => {
      const standing = standings[index]
      const name = budget.scope === 'team' ? teams.get(budget.subjectId)?.name : users.get(budget.subjectId)?.subject
      if (standing === undefined) return []
      return [
        {
          scope: budget.scope,
          name: name ?? budget.subjectId,
          limit_usd: usdFromNano(budget.limitNanoUsd),
          top_up_usd: usdFromNano(standing.topUpNanoUsd),
          spend_usd: usdFromNano(standing.spendNanoUsd),
          percent: standing.percent,
          period: budget.period,
          status: standing.status,
          resets_at: isoTime(standing.resetsAtMs),
        },
      ]
    })
    .sort((a, b) => b.percent - a.percent)
}

function shown(
  budgets: ReadonlyMap<string, Budget>,
  ids: readonly string[] | undefined,
  isUnfiltered: boolean,
): readonly Budget[] {
  if (ids !== undefined) return ids.flatMap((id) => budgets.get(id) ?? [])
  return isUnfiltered ? [...budgets.values()] : []
}
