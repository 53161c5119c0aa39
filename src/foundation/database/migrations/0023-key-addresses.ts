/** From where keys are used, for the day on which one is found on the internet. No reference to the key: see `0022`. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`
    create table key_addresses (
      key_id uuid not null,
      address text not null,
      first_seen_at timestamptz not null,
      last_seen_at timestamptz not null,
      primary key (key_id, address)
    )`.execute(tx)
}
