import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpendHours } from '../../src/modules/spend/spend-hours.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { catchUpUsage } from '../../src/modules/spend/usage/usage-rollup.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { createTestDatabase } from '../support/database.ts'

const HOUR_MS = 3_600_000

test('models without a price are found without the hours of people, of which there are millions', async () => {
  const { database, drop } = await createTestDatabase()
  const atMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS
  const unpriced = { costNanoUsd: 0, rates: null, flags: ['unpriced'] } as const
  await createSpendLog(database.kysely).appendBatch([
    aSpendRecord({ model: 'claude-newest-9', atMs: atMs + 1, ...unpriced }),
    aSpendRecord({ model: 'claude-newest-9', atMs: atMs - HOUR_MS, ...unpriced }),
    aSpendRecord({ model: 'claude-older', atMs: atMs - 2 * HOUR_MS, ...unpriced }),
    aSpendRecord({ model: 'claude-opus-5', atMs }),
  ])
  await catchUpUsage(database.kysely)
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('lock table spend_hours in access exclusive mode')
  assert.deepEqual(await createSpendHours(database.hot).unpricedSince(atMs - 10 * HOUR_MS), [
    { model: 'claude-newest-9', requests: 2, lastAt: new Date(atMs).toISOString() },
    { model: 'claude-older', requests: 1, lastAt: new Date(atMs - 2 * HOUR_MS).toISOString() },
  ])
  await holder.query('rollback')
  holder.release()
  await drop()
})
