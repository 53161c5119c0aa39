/** May this caller make a call now? Takes a place in the key's rate limit, or refuses. */
import { type ProblemOptions, problem } from '../../foundation/domain/errors.ts'
import type { Admitted, Authenticated, RateState } from '../call.ts'
import type { RateDecision, RateWindows } from '../ports.ts'

/** Null when the caller has no rate limit. */
export async function admit(call: Authenticated, windows: RateWindows): Promise<RateState | null> {
  const limitRpm = call.caller.kind === 'key' ? call.caller.key.rateLimitRpm : null
  if (limitRpm === null || call.caller.kind !== 'key') return null
  return toRateState(call, limitRpm, await windows.take(call.caller.key.id, limitRpm))
}

function toRateState(call: Authenticated, limitRpm: number, decision: RateDecision): RateState {
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
  const { remaining, resetSeconds, takenAtMs } = decision
  return { limitRpm, remaining, resetSeconds, takenAtMs }
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
