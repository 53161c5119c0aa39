/** A steady stream of records through the journal into the database: what it costs, and how far behind the database is. */
import { cpuMicros, rssKilobytes } from '../../bench/machine.ts'
import type { Database } from '../../src/foundation/database/database.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder, openLedger } from './ledger-parts.ts'

export interface LedgerMeasure {
  readonly sent: number
  readonly stored: number
  readonly wallSeconds: number
  readonly recordsPerSecond: number
  /** Of the process of the ledger, journal included; making the records too. */
  readonly cpuMicrosPerRecord: number
  /** Of the server's processes that served it. */
  readonly databaseMicrosPerRecord: number
  readonly shareOfOneCore: number
  readonly longestQueue: number
  readonly oldestRecordSeconds: number
  readonly memoryGrownMb: number
}

export async function measureLedger(seconds: number, recordsPerSecond: number): Promise<LedgerMeasure> {
  const own = await createTestDatabase()
  const folder = await makeFolder()
  const log = createSpendLog(own.database.kysely)
  const write = async (records: readonly SpendRecord[]) => (await log.appendBatch(records)).rejected
  const { ledger, journal } = openLedger(folder.path, { isAway: false, stored: new Map(), write })
  const subjects = Array.from({ length: 200 }, () => ({ userId: newId(), keyId: newId(), teamId: newId() }))
  const rssBefore = rssKilobytes(process.pid)
  const cpuBefore = cpuMicros(process.pid)
  const serverBefore = await serverMicros(own.database)
  const startedMs = performance.now()
  let sent = 0
  let longestQueue = 0
  let oldestMs = 0
  let flushing = Promise.resolve()
  const timer = setInterval(() => {
    longestQueue = Math.max(longestQueue, ledger.waiting())
    oldestMs = Math.max(oldestMs, ledger.oldestAgeMs())
    flushing = flushing.then(() => ledger.flush())
  }, 250)
  while (performance.now() - startedMs < seconds * 1_000) {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * recordsPerSecond) - sent
    const atMs = Date.now()
    const fresh = Array.from({ length: due }, (_, index) =>
      aSpendRecord({ atMs, sessionId: null, ...subjects[(sent + index) % subjects.length] }),
    )
    sent += due
    await Promise.all(fresh.map(ledger.append))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  clearInterval(timer)
  await flushing
  await ledger.flush()
  const wallSeconds = (performance.now() - startedMs) / 1_000
  const cpuSeconds = (cpuMicros(process.pid) - cpuBefore) / 1e6
  const serverMicrosUsed = (await serverMicros(own.database)) - serverBefore
  const { rows } = await own.database.pool.query('select count(*) as rows from spend_log')
  const result = {
    sent,
    stored: Number(rows[0].rows),
    wallSeconds: Math.round(wallSeconds * 100) / 100,
    recordsPerSecond: Math.round(sent / wallSeconds),
    cpuMicrosPerRecord: Math.round((cpuSeconds / sent) * 1e7) / 10,
    databaseMicrosPerRecord: Math.round((serverMicrosUsed / sent) * 10) / 10,
    shareOfOneCore: Math.round((cpuSeconds / wallSeconds) * 100) / 100,
    longestQueue,
    oldestRecordSeconds: Math.round(oldestMs) / 1_000,
    memoryGrownMb: Math.round((rssKilobytes(process.pid) - rssBefore) / 1_024),
  }
  await journal.close()
  await own.drop()
  await folder.remove()
  return result
}

/** The server is on this machine, so its processes can be asked. */
async function serverMicros(database: Database): Promise<number> {
  const { rows } = await database.pool.query('select pid from pg_stat_activity where datname = current_database()')
  return rows.reduce((sum, { pid }) => sum + cpuMicros(pid), 0)
}
