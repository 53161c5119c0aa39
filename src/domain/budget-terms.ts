/** Which budgets a caller's calls are charged to. */
import { type Budget, type BudgetRule, budgetPeriods, budgetPresets } from './budget.ts'
import { type Caller, payingTeamId } from './caller.ts'
import { nanoFromUsd } from './money.ts'
import type { Settings } from './settings.ts'
import type { Snapshot } from './snapshot.ts'
import type { User } from './user.ts'

export type BudgetSource = 'own' | 'team-member' | 'default' | 'team'

/** A budget as it applies to one subject, wherever its terms come from. */
export interface BudgetTerms extends Omit<Budget, 'memberLimitNanoUsd'> {
  readonly source: BudgetSource
}

type Facts = Pick<Snapshot, 'userBudgets' | 'teamBudgets' | 'settings'>

/** At most one for the person and one for the team that pays. */
export function budgetTermsOf(caller: Caller, facts: Facts): readonly BudgetTerms[] {
  const personal = caller.user === null ? undefined : userTerms(caller.user, facts)
  const teamId = payingTeamId(caller)
  const team = teamId === null ? undefined : facts.teamBudgets.get(teamId)
  if (team === undefined) return personal === undefined ? none : [personal]
  const shared = storedTerms(team, 'team')
  return personal === undefined ? [shared] : [personal, shared]
}

const none: readonly BudgetTerms[] = []

/** What holds for a subject now, whoever called; undefined when nothing limits it any more. */
export function budgetTermsNow(
  { scope, subjectId }: Pick<Budget, 'scope' | 'subjectId'>,
  facts: Facts & Pick<Snapshot, 'users'>,
): BudgetTerms | undefined {
  const stored = (scope === 'team' ? facts.teamBudgets : facts.userBudgets).get(subjectId)
  if (stored !== undefined) return storedTerms(stored, scope === 'team' ? 'team' : 'own')
  const user = scope === 'team' ? undefined : facts.users.get(subjectId)
  return user && userTerms(user, facts)
}

/** Asked for with every call, and the same as long as the budget is. */
const readBudgets = new WeakMap<Budget, BudgetTerms>()

/** A stored budget belongs to a person or to a team, so it has one source. */
function storedTerms(budget: Budget, source: 'own' | 'team'): BudgetTerms {
  const known = readBudgets.get(budget)
  if (known !== undefined) return known
  const terms = { ...budget, source }
  readBudgets.set(budget, terms)
  return terms
}

/** The user's own, else what the user's team gives each member, else the default. */
function userTerms(user: User, facts: Facts): BudgetTerms | undefined {
  const own = facts.userBudgets.get(user.id)
  if (own !== undefined) return storedTerms(own, 'own')
  const subject = { scope: 'user', subjectId: user.id } as const
  const team = user.teamId === null ? undefined : facts.teamBudgets.get(user.teamId)
  if (team !== undefined && team.memberLimitNanoUsd !== null) {
    const { period, rules } = team
    return { ...subject, limitNanoUsd: team.memberLimitNanoUsd, period, rules, source: 'team-member' }
  }
  const fallback = defaultTerms(facts.settings.default_budget)
  return fallback === undefined ? undefined : { ...subject, ...fallback, source: 'default' }
}

type PlainTerms = Pick<Budget, 'limitNanoUsd' | 'period' | 'rules'>

const readDefaults = new WeakMap<object, PlainTerms>()

/** The setting is checked when it is stored; what is read here is still only JSON. */
export function defaultTerms(setting: Settings['default_budget']): PlainTerms | undefined {
  if (setting === null) return undefined
  const known = readDefaults.get(setting)
  if (known !== undefined) return known
  const period = budgetPeriods.find((one) => one === setting['period']) ?? 'monthly'
  const terms = {
    limitNanoUsd: nanoFromUsd(Number(setting['limit_usd'])),
    period,
    rules: rulesOf(setting['policy'] ?? 'standard'),
  }
  // A default nobody can read must not be the same as none: it would lift every limit.
  if (!(terms.limitNanoUsd >= 0)) terms.limitNanoUsd = 0
  readDefaults.set(setting, terms)
  return terms
}

function rulesOf(policy: unknown): readonly BudgetRule[] {
  if (policy === 'soft' || policy === 'shaped') return budgetPresets[policy]
  if (!Array.isArray(policy)) return budgetPresets.standard
  return (policy as readonly { at_percent: number; action: BudgetRule['action']; rpm?: number }[]).map(
    ({ at_percent: atPercent, action, rpm }) => ({ atPercent, action, ...(rpm === undefined ? {} : { rpm }) }),
  )
}
