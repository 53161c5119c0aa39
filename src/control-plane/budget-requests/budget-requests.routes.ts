/** What people asked for, beside where their budgets stand, and the decision about it. */
import { z } from 'zod'
import { budgetRequestStatuses, grantForms } from '../../domain/budget-request.ts'
import { budgetTermsNow } from '../../domain/budget-terms.ts'
import { type NanoUsd, nanoFromUsd, usdFromNano } from '../../domain/money.ts'
import { apiRoute, ok, type Route } from '../../http/route.ts'
import { type BudgetRequestRecord, createBudgetRequestStore } from '../../stores/budget-requests.ts'
import { createBudgetSpend } from '../../stores/budget-spend.ts'
import { createBudgetStore } from '../../stores/budgets.ts'
import type { Change } from '../../stores/change.ts'
import { badInput, forAdmins, unknownId } from '../answers.ts'
import { budgetTerms, usd } from '../budget-fields.ts'
import { inForceBodies, inForceSchema, requireBudgetInForce } from '../budget-in-force.ts'
import {
  auditedRequest,
  budgetRequestBody,
  budgetRequestSchema,
  requestSubject,
  requestTarget,
  requireOpen,
} from '../budget-request-fields.ts'
import { giveTopUp, reason, requirePayable } from '../budget-top-ups.ts'
import { actorOf, type ControlPorts, write } from '../control-ports.ts'
import { id } from '../fields.ts'
import { listQuery, pageOf } from '../lists.ts'

const tag = 'Budget requests'
const path = '/admin/budget-requests'
const params = z.object({ budget_request_id: id })
const SHOWN_DAYS = 30
const DAY_MS = 86_400_000

const askedSchema = budgetRequestSchema.extend({
  user_id: id,
  user_name: z.string(),
  /** Whose budget it is about, else the team of the person. */
  team_id: id.nullable(),
  team_name: z.string().nullable(),
  /** As it stands now; null when nothing limits them any more. */
  budget: inForceSchema.nullable(),
  /** Of whoever has that budget, in the last 30 days in UTC; days without spend are left out. */
  spend_by_day: z.array(z.object({ day: z.iso.date(), spend_usd: z.number() })),
})

const decided = {
  200: { text: 'The request as it was decided', schema: askedSchema },
  ...badInput,
  ...unknownId,
  ...forAdmins,
} as const

export function budgetRequestRoutes(ports: ControlPorts): Route[] {
  return [listRequests(ports), approve(ports), decline(ports)]
}

function listRequests(ports: ControlPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    tag,
    summary: 'List what people asked for',
    description:
      'The newest first; `sort`: created_at, amount_usd. `q` looks in names, addresses and reasons. A request stays open when its period ends.',
    query: z.strictObject({ ...listQuery, status: z.enum(budgetRequestStatuses).optional() }),
    answers: { 200: { text: 'Requests', schema: pageOf(askedSchema) }, ...badInput, ...forAdmins },
    handle: async ({ query }) => {
      const page = await createBudgetRequestStore(ports.database().kysely).list(query)
      return ok({ ...page, data: await bodiesOf(ports, page.data) })
    },
  })
}

function approve(ports: ControlPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/{budget_request_id}/approve`,
    access: 'admin',
    tag,
    summary: 'Approve a request',
    description:
      '`top_up` adds the amount until the running period ends, `raise` for good: the limit without top-ups and the amount become the own budget of whoever it is about, with the period and the policy that hold now. Without `amount_usd` it is what was asked for.',
    params,
    body: z.strictObject({
      as: z.enum(grantForms),
      amount_usd: usd.optional(),
      note: reason.nullable().optional(),
    }),
    answers: { ...decided, 409: { text: 'It was decided or withdrawn before, or no budget is in force' } },
    handle: async (call) => {
      const { as, amount_usd: amountUsd, note } = call.body
      const after = await write(ports, call, ['budgets'], async (change) => {
        const store = createBudgetRequestStore(change.tx)
        const before = requireOpen(await store.lock(call.params.budget_request_id))
        const amountNanoUsd = amountUsd === undefined ? before.amountNanoUsd : nanoFromUsd(amountUsd)
        const decidedBy = actorOf(call).name
        if (as === 'raise') await raise(change, ports, before, amountNanoUsd)
        else
          await giveTopUp(change, ports, {
            ...requestSubject(before),
            amountNanoUsd,
            reason: before.reason,
            createdBy: decidedBy,
          })
        const granted = { amountNanoUsd, as }
        const made = await store.decide(before.id, { status: 'approved', decidedBy, note: note ?? null, granted })
        change.audit({
          action: 'budget_request.approve',
          target: requestTarget(made),
          before: auditedRequest(before),
          after: auditedRequest(made),
        })
        return made
      })
      return ok(await bodyOf(ports, after))
    },
  })
}

function decline(ports: ControlPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/{budget_request_id}/decline`,
    access: 'admin',
    tag,
    summary: 'Decline a request',
    params,
    body: z.strictObject({ note: reason.nullable().optional() }).optional(),
    answers: { ...decided, 409: { text: 'It was decided or withdrawn before' } },
    handle: async (call) => {
      const after = await write(ports, call, [], async ({ tx, audit }) => {
        const store = createBudgetRequestStore(tx)
        const before = requireOpen(await store.lock(call.params.budget_request_id))
        const made = await store.decide(before.id, {
          status: 'declined',
          decidedBy: actorOf(call).name,
          note: call.body?.note ?? null,
          granted: null,
        })
        audit({
          action: 'budget_request.decline',
          target: requestTarget(made),
          before: auditedRequest(before),
          after: auditedRequest(made),
        })
        return made
      })
      return ok(await bodyOf(ports, after))
    },
  })
}

/** What holds now, with a higher limit, becomes the own budget: also where it was a limit that many share. */
async function raise(
  change: Change,
  ports: ControlPorts,
  request: BudgetRequestRecord,
  amountNanoUsd: NanoUsd,
): Promise<void> {
  const subject = requestSubject(request)
  const { terms, policy, stored } = await requireBudgetInForce(change, ports, subject)
  requirePayable(terms.limitNanoUsd + amountNanoUsd)
  const before = terms.source === 'own' || terms.source === 'team' ? stored : undefined
  const after = await createBudgetStore(change.tx).put({
    ...subject,
    limitNanoUsd: terms.limitNanoUsd - terms.topUpNanoUsd + amountNanoUsd,
    period: terms.period,
    rules: terms.rules,
    memberLimitNanoUsd: before?.memberLimitNanoUsd ?? null,
    policy,
  })
  change.audit({
    action: 'budget.set',
    target: `${subject.scope}:${subject.subjectId}`,
    ...(before === undefined ? {} : { before: budgetTerms(before) }),
    after: budgetTerms(after),
  })
}

type Asked = z.infer<typeof askedSchema>

async function bodyOf(ports: ControlPorts, request: BudgetRequestRecord): Promise<Asked> {
  const [body] = await bodiesOf(ports, [request])
  if (body === undefined) throw new Error('a request was asked for and not described')
  return body
}

async function bodiesOf(ports: ControlPorts, requests: readonly BudgetRequestRecord[]): Promise<readonly Asked[]> {
  const { users, teams } = ports.snapshot()
  const subjects = requests.map(requestSubject)
  const terms = subjects.map((subject) => budgetTermsNow(subject, ports.snapshot(), ports.clock.nowMs))
  const limited = terms.filter((one) => one !== undefined)
  const standings = new Map((await inForceBodies(ports, limited)).map((body, index) => [limited[index], body]))
  const since = ports.clock.nowMs() - (SHOWN_DAYS - 1) * DAY_MS
  const days = await createBudgetSpend(ports.database().kysely).spendByDay(subjects, since)
  return requests.map((request, index) => {
    const teamId = request.teamId ?? users.get(request.userId)?.teamId ?? null
    return {
      ...budgetRequestBody(request),
      user_id: request.userId,
      user_name: users.get(request.userId)?.subject ?? request.userId,
      team_id: teamId,
      team_name: teamId === null ? null : (teams.get(teamId)?.name ?? teamId),
      budget: standings.get(terms[index]) ?? null,
      spend_by_day: (days.get(subjects[index]?.subjectId ?? '') ?? []).map(({ day, spentNanoUsd }) => ({
        day,
        spend_usd: usdFromNano(spentNanoUsd),
      })),
    }
  })
}
