/** A bill is read by the process that serves calls: nobody waits for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startSimulator } from '../../../simulator/simulator.ts'
import { type Charge, lineItems, opusCharges } from '../../reconciliation/bill.ts'
import { createTestDatabase } from '../../support/database.ts'
import { addKey, untilReady } from '../../support/gateway.ts'
import { onSimulator, spawnGateway } from '../../support/gateway-process.ts'

const REPORT_BYTES = 60_000_000
const MEDIAN_MS = 60
const SLOWEST_OF_100_MS = 300

const other: Charge = { product: '', productCode: 'AmazonEC2', usageType: 'BoxUsage:m7g.large', usd: '0.0816' }

function report(): Buffer {
  const [header = '', ...rows] = lineItems([...opusCharges(), ...Array<Charge>(2_000).fill(other)]).split(/(?<=\n)/)
  const piece = rows.join('')
  return Buffer.from(header + piece.repeat(Math.ceil(REPORT_BYTES / piece.length)))
}

test('while a large report comes as fast as it can, packed or not, calls are answered as soon as without it', async (context) => {
  const simulator = await startSimulator({ settings: { answers: 'fixed' } })
  const database = await createTestDatabase()
  const { key } = await addKey(database.database)
  const gateway = spawnGateway({
    DATABASE_URL: database.url,
    ...onSimulator(simulator),
  })
  try {
    const url = `http://127.0.0.1:${await gateway.listening()}`
    await untilReady(url, 60_000)
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
    // Warm: the first calls have the compiler beside them.
    for (let index = 0; index < 200; index += 1) await call()
    const plain = report()
    for (const [form, bytes] of Object.entries({ plain, packed: gzipSync(plain, { level: 1 }) })) {
      let isRead = false
      const reading = post(
        '/admin/analytics/reconciliation',
        { 'content-type': 'text/csv', authorization: `Bearer ${token}` },
        bytes,
      ).finally(() => {
        isRead = true
      })
      const times: Promise<number>[] = []
      while (!isRead) {
        times.push(call())
        await delay(10)
      }
      const { status } = await reading
      const sorted = (await Promise.all(times)).sort((a, b) => a - b)
      const at = (share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
      context.diagnostic(`${form}: ${sorted.length} calls, median ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms`)
      assert.equal(status, 200)
      assert.ok(sorted.length >= 50, `only ${sorted.length} calls while it was read`)
      assert.ok(at(0.5) <= MEDIAN_MS && at(0.99) <= SLOWEST_OF_100_MS, `${form}: ${at(0.5)} and ${at(0.99)} ms`)
    }
  } finally {
    gateway.kill('SIGTERM')
    await gateway.exited
    await database.drop()
    await simulator.close()
  }
})
