/** A report as large as those of large companies needs no more memory than a small one. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { type Charge, lineItems, opusCharges, startBillWorld } from '../../reconciliation/bill.ts'
import { usedMemory } from '../../support/used-memory.ts'

const LARGE_BYTES = 200_000_000
const MAX_GROWTH_BYTES = 120_000_000

/** Most lines are of other services, each with an id of its own. */
const other: Charge = {
  product: '',
  productCode: 'AmazonEC2',
  usageType: 'BoxUsage:m7g.large',
  resource: `i-0a1b2c3d4e5f6${'x'.repeat(200)}`,
  usd: '0.0816',
}

test('200 MB are read within a bound of memory, and every charge in them counts', async () => {
  const world = await startBillWorld()
  await world.record({})
  const [header = '', ...rows] = lineItems([...opusCharges(), ...Array<Charge>(500).fill(other)]).split(/(?<=\n)/)
  const own = rows.slice(0, 4).join('')
  const piece = Buffer.from(rows.slice(4).join(''))
  const before = usedMemory().rss
  let peak = 0
  let sentBytes = 0
  async function* generate(): AsyncGenerator<Buffer> {
    yield Buffer.from(header)
    while (sentBytes < LARGE_BYTES) {
      sentBytes += piece.length
      peak = Math.max(peak, process.memoryUsage.rss())
      yield piece
    }
    yield Buffer.from(own)
  }
  const response = await fetch(`${world.app.url}/admin/analytics/reconciliation`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.admin}`, 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from(generate())) as unknown as ReadableStream,
    duplex: 'half',
  })
  const body = (await response.json()) as { report: { lines: number; used_lines: number }; totals: { status: string } }
  assert.equal(response.status, 200)
  assert.deepEqual([body.report.used_lines, body.totals.status], [4, 'match'])
  assert.equal(body.report.lines, 4 + (sentBytes / piece.length) * 500)
  assert.ok(peak - before < MAX_GROWTH_BYTES, `it grew by ${Math.round((peak - before) / 1e6)} MB`)
  await world.app.stop()
})
