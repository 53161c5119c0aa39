import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/foundation/database/database.ts'
import { planMigrations } from '../../src/foundation/database/migrate.ts'
import { openDemoFolder, writeState } from '../../tools/demo/demo-folder.ts'
import { migrateDemoDatabase } from '../../tools/demo/migrate-database.ts'
import { createEmptyDatabase } from '../support/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-demo-'))
const { url, drop } = await createEmptyDatabase()
const database = await openDatabase({ kind: 'url', url })
after(async () => {
  await database.close()
  await drop()
  rmSync(folder, { recursive: true, force: true })
})

test('the demo empties its database if a development version made it, and fills it again under the same password and key', async () => {
  await database.pool.query(
    `create table kysely_migration (name text); insert into kysely_migration values ('0001-first-schema');
     create table teams (name text)`,
  )
  const filled = { ...(await openDemoFolder(folder)).state, filledUntilMs: 1, createdAtMs: 1 }
  await writeState(folder, filled)
  mkdirSync(join(folder, 'journal'))
  const state = await migrateDemoDatabase(database, folder, filled)
  assert.deepEqual(await planMigrations(database), [])
  assert.deepEqual((await openDemoFolder(folder)).state, state)
  assert.equal(state.filledUntilMs, null)
  assert.deepEqual([state.adminPassword, state.virtualKey], [filled.adminPassword, filled.virtualKey])
  assert.ok(!existsSync(join(folder, 'journal')))
})

test('a database of this version is kept', async () => {
  const { state } = await openDemoFolder(folder)
  await database.pool.query(`insert into cache_versions values ('keys', 7)`)
  assert.equal(await migrateDemoDatabase(database, folder, state), state)
  const { rows } = await database.pool.query('select version from cache_versions')
  assert.equal(rows.length, 1)
})
