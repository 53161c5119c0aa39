/**
 * Notices before keys end, and a digest every week. Both categories are off in every destination that is there: whoever
 * receives budgets now is sent nothing else until somebody says so.
 */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notification_configs add column keys boolean not null default false,
      add column digest boolean not null default false`.execute(tx)
  await sql`
    alter table notification_outbox drop constraint notification_outbox_category_check,
      add constraint notification_outbox_category_check check (category in ('budget', 'rate_limit', 'keys', 'digest'))`.execute(
    tx,
  )
  // Which end of which key was told so many days before. Rows outlive a deleted key by some days and are found by nobody.
  await sql`
    create table key_expiry_notices (
      key_id uuid not null,
      expires_at timestamptz(3) not null,
      days smallint not null,
      primary key (key_id, expires_at, days)
    )`.execute(tx)
  await sql`create index key_expiry_notices_by_end on key_expiry_notices (expires_at)`.execute(tx)
  await sql`create index virtual_keys_by_end on virtual_keys (expires_at) where revoked_at is null`.execute(tx)
}
