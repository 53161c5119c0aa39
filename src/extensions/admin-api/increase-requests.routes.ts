/** What people ask for their own budgets, as requests for a higher spend limit of the vendor's Admin API. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import type { BudgetRequestStatus } from '../../foundation/domain/budget-request.ts'
import { budgetTermsNow } from '../../foundation/domain/budget-terms.ts'
import { invalidParameter, problem } from '../../foundation/domain/errors.ts'
import type { User } from '../../foundation/domain/user.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, type Call, ok, type Route } from '../../foundation/http/route.ts'
import { readActor, write } from '../../foundation/http/write-change.ts'
import type { BudgetPorts } from '../../modules/budgets/budget-ports.ts'
import { requestSubject } from '../../modules/budgets/budget-request.fields.ts'
import { type BudgetRequestRecord, createBudgetRequestStore } from '../../modules/budgets/budget-requests.store.ts'
import { budgetChanges } from '../../modules/budgets/module.ts'
import { amount } from './cents.ts'
import { actorSchema, listSummaries, summarySchema, userActor } from './effective-limits.ts'
import { period, requireSamePeriod, spendLimitSchema, toSpendLimit } from './spend-limit.fields.ts'
import { asked, describeSeveral, describeVendorPage, vendorListQuery, vendorPage } from './vendor-lists.fields.ts'

const tag = 'Spend limits'
const path = '/v1/organizations/spend_limit_increase_requests'
const params = z.object({ spend_limit_increase_request_id: id })

const statuses = ['pending', 'approved', 'denied'] as const
type Status = (typeof statuses)[number]

const stored: Readonly<Record<Status, BudgetRequestStatus>> = {
  pending: 'open',
  approved: 'approved',
  denied: 'declined',
}

const requestSchema = z.object({
  type: z.literal('spend_limit_increase_request'),
  id,
  actor: actorSchema,
  status: z.enum(statuses),
  period,
  created_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
  resolved_by: actorSchema.nullable(),
  /** While it is pending, and something limits whoever asked. */
  spend_summary: summarySchema.nullable(),
})

type IncreaseRequest = z.infer<typeof requestSchema>

const answered = { 200: { text: 'The request', schema: requestSchema }, ...badInput, ...unknownId, ...forAdmins }

export function increaseRequestRoutes(ports: BudgetPorts): Route[] {
  return [list(ports), read(ports), approve(ports), deny(ports)]
}

function list(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    grants: ['billing:read'],
    tag,
    summary: 'List what people asked for, the newest first',
    description:
      'What is asked for the budget of a whole team, and what was withdrawn, is in `/admin/budget-requests` only.',
    query: z.strictObject({
      ...vendorListQuery,
      ...describeSeveral('status', z.enum(statuses)),
      ...describeSeveral('actor_ids', id),
    }),
    answers: { 200: { text: 'Requests', schema: describeVendorPage(requestSchema) }, ...badInput, ...forAdmins },
    handle: async ({ query }) => {
      const wanted = asked<Status>(query.status, query['status[]']) ?? statuses
      const page = await createBudgetRequestStore(ports.database().kysely).list({
        limit: query.limit,
        cursor: query.page,
        statuses: wanted.map((status) => stored[status]),
        userIds: asked(query.actor_ids, query['actor_ids[]']),
        isOwn: true,
      })
      return ok(vendorPage({ ...page, data: await toBodies(ports, page.data) }))
    },
  })
}

function read(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'GET',
    path: `${path}/{spend_limit_increase_request_id}`,
    access: 'admin',
    grants: ['billing:read'],
    tag,
    summary: 'Read what somebody asked for',
    params,
    answers: answered,
    handle: async (call) => {
      const found = await createBudgetRequestStore(ports.database().kysely).find(
        call.params.spend_limit_increase_request_id,
      )
      return ok(await toBody(ports, requireShown(found)))
    },
  })
}

type Decision<Body> = Call<z.infer<typeof params>, unknown, Body>

const approval = z.strictObject({
  amount,
  period: period.nullable().optional(),
  suppress_notification: z.boolean().optional(),
})

function approve(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/{spend_limit_increase_request_id}/approve`,
    access: 'admin',
    tag,
    summary: 'Approve a request',
    description:
      'The amount becomes the own limit of whoever asked, for good, and has to be above the one in force. To add money until the budget resets, use `/admin/budget-requests`.',
    params,
    body: approval,
    answers: {
      ...answered,
      200: { text: 'The request and the limit', schema: requestSchema.extend({ spend_limit: spendLimitSchema }) },
      409: { text: 'No budget is in force any more' },
    },
    handle: async (call) => {
      const { amount: limitNanoUsd, period: wanted } = call.body
      const done = await write(ports, call, ['budgets'], async (change) => {
        const before = await lockPending(change, call)
        const inForce = await budgetChanges.requireBudgetInForce(change, ports, requestSubject(before))
        const more = limitNanoUsd - (inForce.terms.limitNanoUsd - inForce.terms.topUpNanoUsd)
        if (more <= 0)
          throw invalidParameter('amount', 'must be above the limit in force. To refuse more, deny the request.')
        requireSamePeriod(inForce, wanted)
        const limit = await budgetChanges.storeWithLimit(change, inForce, limitNanoUsd)
        const granted = { amountNanoUsd: more, as: 'raise' } as const
        const after = await decide(change, ports, call, before, { status: 'approved', granted })
        return { limit, after }
      })
      return ok({ ...(await toBody(ports, done.after)), spend_limit: toSpendLimit(done.limit) })
    },
  })
}

const denial = z.strictObject({ suppress_notification: z.boolean().optional() }).optional()

function deny(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'POST',
    path: `${path}/{spend_limit_increase_request_id}/deny`,
    access: 'admin',
    tag,
    summary: 'Deny a request',
    description: 'What was denied before stays denied.',
    params,
    body: denial,
    answers: answered,
    handle: async (call) => {
      const after = await write(ports, call, [], async (change) => {
        const found = await lockShown(change, call)
        if (found.status === 'declined') return found
        return decide(change, ports, call, requirePending(found), { status: 'declined', granted: null })
      })
      return ok(await toBody(ports, after))
    },
  })
}

async function lockShown(change: Change, call: Decision<unknown>): Promise<BudgetRequestRecord> {
  return requireShown(await createBudgetRequestStore(change.tx).lock(call.params.spend_limit_increase_request_id))
}

async function lockPending(change: Change, call: Decision<unknown>): Promise<BudgetRequestRecord> {
  return requirePending(await lockShown(change, call))
}

function decide(
  change: Change,
  ports: BudgetPorts,
  call: Decision<{ readonly suppress_notification?: boolean | undefined } | undefined>,
  before: BudgetRequestRecord,
  made: Pick<Parameters<typeof budgetChanges.decideAndTell>[3], 'status' | 'granted'>,
): Promise<BudgetRequestRecord> {
  const decision = { ...made, decidedBy: readActor(call).name, note: null }
  return call.body?.suppress_notification === true
    ? budgetChanges.decideRequest(change, before, decision)
    : budgetChanges.decideAndTell(change, ports, before, decision)
}

function requireShown(request: BudgetRequestRecord | undefined): BudgetRequestRecord {
  if (request === undefined || request.teamId !== null || request.status === 'withdrawn')
    throw problem('not_found', { what: 'spend limit increase request' })
  return request
}

function requirePending(request: BudgetRequestRecord): BudgetRequestRecord {
  if (request.status === 'open') return request
  throw invalidParameter(
    'spend_limit_increase_request_id',
    `This request was ${toStatus(request)} by ${request.decidedBy} at ${request.decidedAt}. Nothing was changed.`,
  )
}

function toStatus({ status }: BudgetRequestRecord): Status {
  return statuses.find((one) => stored[one] === status) ?? 'pending'
}

async function toBody(ports: BudgetPorts, request: BudgetRequestRecord): Promise<IncreaseRequest> {
  const [body] = await toBodies(ports, [request])
  if (body === undefined) throw new Error('a request was asked for and not described')
  return body
}

async function toBodies(
  ports: BudgetPorts,
  requests: readonly BudgetRequestRecord[],
): Promise<readonly IncreaseRequest[]> {
  const { users } = ports.snapshot()
  const pending = new Set(requests.filter(({ status }) => status === 'open').map(({ userId }) => userId))
  const people = [...pending].flatMap((userId) => users.get(userId) ?? [])
  const summaries = new Map((await listSummaries(ports, people)).map((row) => [row.actor.user_id, row]))
  const deciders = findNamed(users, new Set(requests.flatMap(({ decidedBy }) => decidedBy ?? [])))
  return requests.map((request) => {
    const terms = budgetTermsNow(requestSubject(request), ports.snapshot(), ports.clock.nowMs)
    const user = users.get(request.userId)
    return {
      type: 'spend_limit_increase_request',
      id: request.id,
      actor: user === undefined ? goneActor(request.userId) : userActor(user),
      status: toStatus(request),
      period: terms?.period ?? 'monthly',
      created_at: request.createdAt,
      resolved_at: request.decidedAt,
      resolved_by:
        request.decidedBy === null ? null : (deciders.get(request.decidedBy) ?? goneActor(request.decidedBy)),
      spend_summary: request.status === 'open' ? (summaries.get(request.userId) ?? null) : null,
    }
  })
}

type Actor = z.infer<typeof actorSchema>

/** Of decisions only the name is kept. */
function findNamed(users: ReadonlyMap<string, User>, names: ReadonlySet<string>): ReadonlyMap<string, Actor> {
  const found = new Map<string, Actor>()
  if (names.size > 0)
    for (const user of users.values()) if (names.has(user.subject)) found.set(user.subject, userActor(user))
  return found
}

function goneActor(userId: string): Actor {
  return { type: 'user_actor', user_id: userId, email_address: null, name: null, deleted: true }
}
