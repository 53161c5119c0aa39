import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Database, openDatabase } from '../../src/foundation/database/database.ts'
import { type Dedupe, type NotificationEvent, syntheticEvent } from '../../src/foundation/domain/notification.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createDeliveryStore } from '../../src/modules/notifications/deliveries.store.ts'
import { createOutboxStore, enqueueEvent } from '../../src/modules/notifications/outbox.store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let test1: TestDatabase
let other: Database
before(async () => {
  test1 = await createTestDatabase()
  other = await openDatabase({ kind: 'url', url: test1.url })
})
after(async () => {
  await other.close()
  await test1.drop()
})
beforeEach(() =>
  test1.database.pool.query(
    'truncate notification_outbox, notification_intervals, notification_deliveries, notification_configs',
  ),
)

const newEvent = (): NotificationEvent => syntheticEvent(newId(), Date.now())
const once = (key: string): Dedupe => ({ kind: 'once', key })
const readDatabase = (n: number) => (n % 2 === 0 ? test1.database : other).kysely
const all = { fresh: 100, repeated: 100 }
const stateOf = async (id: string) =>
  (await test1.database.pool.query('select state, attempts from notification_outbox where id = $1', [id])).rows[0]
const makeDue = () => test1.database.pool.query(`update notification_outbox set next_attempt_at = now()`)

test('a threshold crossed 100 times over two instances is one event', async () => {
  const told = await Promise.all(
    Array.from({ length: 100 }, (_, n) => enqueueEvent(readDatabase(n), newEvent(), once('user u daily warning 80'))),
  )
  assert.equal(told.filter(Boolean).length, 1)
  assert.equal((await createOutboxStore(other.kysely).claim(all)).length, 1)
})

test('it stays told after its delivery', async () => {
  const event = newEvent()
  await enqueueEvent(other.kysely, event, once('key'))
  await createOutboxStore(other.kysely).settle(event.id, 'delivered')
  await createOutboxStore(other.kysely).forgetOld()
  assert.equal(await enqueueEvent(test1.database.kysely, newEvent(), once('key')), false)
})

test('what may be told once in a while is told once, by all instances together, until the while is over', async () => {
  const dedupe: Dedupe = { kind: 'interval', key: 'rate_limit_hit k', seconds: 300 }
  const tell = async () =>
    (await Promise.all(Array.from({ length: 20 }, (_, n) => enqueueEvent(readDatabase(n), newEvent(), dedupe)))).filter(
      Boolean,
    ).length
  assert.equal(await tell(), 1)
  const age = (by: string) =>
    other.pool.query(`update notification_intervals set fired_at = fired_at - $1::interval`, [by])
  await age('299 seconds')
  assert.equal(await tell(), 0)
  await age('2 seconds')
  assert.equal(await tell(), 1)
})

test('a name that is no proper text does not keep its event back', async () => {
  const event = { ...newEvent(), userIdentity: 'nul\u0000 half \ud800', teamName: '😀' }
  assert.equal(await enqueueEvent(other.kysely, event, once('odd')), true)
  const [claimed] = await createOutboxStore(other.kysely).claim(all)
  assert.deepEqual([claimed?.event.userIdentity, claimed?.event.teamName], ['nul\ufffd half \ufffd', '😀'])
})

test('an event of a transaction that is undone is not told', async () => {
  const undone = test1.database.kysely.transaction().execute(async (tx) => {
    assert.equal(await enqueueEvent(tx, newEvent(), once('undone')), true)
    throw new Error('undo')
  })
  await assert.rejects(undone, /undo/)
  assert.equal(await enqueueEvent(other.kysely, newEvent(), once('undone')), true)
})

test('no event is claimed by two instances', async () => {
  for (let n = 0; n < 60; n += 1) await enqueueEvent(readDatabase(n), newEvent(), once(String(n)))
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, n) => createOutboxStore(readDatabase(n)).claim({ fresh: 10, repeated: 10 })),
  )
  const ids = claims.flat().map(({ event }) => event.id)
  assert.equal(new Set(ids).size, ids.length)
  const rest = await createOutboxStore(other.kysely).claim(all)
  assert.equal(ids.length + rest.length, 60)
})

test('a claim whose holder died is given back', async () => {
  const event = newEvent()
  await enqueueEvent(other.kysely, event, once('a'))
  const outbox = createOutboxStore(other.kysely)
  assert.equal((await outbox.claim(all)).length, 1)
  assert.equal((await outbox.claim(all)).length, 0)
  await other.pool.query(`update notification_outbox set claimed_until = claimed_until - interval '20 seconds'`)
  const [again] = await outbox.claim(all)
  assert.deepEqual([again?.event, again?.attempt], [event, 2])
})

test('news go first, the newest before all, and repetitions do not take their place', async () => {
  const outbox = createOutboxStore(other.kysely)
  for (let n = 0; n < 20; n += 1) await enqueueEvent(other.kysely, newEvent(), once(`old ${n}`))
  for (const { event } of await outbox.claim(all)) await outbox.postpone(event.id, { nextInMs: 0, wasOutage: true })
  const news = [newEvent(), newEvent(), newEvent()]
  for (const event of news) {
    await enqueueEvent(other.kysely, event, once(event.id))
    await other.pool.query(`select pg_sleep(0.005)`)
  }
  const claimed = await outbox.claim({ fresh: 2, repeated: 1 })
  const fresh = claimed.filter(({ attempt }) => attempt === 1).map(({ event }) => event.id)
  assert.deepEqual(fresh.sort(), [news[1]?.id, news[2]?.id].sort())
  assert.equal(claimed.length, 3)
})

test('an event that failed waits, comes back when the destination does, and is given up in the end', async () => {
  const outbox = createOutboxStore(other.kysely)
  const [outage, refused] = [newEvent(), newEvent()]
  for (const event of [outage, refused]) await enqueueEvent(other.kysely, event, once(event.id))
  await outbox.claim(all)
  await outbox.postpone(outage.id, { nextInMs: 3_600_000, wasOutage: true })
  await outbox.postpone(refused.id, { nextInMs: 3_600_000, wasOutage: false })
  assert.equal((await outbox.claim(all)).length, 0)
  await outbox.hasten()
  const { rows } = await other.pool.query(
    `select id from notification_outbox where next_attempt_at < now() + interval '6 seconds'`,
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    [outage.id],
  )
  await outbox.retryAll()
  assert.equal((await outbox.claim(all)).length, 2)
  await outbox.postpone(outage.id, { nextInMs: null, wasOutage: true })
  await makeDue()
  assert.equal((await stateOf(outage.id)).state, 'failed')
  assert.equal((await outbox.claim(all)).length, 0, 'one is given up, the other claimed')
})

test('what one instance has delivered, the late failure of another does not bring back', async () => {
  const event = newEvent()
  await enqueueEvent(other.kysely, event, once('late'))
  const outbox = createOutboxStore(other.kysely)
  await outbox.claim(all)
  await outbox.settle(event.id, 'delivered')
  await outbox.postpone(event.id, { nextInMs: 0, wasOutage: true })
  assert.equal((await stateOf(event.id)).state, 'delivered')
})

test('the history keeps the newest thousand, and the outbox what a period may still ask for', async () => {
  await other.pool.query(`
    insert into notification_deliveries (id, event_id, event_type, destination_type, destination, status, attempt,
      duration_ms, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'budget_warning', 'webhook', 'n ' || n, 'delivered', 1, 1,
      now() - make_interval(secs => n)
    from generate_series(1, 1500) n`)
  const deliveries = createDeliveryStore(other.kysely)
  assert.equal((await deliveries.list()).length, 1_000)
  await deliveries.forgetOld()
  const { rows } = await other.pool.query('select count(*) from notification_deliveries')
  assert.equal(rows[0].count, 1_000)
  assert.equal((await deliveries.list())[0]?.destination, 'n 1')

  for (const [key, days] of [
    ['kept', 40],
    ['old', 50],
  ] as const) {
    const event = newEvent()
    await enqueueEvent(other.kysely, event, once(key))
    await other.pool.query(
      `update notification_outbox set state = 'delivered', created_at = now() - make_interval(days => $1) where id = $2`,
      [days, event.id],
    )
  }
  await createOutboxStore(other.kysely).forgetOld()
  const kept = await other.pool.query('select dedupe_key from notification_outbox')
  assert.deepEqual(kept.rows, [{ dedupe_key: 'kept' }])
})
