/** What is counted for each endpoint. Kept by id, shown by name; an endpoint that is gone is forgotten. */

import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import type { Attempt } from '../../foundation/domain/spend-record.ts'
import type { Instruments } from '../../foundation/platform/metrics.ts'
import type { EndpointConditions } from '../../message-path/ports.ts'

const errorKinds = ['throttled', 'timeout', 'server', 'rejected', 'unreachable', 'broken', 'credentials'] as const
type ErrorKind = (typeof errorKinds)[number]

interface EndpointSums {
  attempts: number
  failovers: number
  readonly errors: Record<ErrorKind, number>
}

export interface EndpointMeters {
  readonly attempted: (attempt: Attempt) => void
  /** The same memory, with every failure and every move counted. */
  readonly counting: <C extends Pick<EndpointConditions, 'recordFailure' | 'recordFailover'>>(conditions: C) => C
}

export function createEndpointMeters(
  instruments: Instruments<InstrumentName>,
  endpoints: () => ReadonlyMap<string, Endpoint>,
): EndpointMeters {
  const sums = new Map<string, EndpointSums>()
  const findSums = (endpointId: string): EndpointSums => {
    const known = sums.get(endpointId)
    if (known !== undefined) return known
    const made: EndpointSums = { attempts: 0, failovers: 0, errors: noErrors() }
    sums.set(endpointId, made)
    return made
  }

  /** Names need not be unique, but a series must be shown once. */
  const byName = (): ReadonlyMap<string, EndpointSums> => {
    const named = new Map<string, EndpointSums>()
    for (const [id, one] of sums) {
      const name = endpoints().get(id)?.name
      if (name === undefined) sums.delete(id)
      else named.set(name, together(named.get(name), one))
    }
    return named
  }
  instruments.observe('gateway_upstream_attempts', (show) => {
    for (const [endpoint, { attempts }] of byName()) show(attempts, { endpoint })
  })
  instruments.observe('gateway_failovers', (show) => {
    for (const [endpoint, { failovers }] of byName()) show(failovers, { endpoint })
  })
  instruments.observe('gateway_upstream_errors', (show) => {
    for (const [endpoint, { errors }] of byName()) for (const kind of errorKinds) show(errors[kind], { endpoint, kind })
  })

  return {
    attempted: ({ endpointId, status }) => {
      const one = findSums(endpointId)
      one.attempts += 1
      // Here and not below, where nobody tells of a refusal that a repair has helped against.
      if (isRejection(status)) one.errors.rejected += 1
    },
    counting: (conditions) => ({
      ...conditions,
      recordFailure: (endpointId: string, failure: ProviderFailure) => {
        if (!isRejection(failure.status)) findSums(endpointId).errors[toKind(failure)] += 1
        conditions.recordFailure(endpointId, failure)
      },
      recordFailover: (endpointId: string) => {
        findSums(endpointId).failovers += 1
        conditions.recordFailover(endpointId)
      },
    }),
  }
}

/** 499 is a client that left, which is no fault of the endpoint. */
function isRejection(status: number): boolean {
  return status >= 400 && status < 499 && status !== 429 && status !== 408 && status !== 424
}

function toKind({ kind, status }: ProviderFailure): ErrorKind {
  if (kind !== 'answered') return status === 504 ? 'timeout' : kind
  if (status === 429) return 'throttled'
  return status === 408 || status === 504 ? 'timeout' : 'server'
}

function noErrors(): Record<ErrorKind, number> {
  return { throttled: 0, timeout: 0, server: 0, rejected: 0, unreachable: 0, broken: 0, credentials: 0 }
}

function together(left: EndpointSums | undefined, right: EndpointSums): EndpointSums {
  if (left === undefined) return right
  const errors = noErrors()
  for (const kind of errorKinds) errors[kind] = left.errors[kind] + right.errors[kind]
  return { attempts: left.attempts + right.attempts, failovers: left.failovers + right.failovers, errors }
}
