import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKeyAddresses, forgetOldKeyAddresses, MAX_ADDRESSES } from '../../src/modules/keys/key-addresses.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { dropOldRecords } from '../../src/modules/spend/spend-retention.loop.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addKey } from '../support/gateway.ts'

const DAY_MS = 86_400_000
const nowMs = Date.parse('2026-11-17T12:00:00Z')

let own: TestDatabase
let addresses: ReturnType<typeof createKeyAddresses>

before(async () => {
  own = await createTestDatabase()
  addresses = createKeyAddresses(own.database.kysely)
})

after(() => own.drop())

async function newKeyId(): Promise<string> {
  return (await addKey(own.database)).id
}

test('the time in which an address was seen widens in both directions, whoever reports first', async () => {
  const keyId = await newKeyId()
  const visit = (address: string, atMs: number) => ({ keyId, address, atMs })
  await addresses.note([visit('203.0.113.7', nowMs), visit('2001:db8::1', nowMs - 5_000)])
  await addresses.note([visit('203.0.113.7', nowMs - 60_000)])
  await addresses.note([visit('203.0.113.7', nowMs + 60_000)])
  assert.deepEqual(await addresses.list(keyId), [
    { address: '203.0.113.7', firstSeenAtMs: nowMs - 60_000, lastSeenAtMs: nowMs + 60_000 },
    { address: '2001:db8::1', firstSeenAtMs: nowMs - 5_000, lastSeenAtMs: nowMs - 5_000 },
  ])
})

test('a key keeps the addresses that were seen last, and none of the others of other keys', async () => {
  const [keyId, otherId] = [await newKeyId(), await newKeyId()]
  await addresses.note([{ keyId: otherId, address: '192.0.2.1', atMs: 0 }])
  const visits = Array.from({ length: 2 * MAX_ADDRESSES }, (_, index) => ({
    keyId,
    address: `10.0.${index >> 8}.${index & 255}`,
    atMs: nowMs + index,
  }))
  await addresses.note(visits.slice(0, MAX_ADDRESSES))
  await addresses.note(visits.slice(MAX_ADDRESSES))
  const kept = await addresses.list(keyId)
  assert.deepEqual(
    kept.map(({ address }) => address),
    visits
      .slice(MAX_ADDRESSES)
      .toReversed()
      .map(({ address }) => address),
  )
  assert.equal((await addresses.list(otherId)).length, 1)
})

test('instances that report the same addresses in another order do not stop each other', async () => {
  const ids = [await newKeyId(), await newKeyId(), await newKeyId()]
  const visits = ids.flatMap((keyId) => [1, 2, 3].map((end) => ({ keyId, address: `192.0.2.${end}`, atMs: nowMs })))
  await Promise.all(
    Array.from({ length: 20 }, (_, round) => addresses.note(round % 2 === 0 ? visits : visits.toReversed())),
  )
  for (const keyId of ids) assert.equal((await addresses.list(keyId)).length, 3)
})

test('the addresses of a key go with it, and come back neither late nor under a key that never was', async () => {
  const keyId = await newKeyId()
  await addresses.note([{ keyId, address: '203.0.113.7', atMs: nowMs }])
  await createKeyStore(own.database.kysely).remove(keyId)
  assert.deepEqual(await addresses.list(keyId), [])
  await addresses.note([{ keyId, address: '203.0.113.8', atMs: nowMs }])
  assert.deepEqual(await addresses.list(keyId), [])
})

test('an address that was not seen for as long as records are kept is forgotten', async () => {
  const keyId = await newKeyId()
  await addresses.note([
    { keyId, address: '203.0.113.7', atMs: nowMs - 31 * DAY_MS },
    { keyId, address: '203.0.113.8', atMs: nowMs - 29 * DAY_MS },
  ])
  await dropOldRecords({
    database: () => own.database,
    settings: () => ({ spend_retention_days: 30, audit_retention_days: 365 }),
    nowMs: () => nowMs,
    forgetOld: [forgetOldKeyAddresses],
  })
  assert.deepEqual(
    (await addresses.list(keyId)).map(({ address }) => address),
    ['203.0.113.8'],
  )
})
