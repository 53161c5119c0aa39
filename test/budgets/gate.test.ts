import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { DatabaseLink } from '../../src/foundation/database/database-link.ts'
import { type Budget, budgetPresets } from '../../src/foundation/domain/budget.ts'
import type { BudgetEvent } from '../../src/foundation/domain/budget-event.ts'
import type { Snapshot } from '../../src/foundation/domain/snapshot.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId, newRequestId } from '../../src/foundation/platform/ids.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import type { BudgetRequest, BudgetReservation } from '../../src/message-path/ports.ts'
import { type BudgetLimits, createBudgetLimits } from '../../src/modules/budgets/budget-limits.service.ts'
import { createRateLimits } from '../../src/modules/keys/module.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { asEvent, callerOf, snapshotOf } from './gate-world.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const { log } = createLogging({ level: 'fatal', format: 'json', write: () => {} })
let nowMs = 0
let isAway = false
beforeEach(() => {
  nowMs = Date.parse('2026-11-15T23:59:00Z')
  isAway = false
})
const clock = { nowMs: () => nowMs, monotonicMs: () => performance.now() }

/** One instance, without a gateway around it. */
function startInstance(
  snapshot: () => Snapshot,
  events: BudgetEvent[] = [],
  onHurry: () => void = () => {},
): BudgetLimits & {
  readonly store: (records: readonly SpendRecord[]) => Promise<void>
} {
  const budgets = createBudgetLimits({
    findDatabase: () => {
      if (isAway) throw new Error('the database is away')
      return own.database
    },
    snapshot,
    log,
    clock,
    onEvent: (event) => events.push(event),
    onAway: () => {},
    flushSpend: async () => onHurry(),
  })
  const store = async (records: readonly SpendRecord[]): Promise<void> => {
    await budgets.gate.whileStoring(records, () => createSpendLog(own.database.kysely).appendBatch(records))
  }
  return { ...budgets, store }
}

const aBudget = (limitNanoUsd: number, fields: Partial<Budget> = {}): Budget => ({
  scope: 'user',
  subjectId: newId(),
  limitNanoUsd,
  period: 'daily',
  rules: budgetPresets.standard,
  memberLimitNanoUsd: null,
  ...fields,
})

const requestOf = (budget: Budget): BudgetRequest => ({
  caller: callerOf(budget.subjectId),
  hostedModelId: 'model',
  modelId: 'us.model',
  region: 'us-east-1',
  requestBytes: 1_000,
  maxTokens: 100,
})

/** As if so much time had passed since their holders were last heard of. */
async function endLeases(budget: Budget): Promise<void> {
  const account = `user:${budget.subjectId}%`
  await own.database.pool.query('update budget_leases set expires_at = now() where account like $1', [account])
}

type Held = Extract<BudgetReservation, { kind: 'held' }>

async function held(instance: BudgetLimits, budget: Budget): Promise<Held> {
  const reservation = await instance.gate.reserve(requestOf(budget))
  assert.ok(reservation.kind === 'held', reservation.kind)
  return reservation
}

/** One call that costs so much, to its end. */
async function spend(instance: ReturnType<typeof startInstance>, budget: Budget, costNanoUsd: number): Promise<Held> {
  const reservation = await held(instance, budget)
  const record = asEvent(budget.subjectId, costNanoUsd, nowMs)
  reservation.hold?.settle(record)
  await instance.store([record])
  return reservation
}

test('spend lands in the period in which the call came, and a new period starts from nothing at midnight UTC', async () => {
  const budget = aBudget(100)
  const instance = startInstance(snapshotOf([budget]))
  nowMs = Date.parse('2026-11-15T23:59:59.999Z')
  const late = await held(instance, budget)
  assert.equal(late.view?.resetsAtMs, Date.parse('2026-11-16T00:00:00Z'))
  const record = asEvent(budget.subjectId, 100, nowMs)
  nowMs = Date.parse('2026-11-16T00:00:00.000Z')
  late.hold?.settle(record)
  await instance.store([record])
  const fresh = await held(instance, budget)
  assert.deepEqual([fresh.view?.percent, fresh.view?.status], [0, 'ok'])
  assert.equal(fresh.view?.resetsAtMs, Date.parse('2026-11-17T00:00:00Z'))
  fresh.hold?.release()
  // A clock that is set back finds the old day as it was left.
  nowMs = Date.parse('2026-11-15T23:59:59.999Z')
  assert.equal((await instance.gate.reserve(requestOf(budget))).kind, 'blocked')
  await instance.close()
})

test('whoever waits at the border of a budget when its period ends is not told to stay away: the next try is in the new one', async () => {
  const budget = aBudget(100)
  const instance = startInstance(snapshotOf([budget]))
  nowMs = Date.parse('2026-11-15T23:59:59.000Z')
  const running = await held(instance, budget)
  const waiting = instance.gate.reserve(requestOf(budget))
  const record = asEvent(budget.subjectId, 100, nowMs)
  nowMs = Date.parse('2026-11-16T00:00:01.000Z')
  running.hold?.settle(record)
  await instance.store([record])
  assert.equal((await waiting).kind, 'busy')
  const next = await held(instance, budget)
  assert.deepEqual([next.view?.percent, next.view?.resetsAtMs], [0, Date.parse('2026-11-17T00:00:00Z')])
  next.hold?.release()
  await instance.close()
})

for (const [period, last, next] of [
  ['weekly', '2026-11-15T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
  ['monthly', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
] as const)
  test(`a ${period} budget ends with its period and not before`, async () => {
    const budget = aBudget(100, { period })
    const instance = startInstance(snapshotOf([budget]))
    nowMs = Date.parse(last) - 2 * 86_400_000
    await spend(instance, budget, 100)
    nowMs = Date.parse(last)
    assert.equal((await instance.gate.reserve(requestOf(budget))).kind, 'blocked')
    nowMs = Date.parse(next)
    assert.equal((await held(instance, budget)).view?.percent, 0)
    await instance.close()
  })

test('a restart and a replay of the same records lose nothing and count nothing twice', async () => {
  const budget = aBudget(100)
  const first = startInstance(snapshotOf([budget]))
  const reservation = await held(first, budget)
  const record = asEvent(budget.subjectId, 60, nowMs)
  reservation.hold?.settle(record)
  // It dies before the record is stored; another process finds it in the journal and stores it, twice.
  const second = startInstance(snapshotOf([budget]))
  await endLeases(budget)
  await second.store([record])
  await second.store([record])
  assert.equal((await held(second, budget)).view?.spentNanoUsd, 60)
  await Promise.all([first.close(), second.close()])
})

test('what a dead instance held is free again after its lease', async () => {
  const budget = aBudget(100)
  const dead = startInstance(snapshotOf([budget]))
  await held(dead, budget)
  const alive = startInstance(snapshotOf([budget]))
  const waiting = alive.gate.reserve(requestOf(budget))
  await endLeases(budget)
  const reservation = await waiting
  assert.equal(reservation.kind, 'held')
  await Promise.all([dead.close(), alive.close()])
})

test('spend on one instance is seen by the other with the next exchange', async () => {
  const budget = aBudget(1_000_000_000_000)
  const [one, two] = [startInstance(snapshotOf([budget])), startInstance(snapshotOf([budget]))]
  await spend(two, budget, 1)
  await spend(one, budget, 500_000_000_000)
  assert.equal((await held(one, budget)).view?.percent.toFixed(2), '50.00', 'at once on the same instance')
  await two.sync()
  assert.equal((await held(two, budget)).view?.percent.toFixed(2), '50.00')
  await Promise.all([one.close(), two.close()])
})

test('each rule is told once, a jump over several tells each, and a refusal tells the block', async () => {
  const events: BudgetEvent[] = []
  const budget = aBudget(100, { rules: budgetPresets.shaped })
  const team = aBudget(1_000, { scope: 'team' })
  const instance = startInstance(snapshotOf([budget, team]), events)
  const brief = () => events.splice(0).map(({ type, threshold, spendNanoUsd }) => [type, threshold, spendNanoUsd])
  await spend(instance, budget, 79)
  assert.deepEqual(brief(), [])
  await spend(instance, budget, 40)
  assert.deepEqual(brief(), [
    ['warning', 80, 119],
    ['shaped', 100, 119],
  ])
  await spend(instance, budget, 50)
  assert.deepEqual(brief(), [['blocked', 150, 169]])
  assert.equal((await instance.gate.reserve(requestOf(budget))).kind, 'blocked')
  assert.deepEqual(brief(), [])
  await instance.close()
  // A process that finds the budget used up tells it again: who delivers keeps it to once.
  const later = startInstance(snapshotOf([budget]), events)
  assert.equal((await later.gate.reserve(requestOf(budget))).kind, 'blocked')
  assert.deepEqual(
    events.map(({ type, scope, subjectId, limitNanoUsd, period, periodStartMs }) => [
      type,
      scope,
      subjectId === budget.subjectId,
      limitNanoUsd,
      period,
      new Date(periodStartMs).toISOString(),
    ]),
    ['warning', 'shaped', 'blocked'].map((type) => [type, 'user', true, 100, 'daily', '2026-11-15T00:00:00.000Z']),
  )
  await later.close()
})

test('a rule that is made stricter at the same percentage is told again as what it is now', async () => {
  const events: BudgetEvent[] = []
  const budget = aBudget(100, { rules: [{ atPercent: 100, action: 'notify' }] })
  let snapshot = snapshotOf([budget])()
  const instance = startInstance(() => snapshot, events)
  await spend(instance, budget, 110)
  snapshot = snapshotOf([{ ...budget, rules: [{ atPercent: 100, action: 'block' }] }])()
  for (let call = 0; call < 2; call += 1) assert.equal((await instance.gate.reserve(requestOf(budget))).kind, 'blocked')
  assert.deepEqual(
    events.map(({ type, threshold }) => [type, threshold]),
    [
      ['warning', 100],
      ['blocked', 100],
    ],
  )
  await instance.close()
})

test('a call that ends after its budget was raised, lowered, removed or given another period tells what holds then', async () => {
  for (const [changed, told] of [
    [{ limitNanoUsd: 1_000 }, []],
    [{ period: 'monthly' }, []],
    [undefined, []],
    [{ limitNanoUsd: 110 }, [['warning', 80, 110]]],
  ] as const) {
    const events: BudgetEvent[] = []
    const budget = aBudget(100)
    let snapshot = snapshotOf([budget])()
    const instance = startInstance(() => snapshot, events)
    const running = await held(instance, budget)
    snapshot = snapshotOf(changed === undefined ? [] : [{ ...budget, ...changed }])()
    const record = asEvent(budget.subjectId, 100, nowMs)
    running.hold?.settle(record)
    await instance.store([record])
    await instance.sync()
    assert.deepEqual(
      events.map(({ type, threshold, limitNanoUsd }) => [type, threshold, limitNanoUsd]),
      told,
    )
    await instance.close()
  }
})

test('a budget that is lowered below what is spent tells each rule that is jumped over, with the first refusal', async () => {
  const events: BudgetEvent[] = []
  const budget = aBudget(100)
  let snapshot = snapshotOf([budget])()
  const instance = startInstance(() => snapshot, events)
  await spend(instance, budget, 50)
  // So that the spend is known here, and the refusal needs no question.
  await instance.sync()
  snapshot = snapshotOf([{ ...budget, limitNanoUsd: 40 }])()
  assert.equal((await instance.gate.reserve(requestOf(budget))).kind, 'blocked')
  assert.deepEqual(
    events.map(({ type, threshold, limitNanoUsd }) => [type, threshold, limitNanoUsd]),
    [
      ['warning', 80, 40],
      ['blocked', 100, 40],
    ],
  )
  await instance.close()
})

test('what a team gives its members is told at the end of a call as it is then', async () => {
  const events: BudgetEvent[] = []
  const team = aBudget(1_000, { scope: 'team', memberLimitNanoUsd: 100 })
  const caller = callerOf(newId(), team.subjectId)
  const people = { users: new Map([[caller.user?.id, caller.user]]) }
  let snapshot = { ...snapshotOf([team])(), ...people } as Snapshot
  const instance = startInstance(() => snapshot, events)
  for (const [cost, limit] of [
    [50, 100],
    [40, 1_000],
    [720, 1_000],
  ] as const) {
    const running = await instance.gate.reserve({ ...requestOf(team), caller })
    assert.ok(running.kind === 'held', running.kind)
    snapshot = {
      ...snapshotOf([{ ...team, limitNanoUsd: 10_000, memberLimitNanoUsd: limit }])(),
      ...people,
    } as Snapshot
    const record = asEvent(caller.user?.id ?? '', cost, nowMs)
    running.hold?.settle(record)
    await instance.store([record])
  }
  assert.deepEqual(
    events.map(({ type, scope, spendNanoUsd, limitNanoUsd }) => [type, scope, spendNanoUsd, limitNanoUsd]),
    [['warning', 'user', 810, 1_000]],
  )
  await instance.close()
})

test('without the database the known stay known when a new period begins', async () => {
  const [known, stranger] = [aBudget(100), aBudget(100)]
  const instance = startInstance(snapshotOf([known, stranger]))
  await spend(instance, known, 100)
  assert.equal((await instance.gate.reserve(requestOf(known))).kind, 'blocked')
  isAway = true
  for (const day of ['2026-11-16T00:00:00Z', '2026-11-17T12:00:00Z']) {
    nowMs = Date.parse(day)
    const during = await held(instance, known)
    assert.equal((await instance.gate.reserve(requestOf(stranger))).kind, 'unknown')
    during.hold?.settle(asEvent(known.subjectId, 100, nowMs))
    assert.equal((await instance.gate.reserve(requestOf(known))).kind, 'blocked')
  }
  isAway = false
})

test('without the database the known are judged by the last known spend, the blocked stay blocked, the unknown wait', async () => {
  const [known, blocked, stranger] = [aBudget(100), aBudget(100), aBudget(100)]
  const lenient = aBudget(100, { rules: [{ atPercent: 50, action: 'notify' }] })
  const instance = startInstance(snapshotOf([known, blocked, stranger, lenient]))
  await spend(instance, known, 40)
  await spend(instance, blocked, 100)
  assert.equal((await instance.gate.reserve(requestOf(blocked))).kind, 'blocked')
  isAway = true
  assert.equal((await instance.gate.reserve(requestOf(blocked))).kind, 'blocked')
  assert.equal((await instance.gate.reserve(requestOf(stranger))).kind, 'unknown')
  assert.equal((await instance.gate.reserve(requestOf(lenient))).kind, 'held')
  const during = await held(instance, known)
  during.hold?.settle(asEvent(known.subjectId, 60, nowMs))
  assert.equal((await instance.gate.reserve(requestOf(known))).kind, 'blocked')
  isAway = false
})

test('where hundreds of thousands of budgets stand is told in their order, however long it takes', async () => {
  const spent = aBudget(100)
  const instance = startInstance(snapshotOf([spent]))
  await spend(instance, spent, 50)
  const standings = await instance.readStandings([...Array.from({ length: 200_000 }, () => aBudget(100)), spent])
  assert.equal(standings.length, 200_001)
  assert.deepEqual([standings[0]?.percent, standings.at(-1)?.percent], [0, 50])
  await instance.close()
})

test('a record that is in the database and not yet confirmed counts once', async () => {
  const budget = aBudget(100)
  const instance = startInstance(snapshotOf([budget]))
  const reserved = await held(instance, budget)
  const record = asEvent(budget.subjectId, 50, nowMs)
  reserved.hold?.settle(record)
  const stored = Promise.withResolvers<void>()
  const confirmed = Promise.withResolvers<void>()
  const storing = instance.gate.whileStoring([record], async () => {
    await createSpendLog(own.database.kysely).appendBatch([record])
    stored.resolve()
    await confirmed.promise
  })
  await stored.promise
  const asking = instance.readStandings([budget])
  setTimeout(confirmed.resolve, 20)
  assert.deepEqual(
    (await asking).map(({ percent }) => percent),
    [50],
  )
  await storing
  await instance.close()
})

test('a warm call with a budget of its user and of its team is admitted from memory, without waiting', async () => {
  const budget = aBudget(1e15)
  const team = aBudget(1e15, { scope: 'team', period: 'monthly' })
  const instance = startInstance(snapshotOf([budget, team]))
  const request = { ...requestOf(budget), caller: callerOf(budget.subjectId, team.subjectId) }
  const first = await instance.gate.reserve(request)
  assert.ok(first.kind === 'held')
  const link = { isConfigured: true, find: () => own.database } as unknown as DatabaseLink
  const rateLimits = createRateLimits({ instanceId: newId(), link, clock }, (error) => assert.fail(String(error)))
  let waited = 0
  for (let call = 0; call < 2_000; call += 1) {
    const reservation = instance.gate.reserve(request)
    if (reservation instanceof Promise) waited += 1
    const done = await reservation
    assert.ok(done.kind === 'held')
    done.hold?.settle({ ...asEvent(budget.subjectId, 0, nowMs), requestId: newRequestId() })
    assert.ok(!(rateLimits.take(budget.subjectId, 1_000_000) instanceof Promise))
  }
  assert.equal(waited, 0)
  await instance.close()
})

test('who waits at the border of a budget while the database is away asks nobody to write to it', async () => {
  const budget = aBudget(1_000)
  let hurried = 0
  const instance = startInstance(snapshotOf([budget]), [], () => {
    hurried += 1
  })
  await spend(instance, budget, 100)
  isAway = true
  ;(await held(instance, budget)).hold?.settle(asEvent(budget.subjectId, 100, nowMs))
  const running: Held[] = []
  const waiting = (async () => {
    for (;;) {
      const reservation = await instance.gate.reserve(requestOf(budget))
      if (reservation.kind !== 'held') return reservation.kind
      running.push(reservation)
    }
  })()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  assert.equal(hurried, 0)
  for (const { hold } of running) hold?.settle(asEvent(budget.subjectId, 1_000, nowMs))
  assert.equal(await waiting, 'blocked')
  isAway = false
  await instance.close()
})
