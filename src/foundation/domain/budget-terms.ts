/** Which budgets a caller's calls are charged to. */
import { defined } from '../platform/defined.ts'
import { type Budget, type BudgetRule, budgetPeriods, budgetPresets } from './budget.ts'
import { type TopUpsBySubject, topUpAt } from './budget-top-up.ts'
import { type Caller, payingTeamId } from './caller.ts'
import { type NanoUsd, nanoFromUsd } from './money.ts'
import type { Settings } from './settings.ts'
import type { Snapshot } from './snapshot.ts'
import type { User } from './user.ts'

export type BudgetSource = 'own' | 'team-member' | 'default' | 'team'

/** A budget as it applies to one subject, wherever its terms come from. Its limit has the top-ups in it. */
export interface BudgetTerms extends Omit<Budget, 'memberLimitNanoUsd'> {
  readonly source: BudgetSource
  /** The part of the limit that ends by itself. */
  readonly topUpNanoUsd: NanoUsd
}

type Facts = Pick<Snapshot, 'userBudgets' | 'teamBudgets' | 'userTopUps' | 'teamTopUps' | 'settings'>

/** Asked only where there are top-ups: nobody else pays for a look at the clock. */
type NowMs = () => number

/** At most one for the person and one for the team that pays. Of a period that may have ended, `lastMs` is its last moment. */
export function listBudgetTerms(caller: Caller, facts: Facts, nowMs: NowMs, lastMs?: number): readonly BudgetTerms[] {
  const ofUser = caller.user === null ? undefined : userTerms(caller.user, facts)
  const personal = ofUser && toppedUp(ofUser, facts.userTopUps, nowMs, lastMs)
  const teamId = payingTeamId(caller)
  const team = teamId === null ? undefined : facts.teamBudgets.get(teamId)
  if (team === undefined) return personal === undefined ? none : [personal]
  const shared = toppedUp(storedTerms(team, 'team'), facts.teamTopUps, nowMs, lastMs)
  return personal === undefined ? [shared] : [personal, shared]
}

const none: readonly BudgetTerms[] = []

/** What holds for a subject now, whoever called; undefined when nothing limits it any more. */
export function budgetTermsNow(
  { scope, subjectId }: Pick<Budget, 'scope' | 'subjectId'>,
  facts: Facts & Pick<Snapshot, 'users'>,
  nowMs: NowMs,
  lastMs?: number,
): BudgetTerms | undefined {
  const isTeam = scope === 'team'
  const stored = (isTeam ? facts.teamBudgets : facts.userBudgets).get(subjectId)
  const user = isTeam ? undefined : facts.users.get(subjectId)
  const terms = stored === undefined ? user && userTerms(user, facts) : storedTerms(stored, isTeam ? 'team' : 'own')
  return terms && toppedUp(terms, isTeam ? facts.teamTopUps : facts.userTopUps, nowMs, lastMs)
}

/** Passes the rules on without a copy: an account whose limit and rules are the same keeps what it has worked out. */
function toppedUp(terms: BudgetTerms, topUps: TopUpsBySubject, nowMs: NowMs, lastMs = Infinity): BudgetTerms {
  const ofSubject = topUps.get(terms.subjectId)
  if (ofSubject === undefined) return terms
  const topUpNanoUsd = topUpAt(ofSubject, Math.min(nowMs(), lastMs))
  return topUpNanoUsd === 0 ? terms : { ...terms, limitNanoUsd: terms.limitNanoUsd + topUpNanoUsd, topUpNanoUsd }
}

/** A stored budget belongs to a person or to a team, so it has one source. */
function storedTerms(budget: Budget, source: 'own' | 'team'): BudgetTerms {
  return { ...budget, source, topUpNanoUsd: 0 }
}

/** The user's own, else what the user's team gives each member, else the default. */
function userTerms(user: User, facts: Facts): BudgetTerms | undefined {
  const own = facts.userBudgets.get(user.id)
  if (own !== undefined) return storedTerms(own, 'own')
  const subject = { scope: 'user', subjectId: user.id } as const
  const team = user.teamId === null ? undefined : facts.teamBudgets.get(user.teamId)
  if (team !== undefined && team.memberLimitNanoUsd !== null) {
    const { period, rules } = team
    const limitNanoUsd = team.memberLimitNanoUsd
    return { ...subject, limitNanoUsd, period, rules, source: 'team-member', topUpNanoUsd: 0 }
  }
  const fallback = defaultTerms(facts.settings.default_budget)
  return fallback === undefined ? undefined : { ...subject, ...fallback, source: 'default', topUpNanoUsd: 0 }
}

type PlainTerms = Pick<Budget, 'limitNanoUsd' | 'period' | 'rules'>

/** The setting is checked when it is stored; what is read here is still only JSON. */
export function defaultTerms(setting: Settings['default_budget']): PlainTerms | undefined {
  if (setting === null) return undefined
  const period = budgetPeriods.find((one) => one === setting['period']) ?? 'monthly'
  const terms = {
    limitNanoUsd: nanoFromUsd(Number(setting['limit_usd'])),
    period,
    rules: readRules(setting['policy'] ?? 'standard'),
  }
  // A default nobody can read must not be the same as none: it would lift every limit.
  if (!(terms.limitNanoUsd >= 0)) terms.limitNanoUsd = 0
  return terms
}

function readRules(policy: unknown): readonly BudgetRule[] {
  if (policy === 'soft' || policy === 'shaped') return budgetPresets[policy]
  if (!Array.isArray(policy)) return budgetPresets.standard
  return (policy as readonly { at_percent: number; action: BudgetRule['action']; rpm?: number }[]).map(
    ({ at_percent: atPercent, action, rpm }) => defined({ atPercent, action, rpm }),
  )
}
