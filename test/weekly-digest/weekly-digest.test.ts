import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { composeDigest } from '../../src/extensions/weekly-digest/compose-digest.service.ts'
import { sendWeeklyDigest } from '../../src/extensions/weekly-digest/send-weekly-digest.loop.ts'
import type { DigestDetail } from '../../src/extensions/weekly-digest/weekly-digest.ts'
import type { NotificationEvent } from '../../src/foundation/domain/notification.ts'
import { createNotificationConfigStore } from '../../src/modules/notifications/notification-configs.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import * as reference from '../analytics/reference.ts'
import { makeWorld, type SampleWorld } from '../analytics/sample-world.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

const DAY_MS = 86_400_000

let app: ApiApp
let world: SampleWorld
before(async () => {
  app = await startApiApp({
    ports: {
      findKnownUrl: () => 'https://gateway.example.com',
      // As if every budget were used up to four fifths, but for those of teams, which are used up.
      readStandings: async (budgets) =>
        budgets.map(({ scope, limitNanoUsd }) => {
          const percent = scope === 'team' ? 120 : 80
          const status = scope === 'team' ? 'blocked' : 'warning'
          return { spendNanoUsd: (limitNanoUsd * percent) / 100, percent, status, resetsAtMs: Date.now() }
        }),
    },
  })
  world = await makeWorld(app, 1_200)
})
after(() => app.stop())
beforeEach(() => app.database.pool.query('truncate notification_outbox, notification_configs'))

const get = async (path: string) => {
  const { status, body } = await app.call('GET', path, { as: app.admin })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const setZone = (value: string) =>
  app.call('PUT', '/admin/settings/digest_time_zone', { as: app.admin, body: { value } })

interface Named {
  readonly name: string
  readonly spend_usd: number
  readonly requests: number
  readonly tokens: number
}
const named = ({ name, spend_usd, requests, tokens }: Named): Named => ({ name, spend_usd, requests, tokens })

/** Everything that the digest shares with the analytics, asked there for the same days. */
async function assertAsAnalytics(digest: DigestDetail): Promise<void> {
  const ask = (name: string) =>
    get(`/admin/analytics/org/${name}?from=${digest.from}&to=${digest.to}&tz=${encodeURIComponent(digest.tz)}`)
  const { totals, previous } = await ask('overview')
  const readFigures = (sums: Record<string, number>) => ({
    spend_usd: sums['spend_usd'],
    requests: sums['requests'],
    errors: sums['errors'],
    active_users: sums['active_users'],
    tokens: ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'].reduce(
      (sum, kind) => sum + (sums[kind] ?? Number.NaN),
      0,
    ),
  })
  const { spend_usd, requests, errors, active_users, tokens } = digest
  assert.deepEqual({ spend_usd, requests, errors, active_users, tokens }, readFigures(totals))
  assert.deepEqual(digest.previous, readFigures(previous))
  assert.equal(digest.unpriced_requests, totals.unpriced_requests)
  const spend = await ask('spend')
  assert.deepEqual(digest.top_people, spend.by_user.slice(0, 5).map(named))
  assert.deepEqual(digest.top_teams, spend.by_team.slice(0, 5).map(named))
  assert.deepEqual(digest.top_models, spend.by_model.slice(0, 5).map(named))
  const { endpoints } = await ask('models')
  assert.deepEqual(
    digest.endpoints.map(({ endpoint, requests: calls, errors: failed }) => [endpoint, calls, failed]),
    endpoints
      .filter((row: { requests: number }) => row.requests > 0)
      .map((row: Record<string, unknown>) => [row['endpoint'], row['requests'], row['errors']]),
  )
}

test('its numbers are those of the analytics for the same week, also where clocks are set back', async () => {
  for (const [tz, now, from] of [
    ['UTC', '2026-11-09T08:00:00Z', '2026-11-02'],
    ['America/New_York', '2026-11-02T15:00:00Z', '2026-10-26'],
    ['Asia/Kolkata', '2026-11-05T00:00:00Z', '2026-10-26'],
  ] as const) {
    assert.equal((await setZone(tz)).status, 200)
    const digest = await composeDigest(app.ports, Date.parse(now))
    assert.deepEqual([digest.from, digest.tz], [from, tz])
    assert.ok(digest.requests > 100 && digest.errors > 0 && digest.top_people.length === 5, tz)
    await assertAsAnalytics(digest)
  }
  // And once by the records themselves.
  await setZone('UTC')
  const digest = await composeDigest(app.ports, Date.parse('2026-11-09T08:00:00Z'))
  const records = world.records.filter(({ atMs }) => atMs >= Date.UTC(2026, 10, 2) && atMs < Date.UTC(2026, 10, 9))
  const totals = reference.listTotals(records)
  assert.deepEqual(
    [digest.requests, digest.active_users, digest.errors],
    [totals.requests, totals.active_users, totals.errors],
  )
  assert.equal(digest.spend_usd.toFixed(9), totals.spend_usd.toFixed(9))
})

test('the preview has the last whole week, budgets and keys as of now, links, and nothing is sent by it', async () => {
  const now = Date.now()
  const user = await app.addUser({ subject: 'recent@example.com' })
  const days = Array.from({ length: 15 }, (_, day) => aSpendRecord({ atMs: now - day * DAY_MS, userId: user.id }))
  await createSpendLog(app.database.kysely).appendBatch(days)
  const team = await app.addTeam('Spent')
  const terms = { limit_usd: 10, period: 'monthly', policy: 'standard' }
  await app.call('PUT', `/admin/teams/${team}/budget`, { as: app.admin, body: terms })
  await app.call('PUT', `/admin/users/${user.id}/budget`, { as: app.admin, body: terms })
  const soon = await app.addKey({ name: 'soon', expiresAtMs: now + 3 * DAY_MS })
  await app.addKey({ name: 'later', expiresAtMs: now + 8 * DAY_MS })
  const { is_on: isOn, next_at: nextAt, payload } = await get('/admin/notifications/digest')
  const { detail } = payload
  assert.equal(isOn, false)
  assert.ok(Date.parse(nextAt) > now && Date.parse(nextAt) <= now + 7 * DAY_MS)
  assert.deepEqual(
    [payload.category, payload.event_type, payload.severity, payload.user_identity],
    ['digest', 'weekly_digest', 'info', null],
  )
  assert.ok(Date.parse(`${detail.to}T24:00:00Z`) <= now && detail.requests >= 6)
  await assertAsAnalytics(detail)
  assert.deepEqual(detail.budgets, {
    count: 2,
    worst: [
      { scope: 'team', name: 'Spent', status: 'blocked', percent: 120, spend_usd: 12, limit_usd: 10, top_up_usd: 0 },
      {
        scope: 'user',
        name: 'recent@example.com',
        status: 'warning',
        percent: 80,
        spend_usd: 8,
        limit_usd: 10,
        top_up_usd: 0,
      },
    ],
  })
  assert.equal(detail.expiring_keys.count, 1)
  assert.deepEqual([detail.expiring_keys.first[0].key_id, detail.expiring_keys.first[0].key_name], [soon.id, 'soon'])
  assert.equal(
    detail.links.analytics,
    `https://gateway.example.com/portal#/org-analytics?from=${detail.from}&to=${detail.to}&tz=UTC&compare=previous`,
  )
  assert.match(detail.text, /^Week .*\nSpend: \$/)
  assert.deepEqual(await sent(), [])
})

async function sent(): Promise<readonly NotificationEvent[]> {
  const { rows } = await app.database.pool.query('select event from notification_outbox order by created_at')
  return rows.map(({ event }) => event)
}

async function switchTo(digest: boolean): Promise<void> {
  const configs = createNotificationConfigStore(app.database.kysely)
  await configs.putDraft({
    type: 'topic',
    address: 'arn:aws:sns:us-east-1:111111111111:news',
    secret: null,
    categories: { budget: true, rate_limit: false, keys: false, digest },
    updatedBy: 'test',
  })
  await configs.activateDraft('test')
}

/** As the loops of three instances at the same moment. */
async function lookAt(time: string): Promise<void> {
  const ports = {
    findDatabase: () => app.database,
    timeZone: () => app.ports.snapshot().settings.digest_time_zone,
    compose: (nowMs: number) => composeDigest(app.ports, nowMs),
    nowMs: () => Date.parse(time),
  }
  await Promise.all(Array.from({ length: 3 }, () => sendWeeklyDigest(ports)))
}

test('it is sent once for a week, by all instances, on Monday morning or soon after', async () => {
  await switchTo(true)
  await lookAt('2026-11-09T07:59:00Z')
  assert.deepEqual(await sent(), [])
  await lookAt('2026-11-09T08:00:30Z')
  await lookAt('2026-11-09T08:01:30Z')
  await lookAt('2026-11-10T19:00:00Z')
  // Another zone does not make the same week a new one.
  await setZone('Asia/Kolkata')
  await lookAt('2026-11-10T07:00:00Z')
  await setZone('UTC')
  const [event, ...more] = await sent()
  assert.deepEqual(more, [])
  assert.ok(event?.type === 'weekly_digest')
  const detail = event.detail as DigestDetail
  assert.deepEqual([detail.from, detail.to], ['2026-11-02', '2026-11-08'])
  await assertAsAnalytics(detail)
  await lookAt('2026-11-16T08:00:00Z')
  assert.equal((await sent()).length, 2)
})

test('an instance that was down on Monday sends it on Tuesday, and nobody on Wednesday', async () => {
  await switchTo(true)
  await lookAt('2026-11-11T08:00:00Z')
  assert.deepEqual(await sent(), [])
  await lookAt('2026-11-10T12:00:00Z')
  assert.equal((await sent()).length, 1)
})

test('it is off until it is switched on', async () => {
  await lookAt('2026-11-09T08:00:30Z')
  await switchTo(false)
  await lookAt('2026-11-09T08:01:30Z')
  assert.deepEqual(await sent(), [])
})
