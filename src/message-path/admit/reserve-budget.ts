/** May this call be paid for? Reserves what it will probably cost, or refuses with who, how much and until when. */
import { findSubject } from '../../foundation/domain/caller.ts'
import { type Problem, problem } from '../../foundation/domain/errors.ts'
import type { ReachedLimit } from '../../foundation/domain/failure-reason.ts'
import { findPrice } from '../../foundation/domain/find-price.ts'
import { modelIdForText, withoutAccount } from '../../foundation/domain/model-id.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { budgetHeaders } from '../budget-headers.ts'
import type { Candidate, Reservation, Reserved, Routed } from '../call.ts'
import type { BudgetGate, BudgetHold, BudgetRequest, BudgetReservation, BudgetView, RateWindows } from '../ports.ts'

export interface ReservePorts {
  readonly budgets: BudgetGate
  readonly rateWindows: RateWindows
  readonly clock: Pick<Clock, 'nowMs'>
  readonly snapshot: { readonly current: () => Pick<Snapshot, 'teams' | 'settings' | 'prices'> }
  /** Under which origin people reach the portal; undefined while nobody has said so. */
  readonly findPortalUrl: () => string | undefined
}

export interface CallWeight {
  readonly requestBytes: number
  readonly maxTokens: number | null
}

/** Running calls end at any moment; the client's own next try is soon enough. */
const BUSY_RETRY_SECONDS = 5

/** Undefined when its client left while it waited: nothing is asked for an answer that nobody reads. */
export async function reserveBudget(
  routed: Routed,
  weight: CallWeight,
  ports: ReservePorts,
  hasLeft: () => boolean,
): Promise<Reservation | undefined> {
  const call = { ...routed, candidates: requirePrice(routed, ports.snapshot.current()) }
  const reserving = ports.budgets.reserve(budgetRequest(call, weight))
  const reservation = await reserving
  if (reservation.kind !== 'held') throw toRefusal(call, reservation, ports)
  // Only a reservation that took time can have outlasted its client.
  if (reserving instanceof Promise && hasLeft()) {
    reservation.hold?.release()
    return undefined
  }
  await takePace(call, reservation, ports)
  return { candidates: call.candidates, hold: reservation.hold, budget: reservation.view }
}

/**
 * For a further hosted call of the same request: paid for like the first, and no new request for whoever is paced.
 * Undefined when its client left while it waited: the rounds before have their records.
 */
export async function reserveRound(
  call: Reserved,
  weight: CallWeight,
  ports: ReservePorts,
  hasLeft: () => boolean,
): Promise<BudgetHold | null | undefined> {
  const reservation = await ports.budgets.reserve(budgetRequest(call, weight))
  if (reservation.kind !== 'held') throw toRefusal(call, reservation, ports)
  // The client is told how its budget stood before its request, whose first rounds are spent by now.
  if (!hasLeft()) return reservation.hold
  reservation.hold?.release()
  return undefined
}

function budgetRequest(call: Routed, weight: CallWeight): BudgetRequest {
  const { hostedModelId } = call.model
  const [first] = call.candidates
  const modelId = first?.modelId ?? hostedModelId
  return { ...weight, caller: call.caller, hostedModelId, modelId, region: first?.endpoint.region ?? null }
}

/** A budget may slow its callers down before it stops them. */
async function takePace(
  call: Routed,
  { hold, view }: Extract<BudgetReservation, { kind: 'held' }>,
  ports: ReservePorts,
): Promise<void> {
  if (view === null || view.rpm === null) return
  // Per person, whatever the credential; a key without a user is a person of its own.
  const decision = await ports.rateWindows.take(`shape:${findSubject(call.caller)}`, view.rpm)
  if (decision.kind === 'taken') return
  hold?.release()
  const seconds = decision.retryAfterSeconds
  throw problem(
    'budget_shaped',
    { limit: view.rpm, seconds, percent: Math.floor(view.percent) },
    {
      headers: { 'retry-after': String(seconds), ...budgetHeaders(view) },
      limit: reachedLimit(call, view, ports),
    },
  )
}

function toRefusal(call: Routed, reservation: Exclude<BudgetReservation, { kind: 'held' }>, ports: ReservePorts) {
  if (reservation.kind === 'unknown') return problem('database_unavailable', {}, { headers: { 'retry-after': '1' } })
  const { view } = reservation
  if (reservation.kind === 'busy') {
    const reason = `What is left of ${budgetName(call, view, ports)} is reserved by calls that are still running (${amounts(view)}). Try again in a moment.`
    const headers = { 'retry-after': String(BUSY_RETRY_SECONDS), ...budgetHeaders(view) }
    return problem('budget_exceeded', { reason }, { headers, limit: reachedLimit(call, view, ports) })
  }
  return blocked(call, view, ports)
}

function blocked(call: Routed, view: BudgetView, ports: ReservePorts): Problem {
  const resets = new Date(view.resetsAtMs).toISOString()
  const owner = view.terms.scope === 'team' ? 'Your team' : 'You'
  const reason = `${sentence(budgetName(call, view, ports))} ${stop(view)}: ${amounts(view)}. It starts again at ${resets}. ${owner} can continue then; to go on before, ask an administrator of this gateway for a higher limit.${whereToAsk(call, ports)}`
  const seconds = Math.max(1, Math.ceil((view.resetsAtMs - ports.clock.nowMs()) / 1_000))
  const headers = { 'retry-after': String(seconds), 'x-should-retry': 'false', ...budgetHeaders(view, 'blocked') }
  return problem('budget_exceeded', { reason }, { headers, limit: reachedLimit(call, view, ports) })
}

/** Only people can ask there: a key that belongs to nobody has no page. */
function whereToAsk({ caller }: Routed, ports: ReservePorts): string {
  const url = caller.user === null ? undefined : ports.findPortalUrl()
  return url === undefined ? '' : ` You can do that here: ${url}/portal#/`
}

function budgetName(call: Routed, view: BudgetView, ports: ReservePorts): string {
  const { scope, period } = view.terms
  return `the ${period} budget of ${scope === 'user' ? '' : 'the team '}${subjectName(call, view, ports)}`
}

function subjectName({ caller }: Routed, { terms }: BudgetView, ports: ReservePorts): string {
  if (terms.scope === 'user') return caller.user?.subject ?? terms.subjectId
  return ports.snapshot.current().teams.get(terms.subjectId)?.name ?? terms.subjectId
}

/** A limit that a team gives each member is the user's. */
function reachedLimit(call: Routed, view: BudgetView, ports: ReservePorts): ReachedLimit {
  const { terms, spentNanoUsd, resetsAtMs } = view
  return {
    scope: terms.source === 'default' ? 'default' : terms.scope,
    id: terms.subjectId,
    name: subjectName(call, view, ports),
    limit: usdFromNano(terms.limitNanoUsd),
    used: usdFromNano(spentNanoUsd),
    unit: 'usd',
    resetsAtMs,
  }
}

/** A rule may stop calls while money is left, or long after it is spent. */
function stop({ terms }: BudgetView): string {
  const percent = terms.rules.find(({ action }) => action === 'block')?.atPercent ?? 100
  return percent === 100 ? 'is used up' : `stops calls at ${percent} %`
}

function amounts({ spentNanoUsd, terms }: BudgetView): string {
  return `${money(spentNanoUsd)} of ${money(terms.limitNanoUsd)} USD are spent`
}

/** Cents, and as many digits more as a small amount needs to be seen. */
function money(nanoUsd: number): string {
  const usd = usdFromNano(nanoUsd)
  if (usd === 0 || usd >= 0.1) return usd.toFixed(2)
  return usd.toFixed(9).replace(/0+$/, '')
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Keeps the candidates that have a price. A price depends on the profile, so one endpoint may have it and another not. */
export function requirePrice(
  call: Pick<Routed, 'model' | 'candidates'>,
  { settings, prices }: Pick<Snapshot, 'settings' | 'prices'>,
): readonly Candidate[] {
  if (settings.unpriced_models === 'estimate') return call.candidates
  const { hostedModelId, requestedId } = call.model
  const candidates = call.candidates.filter(
    ({ modelId, endpoint }) =>
      findPrice(prices, { invokedId: modelId, hostedModelId, region: endpoint.region }) !== undefined,
  )
  if (candidates.length > 0) return candidates
  const names = { model: modelIdForText(requestedId), hosted: modelIdForText(withoutAccount(hostedModelId)) }
  throw problem('model_without_price', names)
}
