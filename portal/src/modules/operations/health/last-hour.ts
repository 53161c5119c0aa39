/** The calls of the last hour by endpoint, from the same records as the squares: a restart of an instance forgets none. */
import { useMemo } from 'react'
import { useGet } from '../../../api/queries.ts'

export interface HourSums {
  readonly calls: number
  readonly failed: number
}

/** Asked for, or not to be had: neither is an hour without calls. */
type Missing = 'asked' | 'unknown'

/** By the id of the endpoint. */
export type LastHour = ReadonlyMap<string, HourSums> | Missing

interface Minute {
  readonly requests: number
  readonly errors: number
  readonly throttled: number
}

/** As often as the squares, with which it shares one read. */
const REFRESH_MS = 30_000

export function useLastHour(): LastHour {
  const { data, isLoading } = useGet(
    '/admin/health/history',
    { params: { query: {} } },
    { refetchInterval: REFRESH_MS },
  )
  return useMemo(
    () =>
      data === undefined
        ? isLoading
          ? 'asked'
          : 'unknown'
        : new Map(data.endpoints.map(({ id, minutes }) => [id, sumOfMinutes(minutes)])),
    [data, isLoading],
  )
}

export function findHour(hour: LastHour, id: string): HourSums | Missing {
  return typeof hour === 'string' ? hour : (hour.get(id) ?? 'unknown')
}

export function hourOfAll(hour: LastHour): HourSums | Missing {
  return typeof hour === 'string' ? hour : addUp([...hour.values()])
}

export function sumOfMinutes(minutes: readonly Minute[]): HourSums {
  return addUp(minutes.map(({ requests, errors, throttled }) => ({ calls: requests, failed: errors + throttled })))
}

function addUp(parts: readonly HourSums[]): HourSums {
  return parts.reduce((sum, { calls, failed }) => ({ calls: sum.calls + calls, failed: sum.failed + failed }), {
    calls: 0,
    failed: 0,
  })
}
