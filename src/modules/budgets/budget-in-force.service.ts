/** A budget as it holds for one person or team now, wherever its limit comes from, and where it stands. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { budgetPeriods, periodAt } from '../../foundation/domain/budget.ts'
import { type BudgetTerms, budgetTermsNow } from '../../foundation/domain/budget-terms.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import type { User } from '../../foundation/domain/user.ts'
import { isoTime } from '../../foundation/http/fields.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { createTeamStore } from '../people/teams.store.ts'
import { createUserStore } from '../people/users.store.ts'
import { ruleSchema } from './budget.fields.ts'
import type { BudgetInForce, BudgetPorts, BudgetStanding } from './budget-ports.ts'
import { createTopUpStore } from './budget-top-ups.store.ts'
import { type BudgetSubject, createBudgetStore } from './budgets.store.ts'

export const inForceSchema = z.object({
  scope: z.enum(['user', 'team']),
  /** The person's or the team's. */
  name: z.string(),
  /** Where the limit comes from. */
  source: z.enum(['own', 'team-member', 'default', 'team']),
  limit_usd: z.number(),
  /** On top of the limit until the period ends; what is left, percent and status go by both together. */
  top_up_usd: z.number(),
  period: z.enum(budgetPeriods),
  rules: z.array(ruleSchema),
  spend_usd: z.number(),
  remaining_usd: z.number(),
  percent: z.number(),
  status: z.enum(['ok', 'warning', 'shaped', 'blocked']),
  started_at: z.iso.datetime(),
  resets_at: z.iso.datetime(),
})

/** One for each of the terms, in their order. */
export async function inForceBodies(
  ports: BudgetPorts,
  terms: readonly BudgetTerms[],
): Promise<readonly z.infer<typeof inForceSchema>[]> {
  const standings = await ports.readStandings(terms.map((one) => ({ ...one, memberLimitNanoUsd: null })))
  return terms.map((one, index) => {
    const standing = standings[index]
    if (standing === undefined) throw new Error('a budget was asked for and its standing not given')
    return describe(one, standing, ports)
  })
}

function describe(terms: BudgetTerms, standing: BudgetStanding, ports: BudgetPorts): z.infer<typeof inForceSchema> {
  return {
    scope: terms.scope,
    name: subjectName(terms, ports),
    source: terms.source,
    limit_usd: usdFromNano(terms.limitNanoUsd - terms.topUpNanoUsd),
    top_up_usd: usdFromNano(terms.topUpNanoUsd),
    period: terms.period,
    rules: terms.rules.map(({ atPercent, ...rest }) => ({ at_percent: atPercent, ...rest })),
    spend_usd: usdFromNano(standing.spendNanoUsd),
    remaining_usd: usdFromNano(Math.max(0, terms.limitNanoUsd - standing.spendNanoUsd)),
    percent: standing.percent,
    status: standing.status,
    started_at: isoTime(periodAt(terms.period, ports.clock.nowMs()).startMs),
    resets_at: isoTime(standing.resetsAtMs),
  }
}

export function subjectName({ scope, subjectId }: BudgetSubject, ports: Pick<RoutePorts, 'snapshot'>): string {
  const { users, teams } = ports.snapshot()
  const name = scope === 'user' ? users.get(subjectId)?.subject : teams.get(subjectId)?.name
  return name ?? subjectId
}

export async function requireBudgetInForce(
  change: Pick<Change, 'tx'>,
  ports: Pick<RoutePorts, 'snapshot' | 'clock'>,
  subject: BudgetSubject,
): Promise<BudgetInForce> {
  const found = await findBudgetInForce(change, ports, subject)
  if (found === undefined) throw problem('conflict', { reason: noBudgetReason(subject.scope) })
  return found
}

/** By the rows of the transaction that changes them: the snapshot may be some seconds old. An unknown subject is 404. */
export async function findBudgetInForce(
  { tx }: Pick<Change, 'tx'>,
  ports: Pick<RoutePorts, 'snapshot' | 'clock'>,
  subject: BudgetSubject,
): Promise<BudgetInForce | undefined> {
  const { scope, subjectId } = subject
  const isUser = scope === 'user'
  const user = await requireSubject(tx, subject)
  const budgets = createBudgetStore(tx)
  const own = isUser ? await budgets.find(subject) : undefined
  const teamId = isUser ? (user?.teamId ?? null) : subjectId
  const ofTeam = teamId === null ? undefined : await budgets.find({ scope: 'team', subjectId: teamId })
  const topUps = new Map([[subjectId, await createTopUpStore(tx).listAt(subject, ports.clock.nowMs())]])
  const { settings } = ports.snapshot()
  const terms = budgetTermsNow(
    subject,
    {
      settings,
      users: new Map(user === undefined ? [] : [[user.id, user]]),
      userBudgets: new Map(own === undefined ? [] : [[subjectId, own]]),
      teamBudgets: new Map(ofTeam === undefined || teamId === null ? [] : [[teamId, ofTeam]]),
      userTopUps: topUps,
      teamTopUps: topUps,
    },
    ports.clock.nowMs,
  )
  if (terms === undefined) return undefined
  const stored = { own, 'team-member': ofTeam, team: ofTeam, default: undefined }[terms.source]
  return { terms, policy: stored === undefined ? defaultPolicy(settings.default_budget) : stored.policy, stored }
}

/** The person, if it is one. */
export async function requireSubject(
  db: Change['tx'] | Database['kysely'],
  { scope, subjectId }: BudgetSubject,
): Promise<User | undefined> {
  const user = scope === 'user' ? await createUserStore(db).find(subjectId) : undefined
  const team = scope === 'user' ? undefined : await createTeamStore(db).find(subjectId)
  if (user === undefined && team === undefined) throw problem('not_found', { what: scope })
  return user
}

function noBudgetReason(scope: BudgetSubject['scope']): string {
  return `No budget limits this ${scope === 'user' ? 'person' : 'team'}, so there is nothing to add to. Set a budget first, or do nothing: calls are not stopped.`
}

function defaultPolicy(setting: Readonly<Record<string, unknown>> | null): string | null {
  const policy = setting?.['policy'] ?? 'standard'
  return typeof policy === 'string' ? policy : null
}
