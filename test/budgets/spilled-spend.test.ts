import assert from 'node:assert/strict'
import { mkdir, rename } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Budget, budgetPresets } from '../../src/foundation/domain/budget.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import { type BudgetLimits, createBudgetLimits } from '../../src/modules/budgets/budget-limits.service.ts'
import type { WritingLedger } from '../../src/modules/spend/ledger.memory.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { makeFolder, type Opened, openLedger } from '../spend/ledger-parts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { usedMemory } from '../support/used-memory.ts'
import { asEvent, callerOf, snapshotOf } from './gate-world.ts'

let own: TestDatabase
let folder: Awaited<ReturnType<typeof makeFolder>>
before(async () => {
  own = await createTestDatabase()
  folder = await makeFolder()
})
after(async () => {
  await own.drop()
  await folder.remove()
})

const { log } = createLogging({ level: 'fatal', format: 'json', write: () => {} })
const beforeMidnightMs = Date.parse('2026-11-15T23:59:00Z')
const MINUTE_MS = 60_000

const aBudget = (): Budget => ({
  scope: 'user',
  subjectId: newId(),
  limitNanoUsd: 1_000_000_000,
  period: 'daily',
  rules: budgetPresets.standard,
  memberLimitNanoUsd: null,
})

interface World extends Opened {
  readonly budgets: BudgetLimits
  nowMs: number
  isAway: boolean
  /** The next so many batches are stored, the one behind them is not. */
  batches: number
}

/** A gate and a ledger as one process has them, over a real database that can be taken away. */
async function startWorld(budget: Budget, directory: string): Promise<World> {
  await mkdir(directory)
  const state = { nowMs: beforeMidnightMs, isAway: false, batches: Number.POSITIVE_INFINITY }
  const budgets = createBudgetLimits({
    findDatabase: () => {
      if (state.isAway) throw new Error('the database is away')
      return own.database
    },
    snapshot: snapshotOf([budget]),
    log,
    clock: { nowMs: () => state.nowMs, monotonicMs: () => performance.now() },
    onAway: () => {},
    flushSpend: async () => {},
  })
  const store = async (records: readonly SpendRecord[]): Promise<readonly SpendRecord[]> => {
    if (state.isAway || state.batches-- <= 0) throw new Error('the database is away')
    return (await createSpendLog(own.database.kysely).appendBatch(records)).rejected
  }
  const write = (records: readonly SpendRecord[]) => budgets.gate.whileStoring(records, () => store(records))
  const database = { isAway: false, stored: new Map(), write }
  const opened = openLedger(directory, database, { maxInMemory: 10, onReadBack: budgets.gate.recall })
  return Object.assign(state, opened, { budgets })
}

const requestOf = ({ subjectId }: Budget) => ({
  caller: callerOf(subjectId),
  hostedModelId: 'model',
  modelId: 'us.model',
  region: 'us-east-1',
  requestBytes: 1_000,
  maxTokens: 100,
})

async function spend(world: World, budget: Budget, costs: readonly number[]): Promise<void> {
  const kept = costs.map(async (cost) => {
    const reservation = await world.budgets.gate.reserve(requestOf(budget))
    assert.ok(reservation.kind === 'held')
    const record = asEvent(budget.subjectId, cost, world.nowMs)
    reservation.hold?.settle(record)
    await world.ledger.append(record)
  })
  await Promise.all(kept)
}

async function spentOf(world: World, budget: Budget): Promise<number | undefined> {
  await world.budgets.gate.sync()
  const reservation = await world.budgets.gate.reserve(requestOf(budget))
  assert.ok(reservation.kind === 'held')
  reservation.hold?.release()
  return reservation.view?.spentNanoUsd
}

const flushed = (ledger: WritingLedger): Promise<boolean> =>
  ledger.flush().then(
    () => true,
    () => false,
  )

test('what only files know is in the budget once: in an outage over midnight, after writes that fail half-way, and in the end', async () => {
  const budget = aBudget()
  const world = await startWorld(budget, path.join(folder.path, 'exact'))
  await spend(world, budget, [1])
  await world.ledger.flush()
  world.isAway = true
  await spend(
    world,
    budget,
    Array.from({ length: 700 }, () => 3),
  )
  await flushed(world.ledger)
  assert.equal(await spentOf(world, budget), 2_101)
  world.nowMs += MINUTE_MS
  await spend(
    world,
    budget,
    Array.from({ length: 1_100 }, () => 5),
  )
  assert.equal(world.ledger.waiting(), 1_800)
  world.isAway = false
  for (let isWritten = false; !isWritten; ) {
    world.batches = 1
    isWritten = await flushed(world.ledger)
    assert.equal(await spentOf(world, budget), 5_500)
    await spend(world, budget, [0])
  }
  world.batches = Number.POSITIVE_INFINITY
  await world.ledger.flush()
  assert.equal(await spentOf(world, budget), 5_500)
  // The day before, as the clock finds it when it is set back.
  world.nowMs -= MINUTE_MS
  assert.equal(await spentOf(world, budget), 2_101)
  await world.journal.close()
  await world.budgets.close()
})

test('records of an earlier process take nothing from the budget of this one, whose numbers they may bear', async () => {
  const budget = aBudget()
  const earlier = await startWorld(budget, path.join(folder.path, 'earlier'))
  await spend(earlier, budget, [1])
  await earlier.ledger.flush()
  earlier.isAway = true
  const costs = Array.from({ length: 30 }, () => 7)
  await spend(earlier, budget, costs)
  await earlier.journal.close()
  earlier.isAway = false
  await earlier.budgets.close()
  const world = await startWorld(budget, path.join(folder.path, 'later'))
  assert.equal(await spentOf(world, budget), 1)
  world.isAway = true
  await spend(world, budget, costs)
  assert.equal(await spentOf(world, budget), 211)
  world.isAway = false
  world.adopt([path.join(folder.path, 'earlier')])
  await world.ledger.flush()
  assert.equal(await spentOf(world, budget), 421)
  await world.journal.close()
  await world.budgets.close()
})

test('what the disk does not take while memory is full is in memory and in the budget once, and leaves both when it is stored', async () => {
  const budget = aBudget()
  const directory = path.join(folder.path, 'lost')
  const world = await startWorld(budget, directory)
  await spend(world, budget, [1])
  await world.ledger.flush()
  world.isAway = true
  await spend(
    world,
    budget,
    Array.from({ length: 30 }, () => 3),
  )
  // The file that is open takes a little more; the next one cannot be made.
  await rename(directory, `${directory}-away`)
  while (!world.journal.isFailing())
    await spend(
      world,
      budget,
      Array.from({ length: 500 }, () => 0),
    )
  await spend(world, budget, [5, 5])
  assert.equal(await spentOf(world, budget), 101)
  await rename(`${directory}-away`, directory)
  world.isAway = false
  await world.ledger.flush()
  assert.equal(world.ledger.waiting(), 0)
  assert.equal(await spentOf(world, budget), 101)
  const { rows } = await own.database.pool.query(
    'select sum(cost_nano_usd)::int as spent from spend_log where user_id = $1',
    [budget.subjectId],
  )
  assert.deepEqual(rows, [{ spent: 101 }])
  await world.journal.close()
  await world.budgets.close()
})

test('a long outage takes memory for the budgets, not for the calls', async (context) => {
  const budget = aBudget()
  const world = await startWorld(budget, path.join(folder.path, 'long'))
  await spend(world, budget, [1])
  await world.ledger.flush()
  world.isAway = true
  const round = Array.from({ length: 1_000 }, () => 3)
  for (let rounds = 0; rounds < 5; rounds += 1) await spend(world, budget, round)
  const beforeBytes = usedMemory().heapUsed
  for (let rounds = 0; rounds < 40; rounds += 1) await spend(world, budget, round)
  const bytesOfCall = (usedMemory().heapUsed - beforeBytes) / 40_000
  context.diagnostic(`${bytesOfCall.toFixed(1)} bytes a call`)
  // One that is remembered takes about 180; the rest is what a heap is off by.
  assert.ok(bytesOfCall < 60, `${bytesOfCall} bytes a call`)
  assert.equal(await spentOf(world, budget), 135_001)
  await world.journal.close()
})
