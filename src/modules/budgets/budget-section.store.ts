/** The budgets of the snapshot, and the increases that count. */
import { sql } from 'kysely'
import type { Budget } from '../../foundation/domain/budget.ts'
import { frozenMap, mapInSlices, type SectionReader } from '../../foundation/snapshot/snapshot-sections.store.ts'
import { toTopUp } from './budget-top-ups.store.ts'
import { toBudget } from './budgets.store.ts'

/** The moment itself is seen by whoever reads them. Calls that came in before it are charged with what counted then. */
const notLongOver = sql<boolean>`ends_at > now() - interval '1 day'`

export const readBudgetSection: SectionReader<'budgets'> = async (tx) => {
  const budgets = await mapInSlices(tx, 'budgets', toBudget, (budget) => `${budget.scope}:${budget.subjectId}`)
  const ofScope = (scope: Budget['scope']) =>
    frozenMap([...budgets.values()].filter((one) => one.scope === scope).map((one) => [one.subjectId, one]))
  const topUps = await mapInSlices(tx, 'budget_top_ups', toTopUp, (topUp) => topUp.id, notLongOver)
  const groupTopUps = (scope: Budget['scope']) =>
    frozenMap(
      Map.groupBy(
        [...topUps.values()].filter((one) => one.scope === scope),
        (one) => one.subjectId,
      ),
    )
  return {
    userBudgets: ofScope('user'),
    teamBudgets: ofScope('team'),
    userTopUps: groupTopUps('user'),
    teamTopUps: groupTopUps('team'),
  }
}
