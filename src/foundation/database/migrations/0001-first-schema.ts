/** The schema of the first release. */
import { type Kysely, sql } from 'kysely'
import { endpointTables } from './0001-endpoint-tables.ts'
import { instanceTables } from './0001-instance-tables.ts'
import { moneyTables } from './0001-money-tables.ts'
import { peopleTables } from './0001-people-tables.ts'

export async function up(tx: Kysely<unknown>): Promise<void> {
  // Later groups refer to tables and functions of earlier ones.
  for (const group of [instanceTables, peopleTables, endpointTables, moneyTables]) await sql.raw(group).execute(tx)
}
