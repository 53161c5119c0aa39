/** The budgets that the caller's own calls are charged to, and where they stand. */
import { z } from 'zod'
import { budgetPeriods, periodAt } from '../../domain/budget.ts'
import { type BudgetTerms, budgetTermsOf } from '../../domain/budget-terms.ts'
import { problem } from '../../domain/errors.ts'
import { usdFromNano } from '../../domain/money.ts'
import { apiRoute, ok, type Route } from '../../http/route.ts'
import { forReaders } from '../answers.ts'
import { ruleSchema } from '../budget-fields.ts'
import type { BudgetStanding, ControlPorts } from '../control-ports.ts'
import { isoTime } from '../fields.ts'

const ownBudgetSchema = z.object({
  scope: z.enum(['user', 'team']),
  /** The person's or the team's. */
  name: z.string(),
  /** Where the limit comes from. */
  source: z.enum(['own', 'team-member', 'default', 'team']),
  limit_usd: z.number(),
  period: z.enum(budgetPeriods),
  rules: z.array(ruleSchema),
  spend_usd: z.number(),
  remaining_usd: z.number(),
  percent: z.number(),
  status: z.enum(['ok', 'warning', 'shaped', 'blocked']),
  started_at: z.iso.datetime(),
  resets_at: z.iso.datetime(),
})

export function ownBudgetRoutes(ports: ControlPorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/me/budget',
      access: 'self-read',
      tag: 'Me',
      summary: 'The budgets my calls are charged to',
      description: 'The person first, then the team that pays; empty when neither is limited.',
      answers: {
        200: { text: 'The budgets', schema: z.object({ budgets: z.array(ownBudgetSchema) }) },
        ...forReaders,
      },
      handle: async ({ caller }) => {
        if (caller === undefined) throw problem('missing_credential')
        const terms = budgetTermsOf(caller, ports.snapshot())
        if (terms.length === 0) return ok({ budgets: [] })
        const standings = await ports.standingsOf(terms.map((one) => ({ ...one, memberLimitNanoUsd: null })))
        const budgets = terms.flatMap((one, index) => {
          const standing = standings[index]
          return standing === undefined ? [] : [describe(one, standing, nameOf(one, ports), ports.clock.nowMs())]
        })
        return ok({ budgets })
      },
    }),
  ]
}

function nameOf({ scope, subjectId }: BudgetTerms, ports: ControlPorts): string {
  const { users, teams } = ports.snapshot()
  const name = scope === 'user' ? users.get(subjectId)?.subject : teams.get(subjectId)?.name
  return name ?? subjectId
}

function describe(terms: BudgetTerms, standing: BudgetStanding, name: string, nowMs: number) {
  return {
    scope: terms.scope,
    name,
    source: terms.source,
    limit_usd: usdFromNano(terms.limitNanoUsd),
    period: terms.period,
    rules: terms.rules.map(({ atPercent, ...rest }) => ({ at_percent: atPercent, ...rest })),
    spend_usd: usdFromNano(standing.spendNanoUsd),
    remaining_usd: usdFromNano(Math.max(0, terms.limitNanoUsd - standing.spendNanoUsd)),
    percent: standing.percent,
    status: standing.status,
    started_at: isoTime(periodAt(terms.period, nowMs).startMs),
    resets_at: isoTime(standing.resetsAtMs),
  }
}
