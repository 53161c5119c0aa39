/**
 * Budgets as the vendor's Admin API writes spend limits. The budget of a person is a limit of the scope `user`, the one
 * that a team shares is a `workspace`, what a team gives each member is an `rbac_group`, and the default of everybody
 * without one is the `seat_tier`. There is no cap of the whole organization, so nothing is called that.
 */
import { z } from 'zod'
import { type Budget, type BudgetPeriod, budgetPeriods } from '../../foundation/domain/budget.ts'
import { type BudgetSource, defaultTerms } from '../../foundation/domain/budget-terms.ts'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { Settings } from '../../foundation/domain/settings.ts'
import type { User } from '../../foundation/domain/user.ts'
import { id } from '../../foundation/http/fields.ts'
import type { BudgetInForce } from '../../modules/budgets/budget-ports.ts'
import type { BudgetRecord, BudgetSubject } from '../../modules/budgets/budgets.store.ts'
import { wholeCents } from './cents.ts'

const SEAT_TIER = 'member'

export const scopeTypes = ['seat_tier', 'rbac_group', 'workspace', 'user'] as const
export type ScopeType = (typeof scopeTypes)[number]

/** Whose it is: the id of a person or a team, or the name of the one seat tier that there is. */
export interface Scope {
  readonly type: ScopeType
  readonly of: string
}

export const everybody: Scope = { type: 'seat_tier', of: SEAT_TIER }

export const scopeSchema = z.union([
  z.object({ type: z.literal('user'), user_id: z.string() }),
  z.object({ type: z.literal('workspace'), workspace_id: z.string() }),
  z.object({ type: z.literal('rbac_group'), rbac_group_id: z.string() }),
  z.object({ type: z.literal('seat_tier'), seat_tier: z.string() }),
])

const idFields = {
  user: 'user_id',
  workspace: 'workspace_id',
  rbac_group: 'rbac_group_id',
  seat_tier: 'seat_tier',
} as const satisfies Record<ScopeType, string>

export function scopeBody({ type, of }: Scope): z.infer<typeof scopeSchema> {
  return { type, [idFields[type]]: of } as z.infer<typeof scopeSchema>
}

export function limitId({ type, of }: Scope): string {
  return `spl_${type}_${of}`
}

/** Undefined for what is no id of a limit here. */
export function scopeOfLimitId(text: string): Scope | undefined {
  if (text === limitId(everybody)) return everybody
  const [, type, of] = /^spl_(user|workspace|rbac_group)_(.+)$/.exec(text) ?? []
  const known = id.safeParse(of)
  return known.success ? { type: type as ScopeType, of: known.data } : undefined
}

export function subjectOfScope({ type, of }: Scope): BudgetSubject {
  return { scope: type === 'user' ? 'user' : 'team', subjectId: of }
}

/** Where the limit of a person comes from. */
export function sourceScope(source: BudgetSource, user: Pick<User, 'id' | 'teamId'>): Scope {
  if (source === 'team-member' && user.teamId !== null) return { type: 'rbac_group', of: user.teamId }
  return source === 'default' ? everybody : { type: 'user', of: user.id }
}

export const period = z.enum(budgetPeriods)

/** At the vendor somebody may have a limit of each period. Here another one would take the place of the one in force. */
export function requireSamePeriod({ terms }: BudgetInForce, wanted: BudgetPeriod | null | undefined): void {
  const { period: held } = terms
  if (wanted === undefined || wanted === null || wanted === held) return
  throw invalidParameter(
    'period',
    `A ${held} limit is in force, and here nobody has two of different periods: setting a ${wanted} one would lift it. Leave the period out, or change it in the portal.`,
  )
}

export const spendLimitSchema = z.object({
  type: z.literal('spend_limit'),
  id: z.string(),
  /** Whole cents. */
  amount: z.string(),
  currency: z.literal('USD'),
  period,
  scope: scopeSchema,
  is_enabled: z.literal(true),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export type SpendLimit = z.infer<typeof spendLimitSchema>

interface Limit {
  readonly scope: Scope
  readonly limitNanoUsd: NanoUsd
  readonly period: BudgetPeriod
  readonly createdAt: string
  readonly updatedAt: string
}

function limitBody({ scope, limitNanoUsd, period, createdAt, updatedAt }: Limit): SpendLimit {
  return {
    type: 'spend_limit',
    id: limitId(scope),
    amount: wholeCents(limitNanoUsd),
    currency: 'USD',
    period,
    scope: scopeBody(scope),
    is_enabled: true,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/** Of the budget itself: the own one of a person, or the one that a team shares. */
export function toSpendLimit(budget: BudgetRecord): SpendLimit {
  const type = budget.scope === 'user' ? 'user' : 'workspace'
  return limitBody({ ...budget, scope: { type, of: budget.subjectId } })
}

export function toMemberLimit(budget: BudgetRecord): SpendLimit | undefined {
  if (budget.memberLimitNanoUsd === null) return undefined
  return limitBody({
    ...budget,
    limitNanoUsd: budget.memberLimitNanoUsd,
    scope: { type: 'rbac_group', of: budget.subjectId },
  })
}

/** `storedAt` is when somebody set the default; what the environment sets is as old as time. */
export function toDefaultLimit(
  setting: Settings['default_budget'],
  storedAt: string = new Date(0).toISOString(),
): SpendLimit | undefined {
  const terms: Pick<Budget, 'limitNanoUsd' | 'period'> | undefined = defaultTerms(setting)
  return terms && limitBody({ ...terms, scope: everybody, createdAt: storedAt, updatedAt: storedAt })
}
