import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { readSnapshot } from '../../src/app/snapshot-sections.ts'
import { type Database, openDatabase } from '../../src/foundation/database/database.ts'
import { defaultSettings } from '../../src/foundation/domain/settings.ts'
import type { Snapshot } from '../../src/foundation/domain/snapshot.ts'
import type { Core } from '../../src/foundation/http/module.ts'
import { systemClock } from '../../src/foundation/platform/clock.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import { createKeys } from '../../src/modules/keys/module.ts'
import { MOST_SINGLE_NOTICES } from '../../src/modules/keys/tell-expiring-keys.loop.ts'
import { type GatewayAdmin, signIn, until } from '../notifications/news.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'

const DAY_MS = 86_400_000

let gateway: TestGateway
let admin: GatewayAdmin
let database: Database
let other: Database
let snapshot: Snapshot

before(async () => {
  gateway = await startGateway()
  assert.ok(gateway.database !== undefined)
  database = gateway.database
  other = await openDatabase({ kind: 'url', url: String(database.pool.options.connectionString) })
  admin = await signIn(gateway.url)
  await admin.activate({
    destination_type: 'webhook',
    destination: `${gateway.simulator.webhookUrl}/hook`,
    categories: { keys: true },
  })
})
after(async () => {
  await other.close()
  await gateway.stop()
})
beforeEach(async () => {
  await database.pool.query('truncate notification_outbox, key_expiry_notices, virtual_keys')
  await gateway.control.clearWebhooks()
})

/** What the loop of one instance does. */
function lookOf(through: Database): () => Promise<void> {
  const { log } = createLogging({ level: 'silent', format: 'json', write: () => {} })
  const core = {
    link: { isConfigured: true, find: () => through, require: () => through },
    snapshot: () => snapshot,
    clock: systemClock,
    findKnownUrl: () => 'https://gateway.example.com',
    log,
  } as unknown as Core
  const { loops } = createKeys(core, { rateClock: systemClock, spendOfKeys: async () => new Map() })
  const loop = loops.find(({ name }) => name === 'expiring-keys')
  assert.ok(loop !== undefined)
  return () => loop.run(new AbortController().signal)
}

/** Both instances look at the same time, several times over. */
async function look(): Promise<void> {
  snapshot = await readSnapshot(database, undefined, defaultSettings)
  await Promise.all([database, other, database, other].map((through) => lookOf(through)()))
}

interface Wishes {
  readonly endsInDays: number
  /** Default: a quarter of a year. */
  readonly madeDaysAgo?: number
  readonly userId?: string
  readonly teamId?: string
}

async function addEnding(name: string, { endsInDays, madeDaysAgo = 90, ...owner }: Wishes): Promise<string> {
  const { id } = await addKey(database, { name, expiresAtMs: Date.now() + endsInDays * DAY_MS, ...owner })
  await setAge(id, madeDaysAgo)
  return id
}

const setAge = (id: string, days: number) =>
  database.pool.query('update virtual_keys set created_at = now() - make_interval(secs => $2) where id = $1', [
    id,
    days * 86_400,
  ])

/** Time goes by for one key: all that is counted from its end is so much nearer. */
const setEnd = (id: string, endsInDays: number) =>
  database.pool.query('update virtual_keys set expires_at = now() + make_interval(secs => $2) where id = $1', [
    id,
    endsInDays * 86_400,
  ])

async function told(): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await database.pool.query('select event from notification_outbox order by created_at, dedupe_key')
  return rows.map(({ event }) => event.detail)
}

const names = async () => (await told()).map((detail) => detail['key_name']).sort()

test('a key is told a week and a day before its end, once by all instances, with its owner and its page', async () => {
  const team = (await admin.call('POST', '/admin/teams', { name: 'Engines' })) as { id: string }
  const ada = (await admin.call('POST', '/admin/users', {
    subject: 'ada',
    email: 'ada@example.com',
    role: 'member',
  })) as { id: string }
  await admin.call('PUT', `/admin/users/${ada.id}/team`, { team_id: team.id })
  const id = await addEnding('ci', { endsInDays: 6.9, userId: ada.id })
  await look()
  await look()
  await until('the delivery', async () => (await gateway.control.webhooks()).length >= 1)
  const [received, ...more] = await gateway.control.webhooks()
  assert.deepEqual(more, [])
  const payload = JSON.parse(received?.body ?? '')
  assert.deepEqual(
    [payload.category, payload.event_type, payload.severity, payload.user_identity, payload.team_name],
    ['keys', 'key_expiring', 'warning', 'ada@example.com', 'Engines'],
  )
  const { expires_at: end, key_prefix: prefix, ...detail } = payload.detail
  assert.deepEqual(detail, {
    key_id: id,
    key_name: 'ci',
    days_left: 7,
    last_used_at: null,
    link: `https://gateway.example.com/portal#/keys/${id}`,
  })
  assert.match(prefix, /^sk-proxy-/)
  assert.equal(Math.round((Date.parse(end) - Date.now()) / DAY_MS), 7)

  // As if six days had gone by: the same end is nearer, and the week's notice was about it.
  await setEnd(id, 0.9)
  await database.pool.query(
    `insert into key_expiry_notices select id, expires_at, 7 from virtual_keys on conflict do nothing`,
  )
  await look()
  await look()
  await until('the second delivery', async () => (await gateway.control.webhooks()).length >= 2)
  const last = JSON.parse((await gateway.control.webhooks())[1]?.body ?? '')
  assert.deepEqual([last.severity, last.detail.days_left], ['high', 1])
  assert.equal((await told()).length, 2)
})

test('only what is still ahead is told of a key with a short life, and nothing of one that ends otherwise', async () => {
  const gone = (await admin.call('POST', '/admin/users', { subject: 'gone', role: 'member' })) as { id: string }
  await admin.call('PATCH', `/admin/users/${gone.id}`, { active: false })
  await addEnding('made three days before its end', { endsInDays: 2.9, madeDaysAgo: 0.1 })
  await addEnding('made an hour before its end', { endsInDays: 0.04, madeDaysAgo: 0.01 })
  await addEnding('expired', { endsInDays: -0.1 })
  await addEnding('far', { endsInDays: 7.1 })
  await addEnding('of nobody who may sign in', { endsInDays: 3, userId: gone.id })
  const { id: endless } = await addKey(database, { name: 'endless' })
  await setAge(endless, 90)
  const revoked = await addEnding('revoked', { endsInDays: 3 })
  await admin.call('POST', `/admin/keys/${revoked}/revoke`)
  const rotated = await addEnding('rotated', { endsInDays: 3 })
  await admin.call('POST', `/admin/keys/${rotated}/rotate`, { grace_seconds: 86_400 })
  await look()
  assert.deepEqual(await names(), [])
  await addEnding('in time', { endsInDays: 0.9, madeDaysAgo: 2.1 })
  await look()
  assert.deepEqual(await names(), ['in time'], 'the day, and not the week that it never had')
})

test('a key that lives longer than was told is told anew', async () => {
  const id = await addEnding('extended', { endsInDays: 5 })
  await look()
  const expires_at = new Date(Date.now() + 30 * DAY_MS).toISOString()
  await admin.call('PATCH', `/admin/keys/${id}`, { expires_at })
  await look()
  assert.equal((await told()).length, 1)
  await setEnd(id, 6)
  await look()
  assert.deepEqual(await names(), ['extended', 'extended'])
})

test('while nobody wants to know nothing is noted, and whoever switches it on hears of what ends then', async () => {
  const wants = (keys: boolean) => admin.call('PUT', '/admin/notifications/categories', { categories: { keys } })
  await wants(false)
  await addEnding('waiting', { endsInDays: 4 })
  await look()
  assert.deepEqual(await names(), [])
  await wants(true)
  await look()
  assert.deepEqual(await names(), ['waiting'])
  assert.equal((await told())[0]?.['days_left'], 4)
})

async function addMany(count: number, endsInDays: number): Promise<void> {
  await database.pool.query(
    `insert into virtual_keys (id, name, hash, prefix, expires_at, created_by, created_at)
     select gen_random_uuid(), 'many ' || n, sha256($3 || n::text::bytea), 'sk-proxy-m', now() + make_interval(secs => $2 + n),
       'test', now() - interval '90 days'
     from generate_series(1, $1::int) n`,
    [count, endsInDays * 86_400, randomBytes(8)],
  )
}

test('as many as one reads are told one by one, and more of them together', async () => {
  await addMany(MOST_SINGLE_NOTICES, 3)
  await look()
  assert.equal((await names()).length, MOST_SINGLE_NOTICES)
  await database.pool.query('truncate notification_outbox')
  // More than are claimed at a time.
  const count = 10_000 + MOST_SINGLE_NOTICES
  await addMany(count, 4.5)
  await addEnding('on its last day', { endsInDays: 0.5 })
  await look()
  await look()
  const details = await told()
  const many = details.find((detail) => 'key_count' in detail)
  assert.equal(details.length, 2)
  assert.deepEqual(await names(), ['on its last day', undefined])
  assert.deepEqual(
    [many?.['key_count'], many?.['days_left'], many?.['link']],
    [count, 5, 'https://gateway.example.com/portal#/keys?show=all&sort=expires_at'],
  )
  const span = Date.parse(String(many?.['last_expires_at'])) - Date.parse(String(many?.['first_expires_at']))
  assert.equal(Math.round(span / 1_000), count - 1)
  const { rows } = await database.pool.query('select count(*) from key_expiry_notices')
  assert.equal(rows[0].count, MOST_SINGLE_NOTICES + count + 1, 'each is noted, so that none is told again')
})

test('what was noted of keys whose end is past is forgotten', async () => {
  await database.pool.query(
    `insert into key_expiry_notices select gen_random_uuid(), now() - make_interval(hours => n), 1 from generate_series(20, 30) n`,
  )
  await look()
  const { rows } = await database.pool.query('select count(*) from key_expiry_notices')
  assert.equal(rows[0].count, 4)
})
