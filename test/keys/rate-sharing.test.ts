import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import type { RateDecision } from '../../src/message-path/ports.ts'
import { createRateShares } from '../../src/modules/keys/rate-shares.store.ts'
import { createRateSharing, type SharedRateWindows } from '../../src/modules/keys/rate-sharing.memory.ts'
import { createRateWindows } from '../../src/modules/keys/rate-windows.memory.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
let jumpMs = 0
let isAway = false
let isHanging = false
const clock = { nowMs: () => Date.now() + jumpMs, monotonicMs: () => performance.now() + jumpMs }
const trips = { count: 0 }

before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

function startInstance(): SharedRateWindows {
  return createRateSharing({
    clock,
    instanceId: newId(),
    local: createRateWindows(clock),
    findStore: () => {
      if (isAway) return undefined
      const store = createRateShares(own.database.hot)
      return {
        ...store,
        take: (...asked) => {
          trips.count += 1
          return isHanging ? new Promise(() => {}) : store.take(...asked)
        },
        beat: (instanceId) => (isHanging ? new Promise(() => {}) : store.beat(instanceId)),
      }
    },
    onAway: (error) => console.log(error),
  })
}

async function startTwo(): Promise<readonly [SharedRateWindows, SharedRateWindows]> {
  const both = [startInstance(), startInstance()] as const
  for (const one of [...both, both[0]]) await one.sync()
  return both
}

const stopAll = async (instances: readonly SharedRateWindows[]) => {
  await Promise.all(instances.map((one) => one.close()))
}

/** The minute passes, here and in the database. */
async function wait(subject: string, ms: number): Promise<void> {
  jumpMs += ms
  await own.database.pool.query(
    `update rate_shares set used_at = array(select one - make_interval(secs => $1::float8 / 1000) from unnest(used_at) as one)
     where subject = $2`,
    [ms, subject],
  )
}

const takenOf = (decisions: readonly RateDecision[]): number => decisions.filter(({ kind }) => kind === 'taken').length

const LIMIT = 60
type Turn = (call: number) => 0 | 1
const patterns: readonly (readonly [string, Turn])[] = [
  ['in turns', (call) => (call % 2 === 0 ? 0 : 1)],
  ['all on one', () => 0],
  ['one after the other', (call) => (call < 150 ? 0 : 1)],
  ['mostly on one', (call) => (call % 10 === 0 ? 1 : 0)],
  ['in bursts', (call) => (Math.floor(call / 25) % 2 === 0 ? 0 : 1)],
]

for (const [name, turn] of patterns)
  test(`60 a minute over two instances admits 60 to 66 of 300 calls, ${name}, in this minute and in the next`, async () => {
    const both = await startTwo()
    const subject = newId()
    for (let minute = 0; minute < 2; minute += 1) {
      const decisions = await Promise.all(
        Array.from({ length: 300 }, async (_, call) => await both[turn(call)].take(subject, LIMIT)),
      )
      const taken = takenOf(decisions)
      assert.ok(taken >= LIMIT && taken <= 66, `${taken}`)
      for (const decision of decisions)
        if (decision.kind === 'limited')
          assert.ok(
            decision.retryAfterSeconds >= 59 && decision.retryAfterSeconds <= 60,
            `${decision.retryAfterSeconds}`,
          )
      await wait(subject, 60_001)
    }
    await stopAll(both)
  })

test('the window slides: half a minute later only what has left is free, and the time to come back is right to a second', async () => {
  const both = await startTwo()
  const subject = newId()
  const take = async (count: number) =>
    await Promise.all(
      Array.from({ length: count }, async (_, call) => await both[call % 2 === 0 ? 0 : 1].take(subject, LIMIT)),
    )
  assert.equal(takenOf(await take(20)), 20)
  await wait(subject, 30_000)
  const later = await take(100)
  assert.equal(takenOf(later), 40)
  const refused = later.find(({ kind }) => kind === 'limited')
  assert.ok(refused?.kind === 'limited' && refused.retryAfterSeconds >= 29 && refused.retryAfterSeconds <= 30)
  await wait(subject, 30_001)
  assert.equal(takenOf(await take(100)), 20)
  await stopAll(both)
})

test('a large limit stays within a tenth and asks the database for a small part of its calls', async () => {
  const both = await startTwo()
  const subject = newId()
  trips.count = 0
  let taken = 0
  for (let call = 0; call < 1_500; call += 1)
    if ((await both[call % 2 === 0 ? 0 : 1].take(subject, 1_000)).kind === 'taken') taken += 1
  assert.ok(taken >= 960 && taken <= 1_100, `${taken}`)
  assert.ok(trips.count < 600, `${trips.count} questions`)
  await stopAll(both)
})

test('a limit of a million stays within a tenth and costs the database no more places than one of thousands', async () => {
  const both = await startTwo()
  const subject = newId()
  trips.count = 0
  let taken = 0
  for (let call = 0; call < 1_300_000; call += 1) {
    const decision = both[call % 2 === 0 ? 0 : 1].take(subject, 1_000_000)
    if ((decision instanceof Promise ? await decision : decision).kind === 'taken') taken += 1
  }
  assert.ok(taken >= 960_000 && taken <= 1_100_000, `${taken}`)
  const { rows } = await own.database.pool.query(
    'select sum(cardinality(used_at))::int as places from rate_shares where subject = $1',
    [subject],
  )
  assert.ok(rows[0].places > 0 && rows[0].places <= 3_000, `${rows[0].places} places`)
  await stopAll(both)
})

test('calls of a key far from its limit ask nobody on their way; every second the others learn of them', async () => {
  const both = await startTwo()
  const subject = newId()
  trips.count = 0
  for (let second = 1; second <= 4; second += 1) {
    for (const one of both)
      for (let call = 0; call < 20; call += 1) {
        const decision = one.take(subject, 1_000)
        assert.ok(!(decision instanceof Promise) && decision.kind === 'taken')
      }
    for (const one of both) await one.sync()
    // The second one told its calls after the first had.
    const place = await both[1].take(subject, 1_000)
    assert.ok(place.kind === 'taken')
    assert.equal(place.remaining, 1_000 - 40 * second - 1)
    both[1].giveBack(subject, place.takenAtMs)
  }
  assert.equal(trips.count, 0)
  await stopAll(both)
})

for (const limitRpm of [100, 200, 1_000])
  test(`${limitRpm} a minute in a burst on two instances that have told each other nothing stays within a tenth`, async () => {
    const both = await startTwo()
    const subject = newId()
    const decisions = await Promise.all(
      Array.from(
        { length: limitRpm * 2 },
        async (_, call) => await both[call % 2 === 0 ? 0 : 1].take(subject, limitRpm),
      ),
    )
    const taken = takenOf(decisions)
    // Some places of a parcel may be on the instance that has no calls left for them.
    assert.ok(taken >= limitRpm * 0.96 && taken <= limitRpm * 1.1, `${taken}`)
    await stopAll(both)
  })

test('alone it is exact and asks nobody; what was admitted alone counts when a second instance comes', async () => {
  const first = startInstance()
  await first.sync()
  const subject = newId()
  trips.count = 0
  const alone = Array.from({ length: 50 }, () => first.take(subject, LIMIT))
  assert.ok(alone.every((decision) => !(decision instanceof Promise) && decision.kind === 'taken'))
  assert.equal(trips.count, 0)
  const second = startInstance()
  await second.sync()
  await first.sync()
  const decisions = await Promise.all(Array.from({ length: 50 }, async () => await second.take(subject, LIMIT)))
  assert.equal(takenOf(decisions), 10)
  await stopAll([first, second])
})

test('what an instance has admitted counts for a minute after it is gone, on the one that is left', async () => {
  const [first, gone] = await startTwo()
  const subject = newId()
  const takeAll = async () =>
    takenOf(await Promise.all(Array.from({ length: 100 }, async () => await first.take(subject, LIMIT))))
  for (let call = 0; call < 40; call += 1) assert.equal((await gone.take(subject, LIMIT)).kind, 'taken')
  await gone.sync()
  await gone.close()
  await first.sync()
  assert.equal(await takeAll(), LIMIT - 40)
  await wait(subject, 60_001)
  await first.sync()
  trips.count = 0
  assert.equal(await takeAll(), LIMIT)
  assert.equal(trips.count, 0)
  await stopAll([first])
})

test('what was admitted alone counts also of a key that was shared before', async () => {
  const [first, gone] = await startTwo()
  const subject = newId()
  await gone.close()
  await wait(subject, 30_000)
  assert.equal((await first.take(subject, LIMIT)).kind, 'taken')
  await wait(subject, 30_001)
  await first.sync()
  const alone = Array.from({ length: 50 }, () => first.take(subject, LIMIT))
  assert.ok(alone.every((decision) => !(decision instanceof Promise) && decision.kind === 'taken'))
  const second = startInstance()
  await second.sync()
  await first.sync()
  const decisions = await Promise.all(Array.from({ length: 50 }, async () => await second.take(subject, LIMIT)))
  assert.equal(takenOf(decisions), LIMIT - 51)
  await stopAll([first, second])
})

test('what was admitted alone under a large limit counts as that share of it', async () => {
  const first = startInstance()
  await first.sync()
  const subject = newId()
  const limitRpm = 30_000
  for (let call = 0; call < 20_000; call += 1) assert.equal((await first.take(subject, limitRpm)).kind, 'taken')
  const second = startInstance()
  await second.sync()
  await first.sync()
  let taken = 0
  for (let call = 0; call < 15_000; call += 1) if ((await second.take(subject, limitRpm)).kind === 'taken') taken += 1
  assert.ok(taken >= 9_400 && taken <= 13_000, `${taken}`)
  await stopAll([first, second])
})

test('a place that was given back is free on both', async () => {
  const both = await startTwo()
  const subject = newId()
  const place = await both[0].take(subject, 1)
  assert.ok(place.kind === 'taken')
  assert.equal((await both[1].take(subject, 1)).kind, 'limited')
  both[0].giveBack(subject, place.takenAtMs)
  while ((await both[1].take(subject, 1)).kind === 'limited') await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal((await both[0].take(subject, 1)).kind, 'limited')
  await stopAll(both)
})

test('what is left is told without the calls of a parcel that were given back', async () => {
  const both = await startTwo()
  const subject = newId()
  // Ten calls ask nobody; the next brings a parcel of eight, of which seven are left.
  for (let call = 0; call < 11; call += 1) assert.equal((await both[0].take(subject, 400)).kind, 'taken')
  for (let call = 0; call < 7; call += 1) {
    const decision = both[0].take(subject, 400)
    assert.ok(!(decision instanceof Promise) && decision.kind === 'taken')
    assert.equal(decision.remaining, 388)
    both[0].giveBack(subject, decision.takenAtMs)
  }
  await stopAll(both)
})

test('calls that are given back under a large limit free no more places than they took', async () => {
  const LARGE = 6_000
  const both = await startTwo()
  const subject = newId()
  let served = 0
  for (let call = 0; call < 3 * LARGE; call += 1) {
    const instance = both[call % 2 === 0 ? 0 : 1]
    const decision = await instance.take(subject, LARGE)
    if (decision.kind === 'limited') continue
    // Every second call of each instance comes to nothing, such as one for a model that is not there.
    if (call % 4 < 2) served += 1
    else instance.giveBack(subject, decision.takenAtMs)
  }
  assert.ok(served >= LARGE * 0.9 && served <= LARGE * 1.1, `${served}`)
  await stopAll(both)
})

test('without the database each instance keeps the limit for itself', async () => {
  const both = await startTwo()
  const subject = newId()
  isAway = true
  for (const one of both) {
    const decisions = await Promise.all(Array.from({ length: 10 }, async () => await one.take(subject, 4)))
    assert.equal(takenOf(decisions), 4)
  }
  isAway = false
  await stopAll(both)
})

test('a database that hangs is waited for once, and then only by the exchange of every second', async () => {
  const [first, other] = await startTwo()
  const subject = newId()
  isHanging = true
  const before = trips.count
  assert.equal((await first.take(subject, LIMIT)).kind, 'taken')
  assert.equal(trips.count, before + 1)
  await first.sync()
  jumpMs += 5_000
  for (let call = 0; call < 20; call += 1) assert.equal((await first.take(subject, LIMIT)).kind, 'taken')
  assert.equal(trips.count, before + 1)
  isHanging = false
  await first.sync()
  await first.take(subject, LIMIT)
  assert.equal(trips.count, before + 2, 'as before once it answers')
  await stopAll([first, other])
})
