/** One hour of the endpoints, minute by minute: is it us or the hosted service, and since when? */
import { z } from 'zod'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { id, time } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { decideHour } from '../../foundation/http/shown-hour.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { type EndpointMinute, readEndpointMinutes } from '../spend/usage/endpoint-minutes.store.ts'

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

export function healthHistoryRoute(ports: Pick<RoutePorts, 'clock' | 'database' | 'snapshot'>): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/health/history',
    access: 'admin',
    grants: ['ops:operate'],
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
