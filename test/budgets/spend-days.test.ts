import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createBudgetSpend } from '../../src/modules/budgets/budget-spend.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { createSpendPartitions } from '../../src/modules/spend/spend-partitions.store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { asEvent } from './gate-world.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const DAY_MS = 86_400_000
const noon = Date.parse('2031-05-05T12:00:00Z')

async function spentOn(userId: string, days = 1): Promise<number> {
  const account = { key: userId, scope: 'user', subjectId: userId, startMs: noon, endMs: noon + days * DAY_MS } as const
  const [spend] = await createBudgetSpend(own.database.kysely).read([account], newId())
  return spend?.spentNanoUsd ?? Number.NaN
}

test('the sums of a day are those of the log: of user, team and key, each record once, also when it moves to its partition', async () => {
  const [userId, teamId, keyId] = [newId(), newId(), newId()]
  const log = createSpendLog(own.database.kysely)
  const records = [5, 7, 0].map((cost) => ({ ...asEvent(userId, cost, noon), teamId, keyId }))
  const nextDay = { ...asEvent(userId, 100, noon + DAY_MS / 2), teamId }
  await log.appendBatch([...records, nextDay])
  await log.appendBatch(records)
  assert.equal(await spentOn(userId), 12)
  assert.equal(await spentOn(userId, 2), 112)
  assert.deepEqual(await createSpendPartitions(own.database.kysely).ensure('2031-05-05', 2), [
    '2031-05-05',
    '2031-05-06',
  ])
  await log.appendBatch([...records, { ...asEvent(userId, 3, noon), teamId, keyId }])
  assert.equal(await spentOn(userId), 15)
  const keys = await createBudgetSpend(own.database.kysely).spendOfKeys([keyId, newId()], noon)
  assert.deepEqual([...keys], [[keyId, 15]])
})

test('many writers at once add up, in any order of people', async () => {
  const people = Array.from({ length: 5 }, () => newId())
  const log = createSpendLog(own.database.kysely)
  await Promise.all(
    Array.from({ length: 20 }, (_, writer) => {
      const order = writer % 2 === 0 ? people : people.toReversed()
      return log.appendBatch(order.map((userId) => asEvent(userId, 10, noon)))
    }),
  )
  assert.deepEqual(await Promise.all(people.map((userId) => spentOn(userId))), [200, 200, 200, 200, 200])
})

test('values that no call can have move nobody else and never go below zero', async () => {
  const [odd, other] = [newId(), newId()]
  const log = createSpendLog(own.database.kysely)
  const costs = [-5, Number.NaN, Number.POSITIVE_INFINITY, 4]
  await log.appendBatch([...costs.map((cost) => asEvent(odd, cost, noon)), asEvent(other, 9, noon)])
  assert.equal(await spentOn(other), 9)
  assert.ok((await spentOn(odd)) >= 4)
})
