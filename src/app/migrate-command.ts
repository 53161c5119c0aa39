/** Brings the schema up to date, or says what that would take, without starting a gateway. */

import { openDatabase } from '../foundation/database/database.ts'
import { buildDatabaseOptions } from '../foundation/database/database-link.ts'
import { explainRefusal } from '../foundation/database/explain-refusal.ts'
import { migrateToLatest, planMigrations } from '../foundation/database/migrate.ts'
import { createLogging } from '../foundation/platform/logger.ts'
import type { Config } from './config/config.ts'

export interface MigrationReport {
  readonly serverVersion: string
  /** In order; those that were run, or that would be. */
  readonly migrations: readonly string[]
}

/** Undefined when the configuration names no database. */
export async function migrateFromConfig(config: Config, planOnly: boolean): Promise<MigrationReport | undefined> {
  const { log } = createLogging({ level: config.logLevel, format: config.logFormat, write: () => undefined })
  const options = buildDatabaseOptions(config.database, config.region, log)
  if (options === undefined) return undefined
  const database = await openDatabase(options)
  try {
    const migrations = planOnly ? await planMigrations(database) : await migrateToLatest(database)
    return { serverVersion: database.serverVersion, migrations }
  } catch (error) {
    throw await explainRefusal(database, error)
  } finally {
    await database.close()
  }
}
