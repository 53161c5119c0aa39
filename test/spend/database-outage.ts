/** Takes the database away from a real gateway process under steady load, and looks what the calls, the memory and the books say. */
import { readFileSync } from 'node:fs'
import { controlClient } from '../../simulator/control-client.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { startChaosProxy } from '../support/chaos-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { addKey, untilReady } from '../support/gateway.ts'
import { onSimulator, spawnGateway } from '../support/gateway-process.ts'
import { makeFolder } from './ledger-parts.ts'
import { steadyLoad } from './steady-load.ts'

export interface OutageReport {
  readonly outageSeconds: number
  readonly callsPerSecond: number
  /** Calls during the outage, and how many of them did not end with 200. */
  readonly calls: number
  readonly failed: number
  /** Growth of the resident set from just before the outage to its end, and at the highest. */
  readonly memoryGrownMb: number
  readonly memoryPeakMb: number
  /** From the return of the database until it had a row for every served call. */
  readonly writtenAfterSeconds: number
  readonly served: number
  readonly rows: number
  readonly doubled: number
}

const WARM_SECONDS = 5
const WRITTEN_WITHIN_MS = 300_000
const FIRST_FINGERPRINT = 1_000_000

export async function runDatabaseOutage(outageSeconds: number, callsPerSecond: number): Promise<OutageReport> {
  const simulator = await startSimulator({ settings: { tokenMode: 'fingerprint', answers: 'fixed' } })
  const control = controlClient(simulator.controlUrl)
  const database = await createTestDatabase()
  const { key } = await addKey(database.database)
  const folder = await makeFolder()
  const proxy = await startChaosProxy(database.url)
  const gateway = spawnGateway({
    DATABASE_URL: proxy.url,
    SPEND_JOURNAL_DIR: folder.path,
    ...onSimulator(simulator),
  })
  try {
    const port = await gateway.listening()
    await untilReady(`http://127.0.0.1:${port}`, 60_000)
    const rss = (): number =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${gateway.child.pid}/status`, 'latin1'))?.[1] ?? 0) / 1_024
    // Warm: the heap has its usual size before it is compared.
    await steadyLoad(port, key, WARM_SECONDS, callsPerSecond, () => undefined)
    const before = rss()
    let peak = before
    proxy.set('refuse')
    const { calls, failed } = await steadyLoad(port, key, outageSeconds, callsPerSecond, () => {
      peak = Math.max(peak, rss())
    })
    const after = rss()
    proxy.set('pass')
    const backMs = performance.now()
    const served = (await control.ledger()).filter(
      ({ operation, status }) => operation === 'InvokeModel' && status === 200,
    )
    const written = async () => {
      const { rows } = await database.database.pool.query(
        'select input_tokens, count(*)::int as rows from spend_log where input_tokens > $1 group by 1',
        [FIRST_FINGERPRINT],
      )
      return new Map<number, number>(rows.map((row) => [row.input_tokens, row.rows]))
    }
    const isWritten = (rows: ReadonlyMap<number, number>) => served.every(({ n }) => rows.has(FIRST_FINGERPRINT + n))
    let rows = await written()
    while (!isWritten(rows) && performance.now() - backMs < WRITTEN_WITHIN_MS) {
      await new Promise((resolve) => setTimeout(resolve, 250))
      rows = await written()
    }
    return {
      outageSeconds,
      callsPerSecond,
      calls,
      failed,
      memoryGrownMb: Math.round(after - before),
      memoryPeakMb: Math.round(peak - before),
      writtenAfterSeconds: isWritten(rows) ? Math.round((performance.now() - backMs) / 100) / 10 : Number.NaN,
      served: served.length,
      rows: served.filter(({ n }) => rows.has(FIRST_FINGERPRINT + n)).length,
      doubled: [...rows.values()].filter((count) => count > 1).length,
    }
  } finally {
    gateway.kill('SIGTERM')
    await gateway.exited
    await proxy.close()
    await database.drop()
    await simulator.close()
    await folder.remove()
  }
}

if (import.meta.main) {
  const report = await runDatabaseOutage(Number(process.argv[2] ?? 600), Number(process.argv[3] ?? 50))
  console.log(JSON.stringify(report, null, 2))
  process.exit(report.rows === report.served && report.doubled === 0 ? 0 : 1)
}
