/** The calls of the last hour by endpoint, from the same records as the squares: a restart of an instance forgets none. */
import { useMemo } from 'react'
import { useGet } from '../../api/queries.ts'

export interface HourSums {
  readonly calls: number
  readonly failed: number
}

/** By the id of the endpoint. */
export type LastHour = ReadonlyMap<string, HourSums>

interface Minute {
  readonly requests: number
  readonly errors: number
  readonly throttled: number
}

/** As often as the squares, with which it shares one read. */
const REFRESH_MS = 30_000

/** Undefined while it is not known. */
export function useLastHour(): LastHour | undefined {
  const { data } = useGet('/admin/health/history', { params: { query: {} } }, { refetchInterval: REFRESH_MS })
  return useMemo(() => data && new Map(data.endpoints.map(({ id, minutes }) => [id, sumOfMinutes(minutes)])), [data])
}

export function sumOfMinutes(minutes: readonly Minute[]): HourSums {
  return sumOf(minutes.map(({ requests, errors, throttled }) => ({ calls: requests, failed: errors + throttled })))
}

export function sumOf(parts: readonly HourSums[]): HourSums {
  return parts.reduce((sum, { calls, failed }) => ({ calls: sum.calls + calls, failed: sum.failed + failed }), {
    calls: 0,
    failed: 0,
  })
}
