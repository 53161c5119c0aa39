/** Requests for more money as the wire writes them, and the rules that hold for everybody who decides one. */
import { z } from 'zod'
import { budgetRequestStatuses, grantForms } from '../../foundation/domain/budget-request.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { id } from '../../foundation/http/fields.ts'
import type { BudgetRequestRecord } from './budget-requests.store.ts'
import type { BudgetSubject } from './budgets.store.ts'

export const budgetRequestSchema = z.object({
  id,
  /** Whose budget: the person's own terms, or the team's budget. */
  scope: z.enum(['user', 'team']),
  amount_usd: z.number(),
  reason: z.string().nullable(),
  status: z.enum(budgetRequestStatuses),
  created_at: z.iso.datetime(),
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable(),
  /** What the administrator said to it. */
  note: z.string().nullable(),
  granted_usd: z.number().nullable(),
  granted_as: z.enum(grantForms).nullable(),
})

export function budgetRequestBody(request: BudgetRequestRecord): z.infer<typeof budgetRequestSchema> {
  const { granted } = request
  return {
    id: request.id,
    scope: request.teamId === null ? 'user' : 'team',
    amount_usd: usdFromNano(request.amountNanoUsd),
    reason: request.reason,
    status: request.status,
    created_at: request.createdAt,
    decided_at: request.decidedAt,
    decided_by: request.decidedBy,
    note: request.note,
    granted_usd: granted === null ? null : usdFromNano(granted.amountNanoUsd),
    granted_as: granted?.as ?? null,
  }
}

/** The form of the audit trail, which names people and teams by their ids. */
export function auditedRequest(request: BudgetRequestRecord) {
  return { ...budgetRequestBody(request), user_id: request.userId, team_id: request.teamId }
}

export function requestTarget(request: Pick<BudgetRequestRecord, 'id'>): string {
  return `budget_request:${request.id}`
}

/** Whose budget it is about. */
export function requestSubject({ teamId, userId }: BudgetRequestRecord): BudgetSubject {
  return teamId === null ? { scope: 'user', subjectId: userId } : { scope: 'team', subjectId: teamId }
}

/** Of a row that is locked: nobody else can decide it in between. */
export function requireOpen(request: BudgetRequestRecord | undefined): BudgetRequestRecord {
  if (request === undefined) throw problem('not_found', { what: 'budget request' })
  if (request.status === 'open') return request
  const by = request.decidedBy === null ? '' : ` by ${request.decidedBy}`
  throw problem('conflict', {
    reason: `This request was ${request.status}${by} at ${request.decidedAt}. Nothing was changed; reload to see how it stands.`,
  })
}
