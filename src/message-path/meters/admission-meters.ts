/** Counts what the doors decide: credentials, rate limits, budgets. Each door is wrapped and behaves as before. */

import { type ErrorCode, Problem } from '../../foundation/domain/errors.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { Instruments } from '../../foundation/platform/metrics.ts'
import type { BudgetGate, BudgetReservation, RateDecision, RateWindows } from '../ports.ts'

export interface AdmissionMeters {
  /** Counts the refusals of a function that lets somebody in or throws. */
  readonly door: <A extends readonly unknown[], R>(check: (...given: A) => R) => (...given: A) => R
  readonly rateWindows: (windows: RateWindows) => RateWindows
  readonly budgets: (gate: BudgetGate) => BudgetGate
}

const budgetDecisions = ['none', 'ok', 'warning', 'shaped', 'blocked', 'busy', 'unknown'] as const

export function createAdmissionMeters(instruments: Instruments<InstrumentName>): AdmissionMeters {
  const reasons = new Map<ErrorCode, number>()
  const limits = { key: { taken: 0, limited: 0 }, shape: { taken: 0, limited: 0 } }
  const decisions = { none: 0, ok: 0, warning: 0, shaped: 0, blocked: 0, busy: 0, unknown: 0 }
  instruments.observe('gateway_auth_failures', (show) => {
    for (const [reason, count] of reasons) show(count, { reason })
  })
  instruments.observe('gateway_rate_limit_decisions', (show) => {
    for (const limit of ['key', 'shape'] as const)
      for (const decision of ['taken', 'limited'] as const) show(limits[limit][decision], { limit, decision })
  })
  instruments.observe('gateway_budget_decisions', (show) => {
    for (const decision of budgetDecisions) show(decisions[decision], { decision })
  })

  const noteRefusal = (error: unknown): void => {
    if (error instanceof Problem && isAboutIdentity(error)) reasons.set(error.code, (reasons.get(error.code) ?? 0) + 1)
  }
  const noteRate = (id: string, decision: RateDecision): RateDecision => {
    limits[id.startsWith('shape:') ? 'shape' : 'key'][decision.kind] += 1
    return decision
  }
  const noteBudget = (reservation: BudgetReservation): BudgetReservation => {
    decisions[reservation.kind === 'held' ? (reservation.view?.status ?? 'none') : reservation.kind] += 1
    return reservation
  }

  return {
    door:
      (check) =>
      (...given) => {
        try {
          const found = check(...given)
          // The caller handles the failure; this only looks at it.
          if (found instanceof Promise) found.catch(noteRefusal)
          return found
        } catch (error) {
          noteRefusal(error)
          throw error
        }
      },
    rateWindows: (windows) => ({
      take: (id, limitRpm) => {
        const decision = windows.take(id, limitRpm)
        return decision instanceof Promise ? decision.then((one) => noteRate(id, one)) : noteRate(id, decision)
      },
      giveBack: windows.giveBack,
    }),
    budgets: (gate) => ({
      reserve: (request) => {
        const reservation = gate.reserve(request)
        return reservation instanceof Promise ? reservation.then(noteBudget) : noteBudget(reservation)
      },
    }),
  }
}

function isAboutIdentity({ type, code }: Problem): boolean {
  return type === 'authentication_error' || type === 'permission_error' || code === 'login_throttled'
}
