import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateSharing } from './rate-sharing.memory.ts'
import { createRateWindows } from './rate-windows.memory.ts'

/** One of two instances, whose database is a list of what it was told and a figure that it answers. */
async function startShared() {
  const time = { ms: 0 }
  const clock = { nowMs: () => time.ms, monotonicMs: () => time.ms }
  const told: number[] = []
  const asked: number[] = []
  const troubles: unknown[] = []
  const answers = { used: 0, isBroken: false, isFull: false }
  const sharing = createRateSharing({
    clock,
    instanceId: 'one',
    local: createRateWindows(clock),
    findStore: () => ({
      beat: async () => 2,
      publish: async () => undefined,
      tell: async (_instance, news) => {
        if (answers.isBroken) throw new Error('the database is away')
        told.push(...news.map(({ places }) => places))
        return new Map(news.map(({ subject }) => [subject, answers.used]))
      },
      take: async (_subject, _instance, _limit, wanted) => {
        asked.push(wanted)
        if (answers.isFull) return { granted: 0, used: answers.used, freeInMs: 5_000 }
        return { granted: wanted, used: answers.used + wanted, freeInMs: 0 }
      },
      giveBack: async () => undefined,
      forgetInstance: async () => undefined,
      forgetOld: async () => undefined,
    }),
    onAway: (error) => troubles.push(error),
  })
  await sharing.sync()
  return { sharing, told, asked, troubles, answers, time }
}

async function takeMany({ sharing }: Awaited<ReturnType<typeof startShared>>, calls: number, limitRpm: number) {
  let latest = await sharing.take('key', limitRpm)
  for (let call = 1; call < calls; call += 1) latest = await sharing.take('key', limitRpm)
  return latest
}

test('a fortieth of the limit is admitted by each of two instances without a question, and the next call asks', async () => {
  const shared = await startShared()
  await takeMany(shared, 25, 1_000)
  assert.deepEqual([shared.told, shared.asked], [[], []])
  await takeMany(shared, 1, 1_000)
  assert.deepEqual(shared.told, [25], 'what nobody knew of is told before the question')
  assert.equal(shared.asked.length, 1)
})

test('a limit that leaves two calls without a question uses them, one that leaves a single one asks for every call', async () => {
  const roomy = await startShared()
  await takeMany(roomy, 2, 80)
  assert.equal(roomy.asked.length, 0)
  const tight = await startShared()
  await takeMany(tight, 2, 79)
  assert.equal(tight.asked.length, 2)
})

test('whose calls have used half of the limit is asked about', async () => {
  for (const [used, questions] of [
    [499, 0],
    [500, 1],
  ] as const) {
    const shared = await startShared()
    await takeMany(shared, 1, 1_000)
    shared.answers.used = used
    await shared.sharing.sync()
    await takeMany(shared, 1, 1_000)
    assert.equal(shared.asked.length, questions, `${used} used`)
  }
})

test('of a large limit whole places are told, and calls that make none yet stay in the count', async () => {
  const shared = await startShared()
  // Four calls of this limit share a place.
  await takeMany(shared, 10, 12_000)
  shared.answers.used = 5
  await shared.sharing.sync()
  assert.deepEqual(shared.told, [2])
  const next = await takeMany(shared, 1, 12_000)
  assert.equal(next.kind === 'taken' && next.remaining, 12_000 - (5 * 4 + 2) - 1)
  await takeMany(shared, 1, 12_000)
  await shared.sharing.sync()
  assert.deepEqual(shared.told, [2, 1], 'the two that were left and the two since then')
  await shared.sharing.sync()
  assert.deepEqual(shared.told, [2, 1], 'with no news nothing is told')
})

test('what could not be told is told later, all of it, and somebody hears of the trouble', async () => {
  const shared = await startShared()
  await takeMany(shared, 10, 12_000)
  shared.answers.isBroken = true
  await shared.sharing.sync()
  assert.deepEqual([shared.told, shared.troubles.length], [[], 1])
  shared.answers.isBroken = false
  await takeMany(shared, 2, 12_000)
  await shared.sharing.sync()
  assert.deepEqual(shared.told, [3])
})

test('a question brings a fiftieth of the limit, and what is left counts down from what all have used', async () => {
  const shared = await startShared()
  await takeMany(shared, 25, 1_000)
  shared.answers.used = 125
  for (let call = 1; call <= 20; call += 1) {
    const taken = await takeMany(shared, 1, 1_000)
    assert.equal(taken.kind === 'taken' && taken.remaining, 1_000 - 125 - call)
  }
  assert.deepEqual(shared.asked, [20])
})

test('calls that wait together are asked for together, in whole places', async () => {
  const shared = await startShared()
  await takeMany(shared, 4, 12_000)
  shared.answers.used = 1_500
  await shared.sharing.sync()
  const first = shared.sharing.take('key', 12_000)
  const others = Array.from({ length: 298 }, () => shared.sharing.take('key', 12_000))
  for (const decision of await Promise.all([first, ...others])) assert.equal(decision.kind, 'taken')
  // The first is asked about at once; four calls of this limit share a place.
  assert.deepEqual(shared.asked, [60, 75])
})

test('that there is no place is believed for a fifth of a second, and the client is told when there will be one', async () => {
  const shared = await startShared()
  shared.answers.isFull = true
  const refused = { kind: 'limited', retryAfterSeconds: 5 }
  assert.deepEqual(await takeMany(shared, 1, 20), refused)
  shared.time.ms = 199
  assert.deepEqual(await takeMany(shared, 1, 20), refused)
  assert.equal(shared.asked.length, 1)
  shared.time.ms = 200
  shared.answers.isFull = false
  assert.equal((await takeMany(shared, 1, 20)).kind, 'taken')
  assert.equal(shared.asked.length, 2)
})
