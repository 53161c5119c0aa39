/** What time the database server has: expiry and periods are decided by both clocks. */
import { sql } from 'kysely'
import type { Database } from './database.ts'

export async function readServerTimeMs(database: Database): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.kysely)
  return rows[0]?.now.getTime() ?? Number.NaN
}
