/** Budgets as the wire writes them: presets or own rules, checked once for teams, users and the default. */
import { z } from 'zod'
import { type Budget, type BudgetRule, budgetPeriods, budgetPresets } from '../../foundation/domain/budget.ts'
import { nanoFromUsd, usdFromNano } from '../../foundation/domain/money.ts'
import { id, isoTime } from '../../foundation/http/fields.ts'
import { defined } from '../../foundation/platform/defined.ts'
import type { ToppedUpStanding } from './budget-standings.ts'
import type { BudgetRecord } from './budgets.store.ts'

/** What a safe integer of nano-dollars still holds. */
const MAX_USD = 9_000_000
export const MAX_LIMIT_NANO_USD = nanoFromUsd(MAX_USD)

/** Too little to be one nano-dollar would be stored as nothing, and nothing is not a limit. */
export const usd = z
  .number()
  .gt(0)
  .max(MAX_USD)
  .refine((value) => nanoFromUsd(value) >= 1, 'must be greater than 0')

export const ruleSchema = z.strictObject({
  at_percent: z.number().gt(0).max(1_000),
  action: z.enum(['notify', 'shape', 'block']),
  rpm: z.int().min(1).max(1_000_000).optional(),
})

const POLICY_WORDS =
  'must be "standard", "soft" or "shaped", or a list of 1 to 5 rules {at_percent, action: notify|shape|block, rpm}'

const policySchema = z
  .union([z.enum(['standard', 'soft', 'shaped']), z.array(ruleSchema).min(1).max(5)], { error: POLICY_WORDS })
  .default('standard')

export const budgetInput = { limit_usd: usd, period: z.enum(budgetPeriods), policy: policySchema }

export const userBudget = z.strictObject(budgetInput).superRefine(checkRules)
export const teamBudget = z
  .strictObject({ ...budgetInput, member_limit_usd: usd.nullable().optional() })
  .superRefine(checkRules)

export type BudgetInput = z.infer<typeof teamBudget>

interface Issues {
  readonly addIssue: (issue: { code: 'custom'; path: (string | number)[]; message: string }) => void
}

export function checkRules({ policy }: Pick<BudgetInput, 'policy'>, issues: Issues): void {
  if (typeof policy === 'string') return
  for (const [index, rule] of policy.entries()) {
    const complain = (field: string, message: string) =>
      issues.addIssue({ code: 'custom', path: ['policy', index, field], message })
    const before = policy[index - 1]
    if (before !== undefined && rule.at_percent <= before.at_percent)
      complain('at_percent', 'must be greater than that of the rule before')
    if (rule.action === 'block' && index < policy.length - 1) complain('action', 'block must be the last rule')
    if (rule.action === 'shape' && rule.rpm === undefined) complain('rpm', 'is needed with shape')
    if (rule.action !== 'shape' && rule.rpm !== undefined) complain('rpm', 'goes with shape only')
  }
}

export function toBudget(
  subject: Pick<Budget, 'scope' | 'subjectId'>,
  input: BudgetInput,
): Budget & { readonly policy: string | null } {
  const { policy } = input
  const memberLimit = input.member_limit_usd ?? null
  return {
    ...subject,
    limitNanoUsd: nanoFromUsd(input.limit_usd),
    period: input.period,
    policy: typeof policy === 'string' ? policy : null,
    rules: typeof policy === 'string' ? budgetPresets[policy] : policy.map(toRule),
    memberLimitNanoUsd: memberLimit === null ? null : nanoFromUsd(memberLimit),
  }
}

function toRule({ at_percent: atPercent, action, rpm }: z.infer<typeof ruleSchema>): BudgetRule {
  return defined({ atPercent, action, rpm })
}

export const budgetSchema = z.object({
  scope: z.enum(['user', 'team']),
  subject_id: id,
  limit_usd: z.number(),
  /** On top of the limit until the period ends; percent and status go by both together. */
  top_up_usd: z.number(),
  period: z.enum(budgetPeriods),
  /** As it was sent: a preset's name or the rules. */
  policy: z.union([z.string(), z.array(ruleSchema)]),
  rules: z.array(ruleSchema),
  member_limit_usd: z.number().nullable(),
  updated_at: z.iso.datetime(),
  spend_usd: z.number(),
  percent: z.number(),
  status: z.enum(['ok', 'warning', 'shaped', 'blocked']),
  resets_at: z.iso.datetime(),
})

/** What was decided, without where it stands: also the form of the audit trail. */
export function budgetTerms(budget: BudgetRecord) {
  const rules = budget.rules.map(({ atPercent, ...rest }) => ({ at_percent: atPercent, ...rest }))
  return {
    scope: budget.scope,
    subject_id: budget.subjectId,
    limit_usd: usdFromNano(budget.limitNanoUsd),
    period: budget.period,
    policy: budget.policy ?? rules,
    rules,
    member_limit_usd: budget.memberLimitNanoUsd === null ? null : usdFromNano(budget.memberLimitNanoUsd),
    updated_at: budget.updatedAt,
  }
}

export function budgetBody(budget: BudgetRecord, standing: ToppedUpStanding) {
  return {
    ...budgetTerms(budget),
    top_up_usd: usdFromNano(standing.topUpNanoUsd),
    spend_usd: usdFromNano(standing.spendNanoUsd),
    percent: standing.percent,
    status: standing.status,
    resets_at: isoTime(standing.resetsAtMs),
  }
}
