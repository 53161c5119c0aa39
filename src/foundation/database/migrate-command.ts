/** Brings the schema up to date, or says what that would take, without starting a gateway. */
import type { Config } from '../../app/config/config.ts'
import { createLogging } from '../platform/logger.ts'
import { openDatabase } from './database.ts'
import { databaseOptionsOf } from './database-link.ts'
import { explainRefusal } from './explain-refusal.ts'
import { migrateToLatest, planMigrations } from './migrate.ts'

export interface MigrationReport {
  readonly serverVersion: string
  /** In order; those that were run, or that would be. */
  readonly migrations: readonly string[]
}

/** Undefined when the configuration names no database. */
export async function migrateFromConfig(config: Config, planOnly: boolean): Promise<MigrationReport | undefined> {
  const { log } = createLogging({ level: config.logLevel, format: config.logFormat, write: () => undefined })
  const options = databaseOptionsOf(config.database, config.region, log)
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
