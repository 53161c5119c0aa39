/** Sends a large bill to a gateway that serves requests at the same time, and times these requests. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startSimulator } from '../../../simulator/simulator.ts'
import { type Charge, lineItems, opusCharges } from '../../reconciliation/bill.ts'
import { createTestDatabase } from '../../support/database.ts'
import { addKey, untilReady } from '../../support/gateway.ts'
import { onSimulator, spawnGateway } from '../../support/gateway-process.ts'

const REPORT_BYTES = 60_000_000
/** The first requests run while the code is still being compiled. */
const WARM_CALLS = 200
const PAUSE_MS = 10

const other: Charge = { product: '', productCode: 'AmazonEC2', usageType: 'BoxUsage:m7g.large', usd: '0.0816' }

function report(): Buffer {
  const [header = '', ...rows] = lineItems([...opusCharges(), ...Array<Charge>(2_000).fill(other)]).split(/(?<=\n)/)
  const piece = rows.join('')
  return Buffer.from(header + piece.repeat(Math.ceil(REPORT_BYTES / piece.length)))
}

export interface ReadReport {
  readonly form: string
  readonly status: number
  /** How long each request took that was sent and answered while the report was being read. */
  readonly timesMs: readonly number[]
}

/** The report plain and packed, one after the other. */
export async function readReportsBesideCalls(): Promise<readonly ReadReport[]> {
  const simulator = await startSimulator({ settings: { answers: 'fixed' } })
  const database = await createTestDatabase()
  const { key } = await addKey(database.database)
  const gateway = spawnGateway({ DATABASE_URL: database.url, ...onSimulator(simulator) })
  try {
    const url = `http://127.0.0.1:${await gateway.listening()}`
    await untilReady(url)
    const post = (path: string, headers: Record<string, string>, body: string | Buffer) =>
      fetch(url + path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })
    const login = await post(
      '/auth/login',
      { 'content-type': 'application/json' },
      JSON.stringify({ username: 'admin', password: 'x' }),
    )
    const { token } = (await login.json()) as { token: string }
    const call = async (): Promise<number> => {
      const body = { model: 'claude-sonnet-5', max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }
      const startedMs = performance.now()
      const answer = await post(
        '/v1/messages',
        { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        JSON.stringify(body),
      )
      assert.equal(answer.status, 200, await answer.text())
      return performance.now() - startedMs
    }
    for (let index = 0; index < WARM_CALLS; index += 1) await call()
    const plain = report()
    const read: ReadReport[] = []
    for (const [form, bytes] of Object.entries({ plain, packed: gzipSync(plain, { level: 1 }) })) {
      let isRead = false
      const reading = post(
        '/admin/analytics/reconciliation',
        { 'content-type': 'text/csv', authorization: `Bearer ${token}` },
        bytes,
      ).finally(() => {
        isRead = true
      })
      const timesMs: number[] = []
      const calls: Promise<void>[] = []
      while (!isRead) {
        calls.push(call().then((ms) => void (isRead || timesMs.push(ms))))
        await delay(PAUSE_MS)
      }
      const { status } = await reading
      await Promise.all(calls)
      read.push({ form, status, timesMs })
    }
    return read
  } finally {
    gateway.kill('SIGTERM')
    await gateway.exited
    await database.drop()
    await simulator.close()
  }
}
