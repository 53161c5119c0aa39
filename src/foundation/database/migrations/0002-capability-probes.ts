/** When each (endpoint, profile, feature) was probed, what came of it, and who is at it now: shared by all instances. */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table capability_probes (
  endpoint_id uuid not null references endpoints on delete cascade,
  profile_id text not null,
  feature text not null,
  verdict text check (verdict in ('supported', 'unsupported')),
  settled_at timestamptz(3),
  next_at timestamptz(3) not null,
  claimed_until timestamptz(3),
  failure text,
  primary key (endpoint_id, profile_id, feature),
  constraint capability_probes_settled check ((verdict is null) = (settled_at is null))
);`)
    .execute(tx)
}
