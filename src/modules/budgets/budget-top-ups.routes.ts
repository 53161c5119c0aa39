/** Money on top of the budget of a team or a user, until its period ends: read and give. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import { periodAt } from '../../foundation/domain/budget.ts'
import { invalidField } from '../../foundation/domain/errors.ts'
import { type NanoUsd, nanoFromUsd, usdFromNano } from '../../foundation/domain/money.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, isoTime, text } from '../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { apiRoute, created, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, readActor, write } from '../../foundation/http/write-change.ts'
import { MAX_LIMIT_NANO_USD, usd } from './budget.fields.ts'
import { requireBudgetInForce, requireSubject } from './budget-in-force.service.ts'
import type { BudgetOwner } from './budget-of-subject.routes.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { createTopUpStore, type NewTopUp, type TopUpRecord } from './budget-top-ups.store.ts'
import type { BudgetSubject } from './budgets.store.ts'

/** As much as fits into a line or two of a message. */
export const reason = text(500)

export const topUpSchema = z.object({
  id,
  scope: z.enum(['user', 'team']),
  subject_id: id,
  amount_usd: z.number(),
  reason: z.string().nullable(),
  ends_at: z.iso.datetime(),
  /** Whether it counts now. */
  active: z.boolean(),
  created_by: z.string(),
  created_at: z.iso.datetime(),
})

const topUpInput = z.strictObject({ amount_usd: usd, reason: reason.nullable().optional() })

export function topUpBody(topUp: TopUpRecord, nowMs: number): z.infer<typeof topUpSchema> {
  return { ...auditedTopUp(topUp), active: nowMs < topUp.endsAtMs }
}

export function auditedTopUp(topUp: TopUpRecord) {
  return {
    id: topUp.id,
    scope: topUp.scope,
    subject_id: topUp.subjectId,
    amount_usd: usdFromNano(topUp.amountNanoUsd),
    reason: topUp.reason,
    ends_at: isoTime(topUp.endsAtMs),
    created_by: topUp.createdBy,
    created_at: topUp.createdAt,
  }
}

export function topUpRoutes(ports: BudgetPorts, owner: Pick<BudgetOwner, 'scope' | 'path' | 'param'>): Route[] {
  const described = { path: `${owner.path}/budget/top-ups`, access: 'admin', tag: 'Budgets' } as const
  const params = z.object({ [owner.param]: id })
  const findSubject = (values: Readonly<Record<string, string>>): BudgetSubject => ({
    scope: owner.scope,
    subjectId: values[owner.param] ?? '',
  })

  return [
    apiRoute({
      ...described,
      method: 'GET',
      summary: `List what was added to the budget of a ${owner.scope}`,
      description: 'Also what has ended. `sort`: created_at (newest first by default), ends_at, amount_usd.',
      params,
      query: z.strictObject({ limit: listQuery.limit, cursor: listQuery.cursor, sort: listQuery.sort }),
      answers: { 200: { text: 'Top-ups', schema: describePage(topUpSchema) }, ...badInput, ...unknownId, ...forAdmins },
      handle: async (call) => {
        const db = ports.database().kysely
        const subject = findSubject(call.params)
        await requireSubject(db, subject)
        const page = await createTopUpStore(db).list(subject, call.query)
        const nowMs = ports.clock.nowMs()
        return ok(mapPage(page, (topUp) => topUpBody(topUp, nowMs)))
      },
    }),
    apiRoute({
      ...described,
      method: 'POST',
      summary: `Add to the budget of a ${owner.scope} until its period ends`,
      description:
        'The limit is higher by the amount for the rest of the running period, on whichever terms hold then; rules, percentages and headers go by the sum. Nobody has to take it back.',
      params,
      body: topUpInput,
      answers: {
        201: { text: 'The top-up', schema: topUpSchema },
        ...badInput,
        404: { text: `There is no ${owner.scope} with this id` },
        409: { text: `No budget limits this ${owner.scope}` },
        ...forAdmins,
      },
      handle: async (call) => {
        const { amount_usd: amountUsd, reason: why } = call.body
        const topUp = await write(ports, call, ['budgets'], (change) =>
          giveTopUp(change, ports, {
            ...findSubject(call.params),
            amountNanoUsd: nanoFromUsd(amountUsd),
            reason: why ?? null,
            createdBy: readActor(call).name,
          }),
        )
        return created(topUpBody(topUp, ports.clock.nowMs()))
      },
    }),
  ]
}

/** Until the end of the period that runs now. */
export async function giveTopUp(
  change: Change,
  ports: Pick<RoutePorts, 'snapshot' | 'clock'>,
  topUp: Omit<NewTopUp, 'endsAtMs'>,
): Promise<TopUpRecord> {
  const { terms } = await requireBudgetInForce(change, ports, topUp)
  requirePayable(terms.limitNanoUsd + topUp.amountNanoUsd)
  const endsAtMs = periodAt(terms.period, ports.clock.nowMs()).endMs
  const given = await createTopUpStore(change.tx).insert({ ...topUp, endsAtMs })
  change.audit({ action: 'budget.top-up', target: `${given.scope}:${given.subjectId}`, after: auditedTopUp(given) })
  return given
}

export function requirePayable(limitNanoUsd: NanoUsd): void {
  if (limitNanoUsd > MAX_LIMIT_NANO_USD)
    throw invalidField('amount_usd', 'The limit with everything on top of it would be above 9,000,000 USD.')
}
