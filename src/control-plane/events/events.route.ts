/** What happens on the gateway, as it happens, for those who watch. */
import { z } from 'zod'
import type { LiveEvent, LiveTopic } from '../../domain/live-event.ts'
import { liveTopics } from '../../domain/live-event.ts'
import { toPayload } from '../../domain/notification.ts'
import type { Snapshot } from '../../domain/snapshot.ts'
import { apiRoute, type Call, type Route } from '../../http/route.ts'
import { badInput, forAdmins } from '../answers.ts'
import type { ControlPorts } from '../control-ports.ts'
import { type Names, requestBody } from '../request-records.ts'
import { createPacedStream } from './paced-stream.ts'

/** spec: Limits. Whoever loses the role stops seeing within the time that any change takes. */
const CHECK_MS = 2_000

const topics = z
  .string()
  .max(100)
  .transform((text) => text.split(',').map((topic) => topic.trim()))
  .pipe(z.array(z.enum(liveTopics)))
  .optional()
  .meta({ description: `Comma-separated: ${liveTopics.join(', ')}; all when left out.` })

export function eventsRoute(ports: ControlPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/events',
    access: 'admin',
    tag: 'Live',
    summary: 'Watch requests, health, budgets and settings',
    description:
      'Server-sent events: `request` (a call as in the request log, with its `round`), `health` (an endpoint turned), `budget` (a notification, as webhooks get it), `settings` (an entry of the audit trail without its values). At most 10 a second; `left_out` says how many did not fit. A comment comes at least every 15 seconds. The stream ends when the caller may no longer watch.',
    query: z.strictObject({ topics }),
    answers: {
      200: { text: 'Events until either side ends', schema: z.string(), type: 'text/event-stream' },
      ...badInput,
      ...forAdmins,
    },
    handle: async (call) => {
      // The feed lives off the database; without one it would stay silent for ever.
      await ports.database().ping()
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
        body: openStream(ports, call, new Set(call.query.topics ?? liveTopics)),
      }
    },
  })
}

function openStream(
  { live, snapshot }: ControlPorts,
  call: Pick<Call<unknown, unknown, unknown>, 'headers' | 'scheme'>,
  wanted: ReadonlySet<LiveTopic>,
) {
  const { stream, send, end } = createPacedStream()
  const unwatch = live.watch((event) => {
    if (wanted.has(event.topic)) send(...described(event, snapshot()))
  })
  const check = setInterval(() => {
    live.mayStillWatch(call.headers, call.scheme).then(
      (may) => {
        if (!may) end()
      },
      // Whoever cannot be told from a stranger is one.
      () => end(),
    )
  }, CHECK_MS).unref()
  stream.once('close', () => {
    clearInterval(check)
    unwatch()
  })
  return stream
}

function described(event: LiveEvent, snapshot: Snapshot): readonly [name: string, body: object] {
  switch (event.topic) {
    case 'requests':
      return ['request', { ...requestBody([event.record], namesIn(snapshot)), round: event.record.round }]
    case 'health': {
      const { endpointId, endpoint, status, reason, atMs } = event
      const at = new Date(atMs).toISOString()
      return ['health', { at, endpoint_id: endpointId, endpoint, health_status: status, health_reason: reason }]
    }
    case 'budgets':
      return ['budget', toPayload(event.event)]
    case 'settings': {
      const { topic: _topic, ...entry } = event
      return ['settings', entry]
    }
  }
}

let named: { readonly snapshot: Snapshot; readonly names: Names } | undefined

/** Made once for each snapshot: with many keys it takes a moment. */
function namesIn(snapshot: Snapshot): Names {
  if (named?.snapshot === snapshot) return named.names
  const names = new Map<string, string>()
  for (const { id, name } of snapshot.teams.values()) names.set(id, name)
  for (const { id, subject } of snapshot.users.values()) names.set(id, subject)
  for (const { id, name } of snapshot.endpoints.values()) names.set(id, name)
  for (const { id, name } of snapshot.keysByHash.values()) names.set(id, name)
  named = { snapshot, names }
  return names
}
