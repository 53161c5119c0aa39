import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Budget, budgetPresets } from '../../src/foundation/domain/budget.ts'
import type { BudgetEvent } from '../../src/foundation/domain/budget-event.ts'
import type { Snapshot } from '../../src/foundation/domain/snapshot.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import type { BudgetRequest, BudgetReservation } from '../../src/message-path/ports.ts'
import { type BudgetLimits, createBudgetLimits } from '../../src/modules/budgets/budget-limits.service.ts'
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
beforeEach(() => {
  nowMs = Date.parse('2026-11-15T12:00:00Z')
})
const midnightMs = Date.parse('2026-11-16T00:00:00Z')
const clock = { nowMs: () => nowMs, monotonicMs: () => performance.now() }

/** One instance whose snapshot never changes: nothing here is told by a poll. */
function startInstance(snapshot: () => Snapshot, events: BudgetEvent[] = []): BudgetLimits {
  return createBudgetLimits({
    findDatabase: () => own.database,
    snapshot,
    log,
    clock,
    onEvent: (event) => events.push(event),
    onAway: () => {},
    flushSpend: async () => {},
  })
}

const aBudget = (fields: Partial<Budget> = {}): Budget => ({
  scope: 'user',
  subjectId: newId(),
  limitNanoUsd: 100,
  period: 'daily',
  rules: budgetPresets.standard,
  memberLimitNanoUsd: null,
  ...fields,
})

const onTop = (budget: Budget, amountNanoUsd: number): Snapshot['userTopUps'] =>
  new Map([[budget.subjectId, [{ amountNanoUsd, endsAtMs: midnightMs }]]])

const requestOf = (budget: Budget): BudgetRequest => ({
  caller: callerOf(budget.subjectId),
  hostedModelId: 'model',
  modelId: 'us.model',
  region: 'us-east-1',
  requestBytes: 1_000,
  maxTokens: 100,
})

async function held(instance: BudgetLimits, budget: Budget): Promise<Extract<BudgetReservation, { kind: 'held' }>> {
  const reservation = await instance.gate.reserve(requestOf(budget))
  assert.ok(reservation.kind === 'held', reservation.kind)
  return reservation
}

async function spend(instance: BudgetLimits, budget: Budget, costNanoUsd: number): Promise<void> {
  const { hold } = await held(instance, budget)
  const record = asEvent(budget.subjectId, costNanoUsd, nowMs)
  hold?.settle(record)
  await instance.gate.whileStoring([record], () => createSpendLog(own.database.kysely).appendBatch([record]))
}

test('a top-up counts to the last moment of its period and ends with it, though nobody tells', async () => {
  const budget = aBudget()
  const instance = startInstance(snapshotOf([budget], onTop(budget, 50)))
  await spend(instance, budget, 120)
  nowMs = midnightMs - 1
  const last = await held(instance, budget)
  assert.deepEqual([last.view?.percent, last.view?.remainingNanoUsd, last.view?.status], [80, 30, 'warning'])
  last.hold?.release()
  nowMs = midnightMs
  const fresh = await held(instance, budget)
  assert.deepEqual([fresh.view?.percent, fresh.view?.remainingNanoUsd], [0, 100])
  fresh.hold?.release()
  await spend(instance, budget, 110)
  const refused = await instance.gate.reserve(requestOf(budget))
  assert.deepEqual([refused.kind, refused.kind === 'blocked' && refused.view.terms.limitNanoUsd], ['blocked', 100])
  await instance.close()
})

test('in a longer period that the budget was given since, a top-up still ends at its own moment', async () => {
  const budget = aBudget({ period: 'monthly' })
  const instance = startInstance(snapshotOf([budget], onTop(budget, 50)))
  await spend(instance, budget, 120)
  nowMs = midnightMs - 1
  const last = await held(instance, budget)
  last.hold?.release()
  nowMs = midnightMs
  assert.equal((await instance.gate.reserve(requestOf(budget))).kind, 'blocked')
  await instance.close()
})

test('a call that ends after the period is charged with what counted in it: no event is told for a limit that did not hold', async () => {
  const events: BudgetEvent[] = []
  const budget = aBudget()
  const instance = startInstance(snapshotOf([budget], onTop(budget, 100)), events)
  nowMs = midnightMs - 1_000
  const late = await held(instance, budget)
  const record = asEvent(budget.subjectId, 110, nowMs)
  nowMs = midnightMs + 1_000
  late.hold?.settle(record)
  assert.deepEqual(events, [], '110 of 200 are no warning')
  await instance.close()
})

test('rules, events and their limits go by the sum', async () => {
  const events: BudgetEvent[] = []
  const budget = aBudget({ rules: budgetPresets.shaped })
  const instance = startInstance(snapshotOf([budget], onTop(budget, 100)), events)
  await spend(instance, budget, 159)
  assert.deepEqual(events, [])
  await spend(instance, budget, 2)
  await spend(instance, budget, 140)
  assert.equal((await instance.gate.reserve(requestOf(budget))).kind, 'blocked')
  assert.deepEqual(
    events.map(({ type, threshold, spendNanoUsd, limitNanoUsd }) => [type, threshold, spendNanoUsd, limitNanoUsd]),
    [
      ['warning', 80, 161, 200],
      ['shaped', 100, 301, 200],
      ['blocked', 150, 301, 200],
    ],
  )
  await instance.close()
})
