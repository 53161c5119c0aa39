/** What people asked for, beside where their budgets stand, and the decision about it. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import { budgetRequestStatuses, type GrantForm, grantForms } from '../../foundation/domain/budget-request.ts'
import { budgetTermsNow } from '../../foundation/domain/budget-terms.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { type NanoUsd, nanoFromUsd, usdFromNano } from '../../foundation/domain/money.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { describePage, listQuery } from '../../foundation/http/lists.ts'
import { apiRoute, type Call, ok, type Route } from '../../foundation/http/route.ts'
import { readActor, requirePerson, write } from '../../foundation/http/write-change.ts'
import { usd } from './budget.fields.ts'
import { decideAndTell } from './budget-decisions.service.ts'
import { inForceBodies, inForceSchema, requireBudgetInForce } from './budget-in-force.service.ts'
import type { BudgetPorts } from './budget-ports.ts'
import { budgetRequestBody, budgetRequestSchema, requestSubject, requireOpen } from './budget-request.fields.ts'
import {
  type BudgetRequestFilter,
  type BudgetRequestRecord,
  createBudgetRequestStore,
} from './budget-requests.store.ts'
import { createBudgetSpend } from './budget-spend.store.ts'
import { giveTopUp, reason, requirePayable } from './budget-top-ups.routes.ts'
import { storeWithLimit } from './stored-budgets.service.ts'

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

export function budgetRequestRoutes(ports: BudgetPorts): Route[] {
  return [listRequests(ports), approve(ports), decline(ports)]
}

type Decision<Body> = Call<z.infer<typeof params>, unknown, Body>
/** A request that is `unseen` is one that does not exist: what other teams ask for is not a lead's business. */
type MayDecide = (request: BudgetRequestRecord, as: GrantForm | undefined) => 'theirs' | 'not theirs' | 'unseen'

const LEADS = 'A lead decides what others in the team ask for their own budgets.'

function listRequests(ports: BudgetPorts): Route {
  const list = async (filter: BudgetRequestFilter) => {
    const page = await createBudgetRequestStore(ports.database().kysely).list(filter)
    return ok({ ...page, data: await toBodies(ports, page.data) })
  }
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    tag,
    summary: 'List what people asked for',
    description:
      'The newest first; `sort`: created_at, amount_usd. `q` looks in names, addresses and reasons. A request stays open when its period ends.',
    query: z.strictObject({ ...listQuery, status: z.enum(budgetRequestStatuses).optional() }),
    answers: { 200: { text: 'Requests', schema: describePage(askedSchema) }, ...badInput, ...forAdmins },
    handle: ({ query }) => list(query),
    handleForLead: ({ query }, teamId) => list({ ...query, memberOf: teamId }),
  })
}

const mayDecideAll: MayDecide = () => 'theirs'

/**
 * A lead decides what members of the own team ask for themselves, until the budget resets. What is asked for the whole
 * team, what holds for good and what the lead asked for is for others to decide.
 */
function mayLeadDecide(ports: BudgetPorts, call: Pick<Decision<unknown>, 'caller'>, teamId: string): MayDecide {
  return (request, as) => {
    if (ports.snapshot().users.get(request.userId)?.teamId !== teamId) return 'unseen'
    const isForAdmins = request.teamId !== null || as === 'raise' || request.userId === requirePerson(call).id
    return isForAdmins ? 'not theirs' : 'theirs'
  }
}

const approval = z.strictObject({
  as: z.enum(grantForms),
  amount_usd: usd.optional(),
  note: reason.nullable().optional(),
})

function approve(ports: BudgetPorts): Route {
  const decide = async (call: Decision<z.infer<typeof approval>>, mayDecide: MayDecide) => {
    const { as, amount_usd: amountUsd, note } = call.body
    const after = await write(ports, call, ['budgets'], async (change) => {
      const found = await createBudgetRequestStore(change.tx).lock(call.params.budget_request_id)
      const before = requireDecidable(found, mayDecide, as)
      const amountNanoUsd = amountUsd === undefined ? before.amountNanoUsd : nanoFromUsd(amountUsd)
      const decidedBy = readActor(call).name
      if (as === 'raise') await raise(change, ports, before, amountNanoUsd)
      else
        await giveTopUp(change, ports, {
          ...requestSubject(before),
          amountNanoUsd,
          reason: before.reason,
          createdBy: decidedBy,
        })
      const granted = { amountNanoUsd, as }
      return decideAndTell(change, ports, before, { status: 'approved', decidedBy, note: note ?? null, granted })
    })
    return ok(await toBody(ports, after))
  }
  return apiRoute({
    method: 'POST',
    path: `${path}/{budget_request_id}/approve`,
    access: 'admin',
    tag,
    summary: 'Approve a request',
    description: `\`top_up\` adds the amount until the running period ends, \`raise\` for good: the limit without top-ups and the amount become the own budget of whoever it is about, with the period and the policy that hold now. Without \`amount_usd\` it is what was asked for. ${LEADS} A lead gives a top-up.`,
    params,
    body: approval,
    answers: { ...decided, 409: { text: 'It was decided or withdrawn before, or no budget is in force' } },
    handle: (call) => decide(call, mayDecideAll),
    handleForLead: (call, teamId) => decide(call, mayLeadDecide(ports, call, teamId)),
  })
}

const refusal = z.strictObject({ note: reason.nullable().optional() }).optional()

function decline(ports: BudgetPorts): Route {
  const decide = async (call: Decision<z.infer<typeof refusal>>, mayDecide: MayDecide) => {
    const after = await write(ports, call, [], async (change) => {
      const found = await createBudgetRequestStore(change.tx).lock(call.params.budget_request_id)
      return decideAndTell(change, ports, requireDecidable(found, mayDecide), {
        status: 'declined',
        decidedBy: readActor(call).name,
        note: call.body?.note ?? null,
        granted: null,
      })
    })
    return ok(await toBody(ports, after))
  }
  return apiRoute({
    method: 'POST',
    path: `${path}/{budget_request_id}/decline`,
    access: 'admin',
    tag,
    summary: 'Decline a request',
    description: LEADS,
    params,
    body: refusal,
    answers: { ...decided, 409: { text: 'It was decided or withdrawn before' } },
    handle: (call) => decide(call, mayDecideAll),
    handleForLead: (call, teamId) => decide(call, mayLeadDecide(ports, call, teamId)),
  })
}

/** Of a row that is locked. Whether it is the caller's to decide comes first: what else it is, is not for everybody. */
function requireDecidable(found: BudgetRequestRecord | undefined, mayDecide: MayDecide, as?: GrantForm) {
  const may = found === undefined ? 'unseen' : mayDecide(found, as)
  if (may === 'unseen') return requireOpen(undefined)
  if (may === 'not theirs') throw problem('admin_required')
  return requireOpen(found)
}

async function raise(
  change: Change,
  ports: BudgetPorts,
  request: BudgetRequestRecord,
  amountNanoUsd: NanoUsd,
): Promise<void> {
  const inForce = await requireBudgetInForce(change, ports, requestSubject(request))
  const { limitNanoUsd, topUpNanoUsd } = inForce.terms
  requirePayable(limitNanoUsd + amountNanoUsd)
  await storeWithLimit(change, inForce, limitNanoUsd - topUpNanoUsd + amountNanoUsd)
}

type Asked = z.infer<typeof askedSchema>

async function toBody(ports: BudgetPorts, request: BudgetRequestRecord): Promise<Asked> {
  const [body] = await toBodies(ports, [request])
  if (body === undefined) throw new Error('a request was asked for and not described')
  return body
}

async function toBodies(ports: BudgetPorts, requests: readonly BudgetRequestRecord[]): Promise<readonly Asked[]> {
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
