/**
 * What money costs: the CPU of admitting a call of a warm key with two budgets and a rate limit, and how many records a
 * second the ledger writes on one core. `node bench/money.ts [--seconds 20] [--save]`
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { DatabaseLink } from '../src/foundation/database/database-link.ts'
import { type Budget, budgetPresets } from '../src/foundation/domain/budget.ts'
import { systemClock } from '../src/foundation/platform/clock.ts'
import { newId, newRequestId } from '../src/foundation/platform/ids.ts'
import { createLogging } from '../src/foundation/platform/logger.ts'
import { createBudgetLimits } from '../src/modules/budgets/budget-limits.service.ts'
import { createRateLimits } from '../src/modules/keys/module.ts'
import { asEvent, callerOf, snapshotOf } from '../test/budgets/gate-world.ts'
import { measureLedger } from '../test/spend/throughput.ts'
import { createTestDatabase } from '../test/support/database.ts'
import { busyShare, cpuMicros, loadAverage, MEASURED_CORE, machineFacts, median } from './machine.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, save: { type: 'boolean', default: false } },
})

const RECORDS_PER_SECOND = 5_000
const GOAL_ADMISSION_MICROS = 30

/** Rounds, of which the median counts: another process may have the core for a moment. */
async function measureAdmission(): Promise<{ readonly rounds: readonly number[]; readonly medianMicros: number }> {
  const own = await createTestDatabase()
  const { log } = createLogging({ level: 'fatal', format: 'json', write: () => {} })
  const budget = (scope: Budget['scope']): Budget => ({
    scope,
    subjectId: newId(),
    limitNanoUsd: 1e15,
    period: 'monthly',
    rules: budgetPresets.standard,
    memberLimitNanoUsd: null,
  })
  const [user, team] = [budget('user'), budget('team')]
  const instance = createBudgetLimits({
    findDatabase: () => own.database,
    snapshot: snapshotOf([user, team]),
    log,
    onAway: () => {},
    flushSpend: async () => {},
  })
  const link = { isConfigured: true, find: () => own.database } as unknown as DatabaseLink
  const rateLimits = createRateLimits({ instanceId: newId(), link, clock: systemClock }, () => {})
  const request = {
    caller: callerOf(user.subjectId, team.subjectId),
    hostedModelId: 'model',
    modelId: 'us.model',
    region: 'us-east-1',
    requestBytes: 100_000,
    maxTokens: 32_000,
  }
  const template = asEvent(user.subjectId, 0, Date.now())
  const once = async (): Promise<void> => {
    const rate = rateLimits.take(user.subjectId, 1_000_000)
    if (rate instanceof Promise) await rate
    const reserving = instance.gate.reserve(request)
    const reserved = reserving instanceof Promise ? await reserving : reserving
    if (reserved.kind !== 'held') throw new Error(reserved.kind)
    reserved.hold?.settle({ ...template, requestId: newRequestId() })
  }
  for (let call = 0; call < 5_000; call += 1) await once()
  const rounds: number[] = []
  for (let round = 0; round < 7; round += 1) {
    const before = cpuMicros(process.pid)
    for (let call = 0; call < 10_000; call += 1) await once()
    rounds.push(Math.round((cpuMicros(process.pid) - before) / 100) / 100)
  }
  await instance.close()
  await own.drop()
  return { rounds, medianMicros: median(rounds) }
}

const machine = { ...machineFacts(), loadBefore: loadAverage(), othersBusy: await busyShare() }
spawnSync('taskset', ['-apc', String(MEASURED_CORE), String(process.pid)])
const admission = await measureAdmission()
const ledger = await measureLedger(Number(values.seconds), RECORDS_PER_SECOND)
const report = {
  at: new Date().toISOString(),
  machine: { ...machine, loadAfter: loadAverage() },
  admission: {
    ...admission,
    goalMicros: GOAL_ADMISSION_MICROS,
    reached: admission.medianMicros < GOAL_ADMISSION_MICROS,
  },
  ledger: {
    ...ledger,
    goalPerSecond: RECORDS_PER_SECOND,
    reached: ledger.recordsPerSecond >= 0.98 * RECORDS_PER_SECOND,
  },
}
console.log(JSON.stringify(report, null, 2))
if (values.save) {
  const file = path.join(import.meta.dirname, 'results', `money-${report.at.slice(0, 10)}-${machine.commit}.json`)
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}
process.exit(0)
