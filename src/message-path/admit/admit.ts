/** May this caller make a call now? Takes a place in the key's rate limit, or refuses. */
import { type ProblemOptions, problem } from '../../foundation/domain/errors.ts'
import type { Admitted, Authenticated } from '../context.ts'
import type { RateDecision, RateWindows } from '../ports.ts'

export function admit(call: Authenticated, windows: RateWindows): Admitted | Promise<Admitted> {
  const limitRpm = call.caller.kind === 'key' ? call.caller.key.rateLimitRpm : null
  if (limitRpm === null || call.caller.kind !== 'key') return { ...call, rate: null }
  const decision = windows.take(call.caller.key.id, limitRpm)
  if (decision instanceof Promise) return decision.then((one) => toAdmitted(call, limitRpm, one))
  return toAdmitted(call, limitRpm, decision)
}

function toAdmitted(call: Authenticated, limitRpm: number, decision: RateDecision): Admitted {
  if (decision.kind === 'limited')
    throw problem(
      'rate_limited',
      { limit: limitRpm, seconds: decision.retryAfterSeconds },
      {
        headers: {
          'retry-after': String(decision.retryAfterSeconds),
          'x-ratelimit-limit': String(limitRpm),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(decision.retryAfterSeconds),
        },
        ...reachedLimit(call, limitRpm, decision.retryAfterSeconds),
      },
    )
  return {
    ...call,
    rate: {
      limitRpm,
      remaining: decision.remaining,
      resetSeconds: decision.resetSeconds,
      takenAtMs: decision.takenAtMs,
    },
  }
}

function reachedLimit({ caller, receivedAtMs }: Authenticated, limitRpm: number, seconds: number): ProblemOptions {
  if (caller.kind !== 'key') return {}
  const { id, name } = caller.key
  const resetsAtMs = receivedAtMs + seconds * 1_000
  return { limit: { scope: 'key', id, name, limit: limitRpm, used: limitRpm, unit: 'requests_per_minute', resetsAtMs } }
}

/** The gateway refused the call itself after all: its place is free again, and the answer says so. */
export function giveBack<C extends Admitted>(call: C, windows: RateWindows): C {
  if (call.rate === null || call.caller.kind !== 'key') return call
  windows.giveBack(call.caller.key.id, call.rate.takenAtMs)
  return { ...call, rate: { ...call.rate, remaining: call.rate.remaining + 1 } }
}
