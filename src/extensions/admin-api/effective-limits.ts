/** What limits each person now, wherever it comes from, and what they have spent of it: as the vendor reports it. */
import { z } from 'zod'
import { type BudgetTerms, budgetTermsNow } from '../../foundation/domain/budget-terms.ts'
import type { User } from '../../foundation/domain/user.ts'
import type { BudgetPorts, BudgetStanding } from '../../modules/budgets/budget-ports.ts'
import { roundedCents, wholeCents } from './cents.ts'
import { limitId, period, scopeBody, scopeSchema, sourceScope } from './spend-limit.fields.ts'

export const actorSchema = z.object({
  type: z.literal('user_actor'),
  user_id: z.string(),
  email_address: z.string().nullable(),
  name: z.string().nullable(),
  deleted: z.boolean(),
})

export const summarySchema = z.object({
  actor: actorSchema,
  /** Whole cents, with what was added until the period ends. */
  amount: z.string(),
  currency: z.literal('USD'),
  period,
  /** Cents, with up to three decimals. */
  period_to_date_spend: z.string(),
  scope: scopeSchema,
  /** Whose limit it is. */
  source: scopeSchema,
  spend_limit_id: z.string(),
})

export type Summary = z.infer<typeof summarySchema>

export function userActor(user: Pick<User, 'id' | 'email' | 'subject'>): z.infer<typeof actorSchema> {
  return { type: 'user_actor', user_id: user.id, email_address: user.email, name: user.subject, deleted: false }
}

/** In the order of the people; whoever has no limit is left out. */
export async function listSummaries(ports: BudgetPorts, people: readonly User[]): Promise<readonly Summary[]> {
  const limited = people.flatMap((user) => {
    const terms = budgetTermsNow({ scope: 'user', subjectId: user.id }, ports.snapshot(), ports.clock.nowMs)
    return terms === undefined ? [] : [{ user, terms }]
  })
  const standings = await ports.readStandings(limited.map(({ terms }) => ({ ...terms, memberLimitNanoUsd: null })))
  return limited.flatMap(({ user, terms }, index) => {
    const standing = standings[index]
    return standing === undefined ? [] : [toSummary(user, terms, standing)]
  })
}

function toSummary(user: User, terms: BudgetTerms, standing: BudgetStanding): Summary {
  const source = sourceScope(terms.source, user)
  return {
    actor: userActor(user),
    amount: wholeCents(terms.limitNanoUsd),
    currency: 'USD',
    period: terms.period,
    period_to_date_spend: roundedCents(standing.spendNanoUsd),
    scope: scopeBody({ type: 'user', of: user.id }),
    source: scopeBody(source),
    spend_limit_id: limitId(source),
  }
}
