/** Prices of GovCloud, beside those of the other regions. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`alter table model_prices drop constraint model_prices_scope_check`.execute(tx)
  await sql`alter table model_prices add constraint model_prices_scope_check
    check (scope in ('global', 'geo', 'us-gov'))`.execute(tx)
}
