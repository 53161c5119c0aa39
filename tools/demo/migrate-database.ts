/** Migrates the demo's own database. A database of a development version is emptied and filled again: its data is invented. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../src/foundation/database/database.ts'
import { migrateToLatest } from '../../src/foundation/database/migrate.ts'
import { SchemaTooOldError } from '../../src/foundation/database/store-errors.ts'
import { type DemoState, writeState } from './demo-folder.ts'

export async function migrateDemoDatabase(database: Database, folder: string, state: DemoState): Promise<DemoState> {
  try {
    await migrateToLatest(database)
    return state
  } catch (error) {
    if (!(error instanceof SchemaTooOldError)) throw error
  }
  // The state first: a start that ends before the database is emptied does the same again.
  const unfilled = { ...state, createdAtMs: Date.now(), simulatorPorts: null, filledUntilMs: null }
  await writeState(folder, unfilled)
  await database.pool.query('drop schema public cascade; create schema public')
  // Records that wait here belong to users and keys that are gone.
  await rm(join(folder, 'journal'), { recursive: true, force: true })
  await migrateToLatest(database)
  return unfilled
}
