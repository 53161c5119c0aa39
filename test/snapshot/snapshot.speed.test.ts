import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSnapshot } from '../../src/app/snapshot-sections.ts'
import { createTestDatabase } from '../support/database.ts'
import { addManyKeys, measureLoad } from './snapshot-load.ts'

test('10,000 keys and 1,000 users load in under 2 s without holding the event loop for 50 ms', async () => {
  const { database, drop } = await createTestDatabase()
  try {
    await addManyKeys(database)
    await readSnapshot(database)
    const { durationMs, longestWorkMs } = await measureLoad(database)
    assert.ok(durationMs < 2_000, `${durationMs} ms`)
    assert.ok(longestWorkMs < 50, `${longestWorkMs} ms`)
  } finally {
    await drop()
  }
})
