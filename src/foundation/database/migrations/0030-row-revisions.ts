/**
 * Which version of its section each key and each person was last written in, so that instances read what has changed
 * instead of all of them. Triggers and not the stores: keys also go with their owners and leave with their teams, and
 * instances of the release before write as well.
 */
import { type Kysely, sql } from 'kysely'

/** All columns but the stamps of use, by which nobody decides. */
const columns = {
  virtual_keys: `id, name, hash, prefix, user_id, team_id, rate_limit_rpm, allowed_models, expires_at, revoked_at,
    created_by, created_at`,
  users: `id, subject, email, role, grants, team_id, active, issuer, oidc_subject, bootstrap, session_epoch, created_at`,
} as const

export async function up(tx: Kysely<unknown>): Promise<void> {
  // Locked: whoever writes a row without raising the version is waited for by the next one who raises it.
  await sql`
    create function version_of_section(name text) returns bigint language plpgsql as $$
    declare
      found_version bigint;
    begin
      select version into found_version from cache_versions where section = name for update;
      return coalesce(found_version, 0);
    end
    $$`.execute(tx)
  await sql`
    create function stamp_revision() returns trigger language plpgsql as $$
    begin
      new.revision := version_of_section(tg_argv[0]);
      return new;
    end
    $$`.execute(tx)
  // What is gone has no row to be found by. An instance that was away for longer reads everything again.
  await sql`
    create table snapshot_removals (
      section text not null,
      revision bigint not null,
      key text not null,
      removed_at timestamptz(3) not null default now()
    )`.execute(tx)
  await sql`create index snapshot_removals_by_revision on snapshot_removals (section, revision)`.execute(tx)
  await sql`create index snapshot_removals_by_age on snapshot_removals (removed_at)`.execute(tx)
  await sql`
    create function note_removal() returns trigger language plpgsql as $$
    declare
      known_by text;
    begin
      if tg_argv[0] = 'keys' then
        known_by := encode(old.hash, 'hex');
      else
        known_by := old.id;
      end if;
      insert into snapshot_removals (section, revision, key)
      values (tg_argv[0], version_of_section(tg_argv[0]), known_by);
      delete from snapshot_removals where ctid in (
        select ctid from snapshot_removals where removed_at < now() - interval '2 days' for update skip locked);
      return null;
    end
    $$`.execute(tx)
  for (const [table, section] of [
    ['virtual_keys', 'keys'],
    ['users', 'people'],
  ] as const) {
    const name = sql.table(table)
    await sql`alter table ${name} add column revision bigint not null default 0`.execute(tx)
    await sql`create index ${sql.raw(`${table}_by_revision`)} on ${name} (revision)`.execute(tx)
    await sql`
      create trigger stamp_revision before insert or update of ${sql.raw(columns[table])} on ${name}
      for each row execute function stamp_revision(${sql.lit(section)})`.execute(tx)
    await sql`
      create trigger note_removal after delete on ${name}
      for each row execute function note_removal(${sql.lit(section)})`.execute(tx)
  }
  await sql`
    create trigger note_other_hash after update of hash on virtual_keys for each row
    when (old.hash is distinct from new.hash) execute function note_removal('keys')`.execute(tx)
  // Keys whose grace has ended since they were read.
  await sql`create index virtual_keys_by_revocation on virtual_keys (revoked_at) where revoked_at is not null`.execute(
    tx,
  )
}
