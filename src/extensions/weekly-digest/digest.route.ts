/** What the weekly digest says, before or after it is sent. */
import { z } from 'zod'
import { toPayload } from '../../foundation/domain/notification.ts'
import { forAdmins } from '../../foundation/http/answers.ts'
import { isoTime } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { namedSpendSchema } from '../../modules/analytics/usage-records.ts'
import { createNotificationConfigStore } from '../../modules/notifications/notification-configs.store.ts'
import { composeDigest, type DigestPorts } from './compose-digest.service.ts'
import { nextDigestMs, weeklyDigestEvent } from './weekly-digest.ts'

const figures = {
  spend_usd: z.number(),
  requests: z.int(),
  errors: z.int(),
  active_users: z.int(),
  tokens: z.int(),
}
const percent = z.number().nullable()

const detailSchema = z.object({
  from: z.string(),
  to: z.string(),
  tz: z.string(),
  ...figures,
  unpriced_requests: z.int(),
  previous: z.object(figures),
  change: z.object({ spend_percent: percent, requests_percent: percent, tokens_percent: percent }),
  top_people: z.array(namedSpendSchema),
  top_teams: z.array(namedSpendSchema),
  top_models: z.array(namedSpendSchema),
  budgets: z.object({
    count: z.int(),
    worst: z.array(
      z.object({
        scope: z.enum(['user', 'team']),
        name: z.string(),
        status: z.enum(['warning', 'shaped', 'blocked']),
        percent: z.number(),
        spend_usd: z.number(),
        limit_usd: z.number(),
        top_up_usd: z.number(),
      }),
    ),
  }),
  endpoints: z.array(z.object({ endpoint: z.string(), requests: z.int(), errors: z.int(), error_share: z.number() })),
  expiring_keys: z.object({
    count: z.int(),
    first: z.array(z.object({ key_id: z.guid(), key_name: z.string(), expires_at: z.iso.datetime() })),
  }),
  links: z.object({ analytics: z.string(), budgets: z.string(), keys: z.string() }),
  text: z.string(),
})

const digestSchema = z.object({
  is_on: z.boolean(),
  next_at: z.iso.datetime(),
  payload: z.object({
    source: z.string(),
    version: z.string(),
    category: z.literal('digest'),
    event_type: z.literal('weekly_digest'),
    severity: z.literal('info'),
    user_identity: z.null(),
    team_id: z.null(),
    team_name: z.null(),
    detail: detailSchema,
    timestamp: z.iso.datetime(),
  }),
})

export function digestRoute(ports: DigestPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/notifications/digest',
    access: 'admin',
    tag: 'Notifications',
    summary: 'Read the weekly digest',
    description:
      'What would be sent for the last whole week, Monday to Sunday of the setting `digest_time_zone`; nothing is sent. The sums are those of the analytics for the same days. `budgets` and `expiring_keys` are as of now. `next_at` is the next Monday 08:00 of the zone, on which it is sent if `is_on`.',
    answers: { 200: { text: 'The digest', schema: digestSchema }, ...forAdmins },
    handle: async () => {
      const nowMs = ports.clock.nowMs()
      const active = await createNotificationConfigStore(ports.database().kysely).find('active')
      const detail = await composeDigest(ports, nowMs)
      return ok({
        is_on: active?.categories.digest ?? false,
        next_at: isoTime(nextDigestMs(nowMs, ports.snapshot().settings.digest_time_zone)),
        payload: toPayload(weeklyDigestEvent(detail, { id: newId(), timestamp: isoTime(nowMs) })),
      })
    },
  })
}
