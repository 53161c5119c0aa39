/** One hour of the endpoints, minute by minute: is it us or the hosted service, and since when? */
import { z } from 'zod'
import { apiRoute, ok, type Route } from '../../http/route.ts'
import { type EndpointMinute, readEndpointMinutes } from '../../stores/endpoint-minutes.ts'
import { badInput, forAdmins } from '../answers.ts'
import type { ControlPorts } from '../control-ports.ts'
import { id, time } from '../fields.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** An alert names the moment it fired; what came right after it belongs to the picture. */
const AFTER_MS = 15 * MINUTE_MS

const minute = z.object({
  at: z.iso.datetime(),
  requests: z.int(),
  errors: z.int(),
  throttled: z.int(),
  first_token_p95_ms: z.number().nullable(),
})

const historySchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  endpoints: z.array(z.object({ id, name: z.string(), minutes: z.array(minute) })),
})

export function healthHistoryRoute(ports: Pick<ControlPorts, 'clock' | 'database' | 'snapshot'>): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/health/history',
    access: 'admin',
    tag: 'Status',
    summary: 'One hour of the endpoints, minute by minute',
    description:
      'The 60 minutes up to now, or those that end 15 minutes after `at`. From the records of calls: minutes without a call are left out. `errors` counts answers from 500 on, `throttled` those with 429.',
    query: z.strictObject({ at: time.optional() }),
    answers: { 200: { text: 'The hour', schema: historySchema }, ...badInput, ...forAdmins },
    handle: async ({ query: { at } }) => {
      const range = decideHour(at, ports.clock.nowMs())
      const minutes = await readEndpointMinutes(ports.database().kysely, range)
      return ok({
        from: new Date(range.fromMs).toISOString(),
        to: new Date(range.toMs).toISOString(),
        endpoints: byEndpoint(
          [...ports.snapshot().endpoints.values()].map((endpoint) => ({ id: endpoint.id, name: endpoint.name })),
          minutes,
        ),
      })
    },
  })
}

/** Whole minutes, so that the squares of two looks at the same hour stand at the same place. */
export function decideHour(
  atMs: number | undefined,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const wantedMs = atMs === undefined ? nowMs : Math.min(nowMs, atMs + AFTER_MS)
  const toMs = Math.ceil(wantedMs / MINUTE_MS) * MINUTE_MS
  return { fromMs: toMs - HOUR_MS, toMs }
}

/** Every endpoint of today, silent or not, and those that are gone and have served within the hour. */
function byEndpoint(
  known: readonly { readonly id: string; readonly name: string }[],
  minutes: readonly EndpointMinute[],
) {
  const served = Map.groupBy(minutes, ({ endpointId }) => endpointId)
  const gone = [...served]
    .filter(([endpointId]) => !known.some((endpoint) => endpoint.id === endpointId))
    .map(([endpointId, list]) => ({ id: endpointId, name: list[0]?.name ?? endpointId }))
  return [...known, ...gone].map((endpoint) => ({
    ...endpoint,
    minutes: (served.get(endpoint.id) ?? []).map((one) => ({
      at: one.at.toISOString(),
      requests: one.requests,
      errors: one.errors,
      throttled: one.throttled,
      first_token_p95_ms: one.firstTokenP95Ms,
    })),
  }))
}
