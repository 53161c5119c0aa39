/** What happens on the gateway, as it happens, for those who watch. */
import { z } from 'zod'
import type { AccessRule } from '../../foundation/domain/access.ts'
import { problem } from '../../foundation/domain/errors.ts'
import type { LiveEvent, LiveTopic } from '../../foundation/domain/live-event.ts'
import { liveTopics } from '../../foundation/domain/live-event.ts'
import { toPayload } from '../../foundation/domain/notification.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { apiRoute, type Call, type Route } from '../../foundation/http/route.ts'
import { isAdministrator } from '../../foundation/http/write-change.ts'
import { type Names, requestBody } from '../analytics/requests/request-records.fields.ts'
import type { EventPorts } from './live-ports.ts'
import { createPacedStream } from './paced-stream.ts'

/** spec: Limits. Whoever loses the role or the grant stops seeing within the time that any change takes. */
const CHECK_MS = 2_000

const topics = z
  .string()
  .max(100)
  .transform((text) => text.split(',').map((topic) => topic.trim()))
  .pipe(z.array(z.enum(liveTopics)))
  .optional()
  .meta({ description: `Comma-separated: ${liveTopics.join(', ')}; all when left out.` })

const rule = { access: 'admin', grants: ['ops:operate'], isForLeads: false } as const satisfies AccessRule

/** Entries of the audit trail, which the grant for operating does not open. */
const FOR_ADMINS: LiveTopic = 'settings'
const adminRule: AccessRule = { access: 'admin', isForLeads: false }

export function eventsRoute(ports: EventPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/events',
    access: rule.access,
    grants: rule.grants,
    tag: 'Live',
    summary: 'Watch requests, health, budgets and settings',
    description:
      'Server-sent events: `request` (a call as in the request log, with its `round`), `health` (an endpoint turned), `budget` (a notification, as webhooks get it), `settings` (an entry of the audit trail without its values; for administrators alone). At most 10 a second; `left_out` says how many did not fit. A comment comes at least every 15 seconds. The stream ends when the caller may no longer watch.',
    query: z.strictObject({ topics }),
    answers: {
      200: { text: 'Events until either side ends', schema: z.string(), type: 'text/event-stream' },
      ...badInput,
      ...forAdmins,
    },
    handle: async (call) => {
      const wanted = topicsFor(call)
      // The feed lives off the database; without one it would stay silent for ever.
      await ports.database().ping()
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' },
        body: openStream(ports, call, wanted),
      }
    },
  })
}

function topicsFor(call: Pick<Call<unknown, { topics?: LiveTopic[] | undefined }, unknown>, 'caller' | 'query'>) {
  const { topics } = call.query
  if (isAdministrator(call)) return new Set(topics ?? liveTopics)
  if (topics?.includes(FOR_ADMINS)) throw problem('admin_required')
  return new Set(topics ?? liveTopics.filter((topic) => topic !== FOR_ADMINS))
}

function openStream(
  { live, snapshot }: EventPorts,
  call: Pick<Call<unknown, unknown, unknown>, 'headers' | 'scheme'>,
  wanted: ReadonlySet<LiveTopic>,
) {
  const { stream, send, end } = createPacedStream()
  const unwatch = live.watch((event) => {
    if (wanted.has(event.topic)) send(...described(event, snapshot()))
  })
  const check = setInterval(() => {
    live.mayStillWatch(wanted.has(FOR_ADMINS) ? adminRule : rule, call.headers, call.scheme).then(
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
      return ['request', { ...requestBody([event.record], namesIn(snapshot), 'admin'), round: event.record.round }]
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

function namesIn({ teams, users, endpoints, keysById }: Snapshot): Names {
  return {
    get: (id) => teams.get(id)?.name ?? users.get(id)?.subject ?? endpoints.get(id)?.name ?? keysById.get(id)?.name,
  }
}
