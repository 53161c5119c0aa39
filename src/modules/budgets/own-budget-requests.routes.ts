/** Asking for more money than one's budget has. */
import { z } from 'zod'
import { type BudgetStatus, calculateThreshold, periodAt } from '../../foundation/domain/budget.ts'
import type { BudgetRequestNotice } from '../../foundation/domain/budget-event.ts'
import { type BudgetTerms, listBudgetTerms } from '../../foundation/domain/budget-terms.ts'
import type { Caller } from '../../foundation/domain/caller.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { nanoFromUsd } from '../../foundation/domain/money.ts'
import {
  budgetRequestedDedupe,
  budgetRequestedEvent,
  eventSubject,
} from '../../foundation/domain/notification-notice.ts'
import { badInput, forPersons, forReaders, unknownId } from '../../foundation/http/answers.ts'
import { id, isoTime } from '../../foundation/http/fields.ts'
import { describePage, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { apiRoute, created, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { requirePerson, write } from '../../foundation/http/write-change.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { enqueueEvent } from '../notifications/outbox.store.ts'
import { usd } from './budget.fields.ts'
import type { BudgetPorts, BudgetStanding } from './budget-ports.ts'
import {
  auditedRequest,
  budgetRequestBody,
  budgetRequestSchema,
  requestTarget,
  requireOpen,
} from './budget-request.fields.ts'
import { type BudgetRequestRecord, createBudgetRequestStore } from './budget-requests.store.ts'
import { reason } from './budget-top-ups.routes.ts'
import { decideRequest } from './decide-request.service.ts'

const path = '/me/budget/requests'
const tag = 'Budget requests'

const NOTHING_TO_ASK = 'No budget limits you, so there is nothing to ask for: your calls go on.'

const requestInput = z.strictObject({ amount_usd: usd, reason: reason.nullable().optional() })

export function ownBudgetRequestRoutes(ports: BudgetPorts): Route[] {
  return [listOwn(ports), ask(ports), withdraw(ports)]
}

function listOwn(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'self-read',
    tag,
    summary: 'What I asked for',
    description:
      'The newest first; `sort`: created_at, amount_usd. `q` looks in reasons. A key that belongs to nobody has none.',
    query: z.strictObject(listQuery),
    answers: {
      200: { text: 'Requests', schema: describePage(budgetRequestSchema) },
      ...badInput,
      ...forReaders,
      503: forPersons[503],
    },
    handle: async ({ caller, query: request }) => {
      const store = createBudgetRequestStore(ports.database().kysely)
      const user = caller?.user ?? null
      if (user === null) return ok({ data: [], has_more: false, next_cursor: null })
      return ok(mapPage(await store.list({ ...request, userId: user.id }), budgetRequestBody))
    },
  })
}

function ask(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'POST',
    path,
    access: 'person',
    tag,
    summary: 'Ask for more',
    description:
      'For the budget that stands worst: one’s own terms, or the budget of the team when that is what stops calls. Administrators are told; one request may be open at a time.',
    body: requestInput,
    answers: {
      201: { text: 'The request', schema: budgetRequestSchema },
      ...badInput,
      409: { text: 'No budget limits the caller, or a request is open already' },
      ...forPersons,
    },
    handle: async (call) => {
      const user = requirePerson(call)
      const worst = await findWorst(call.caller, ports)
      const asked = await write(ports, call, [], async ({ tx, audit }) => {
        if (worst === undefined) throw problem('conflict', { reason: NOTHING_TO_ASK })
        const { terms, standing } = worst
        const request = await createBudgetRequestStore(tx).insert({
          userId: user.id,
          teamId: terms.scope === 'team' ? terms.subjectId : null,
          amountNanoUsd: nanoFromUsd(call.body.amount_usd),
          reason: call.body.reason ?? null,
        })
        audit({ action: 'budget_request.create', target: requestTarget(request), after: auditedRequest(request) })
        // In the same transaction: what administrators are told is stored, and what is stored they are told.
        const stamp = { id: newId(), timestamp: isoTime(ports.clock.nowMs()) }
        const subject = eventSubject(user, user.teamId, ports.snapshot().teams)
        const event = budgetRequestedEvent(buildNotice(request, terms, standing, ports), subject, stamp)
        await enqueueEvent(tx, event, budgetRequestedDedupe(request.id))
        return request
      })
      return created(budgetRequestBody(asked))
    },
  })
}

function withdraw(ports: BudgetPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: `${path}/{budget_request_id}`,
    access: 'person',
    tag,
    summary: 'Withdraw a request of mine',
    params: z.object({ budget_request_id: id }),
    answers: {
      204: { text: 'Withdrawn' },
      ...badInput,
      ...unknownId,
      409: { text: 'It was decided or withdrawn before' },
      ...forPersons,
    },
    handle: async (call) => {
      const user = requirePerson(call)
      await write(ports, call, [], async (change) => {
        const found = await createBudgetRequestStore(change.tx).lock(call.params.budget_request_id)
        // The same answer for one that does not exist: what others ask for is not the caller's business.
        const before = requireOpen(found?.userId === user.id ? found : undefined)
        const decision = { status: 'withdrawn', decidedBy: user.subject, note: null, granted: null } as const
        await decideRequest(change, before, decision)
      })
      return noContent
    },
  })
}

interface Standing {
  readonly terms: BudgetTerms
  readonly standing: BudgetStanding
}

const order: Readonly<Record<BudgetStatus, number>> = { ok: 0, warning: 1, shaped: 2, blocked: 3 }

/** The person's own terms come first, so that the team's budget is meant only when it stands worse. */
async function findWorst(caller: Caller | undefined, ports: BudgetPorts): Promise<Standing | undefined> {
  const terms = caller === undefined ? [] : listBudgetTerms(caller, ports.snapshot(), ports.clock.nowMs)
  if (terms.length === 0) return undefined
  const standings = await ports.readStandings(terms.map((one) => ({ ...one, memberLimitNanoUsd: null })))
  const [first, second] = terms.flatMap((one, index): Standing[] => {
    const standing = standings[index]
    return standing === undefined ? [] : [{ terms: one, standing }]
  })
  return first !== undefined && second !== undefined && order[second.standing.status] > order[first.standing.status]
    ? second
    : first
}

function buildNotice(
  request: BudgetRequestRecord,
  { scope, limitNanoUsd, period, rules }: BudgetTerms,
  { spendNanoUsd, percent }: BudgetStanding,
  ports: BudgetPorts,
): BudgetRequestNotice {
  const reached = rules.filter((rule) => spendNanoUsd >= calculateThreshold(rule, limitNanoUsd))
  return {
    scope,
    threshold: reached.at(-1)?.atPercent ?? 0,
    spendNanoUsd,
    limitNanoUsd,
    percent,
    period,
    periodStartMs: periodAt(period, ports.clock.nowMs()).startMs,
    requestedNanoUsd: request.amountNanoUsd,
    reason: request.reason,
    link: `${ports.findKnownUrl() ?? ''}/portal#/budget-requests`,
  }
}
