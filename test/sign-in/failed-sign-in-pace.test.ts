import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import { createFailedSignIns } from '../../src/modules/sign-in/failed-sign-ins.service.ts'
import { until } from '../endpoints/admin-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let nowMs = 0
const lines: string[] = []
const { log } = createLogging({ level: 'info', format: 'json', write: (line) => void lines.push(line) })

before(async () => {
  database = await createTestDatabase()
})

after(() => database.drop())

async function written(): Promise<readonly string[]> {
  const { rows } = await database.database.pool.query(
    `select request_id from audit_log where action = 'sign-in.failed' order by request_id`,
  )
  return rows.map(({ request_id: id }: { request_id: string }) => id)
}

test('an address has one audit entry a second, all together have ten, and every attempt has its log line', async () => {
  const record = createFailedSignIns({
    findDatabase: () => database.database,
    clock: { monotonicMs: () => nowMs },
    log,
  })
  const fail = (requestId: string, sourceAddress: string): void =>
    record({ username: 'admin', reason: 'wrong_password', requestId, sourceAddress })
  for (let attempt = 0; attempt < 50; attempt += 1) fail(`a-${attempt}`, '203.0.113.1')
  // One subscriber has a whole network of IPv6 addresses.
  for (let attempt = 0; attempt < 50; attempt += 1) fail(`b-${attempt}`, `2001:db8::${attempt}`)
  nowMs += 999
  fail('a-early', '203.0.113.1')
  nowMs += 1
  fail('a-late', '203.0.113.1')
  for (let attempt = 0; attempt < 50; attempt += 1) fail(`c-${10 + attempt}`, `198.51.100.${attempt}`)
  const ofMany = Array.from({ length: 9 }, (_, index) => `c-${10 + index}`)
  await until(async () => (await written()).length >= 12)
  assert.deepEqual(await written(), ['a-0', 'a-late', 'b-0', ...ofMany])
  assert.equal(lines.length, 152)
})
