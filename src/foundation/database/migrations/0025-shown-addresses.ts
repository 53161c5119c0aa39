/**
 * The audit trail had addresses of webhooks and search engines whole, with the secrets in their paths. What was recorded
 * is shortened to what is recorded now. The trail refuses changes, so it is told otherwise for this one: whoever does not
 * share the transaction goes on with the function as it was.
 */
import { type Kysely, sql } from 'kysely'

export async function up(tx: Kysely<unknown>): Promise<void> {
  for (const statement of [shorten, allow, ...shortened, refuse, forget]) await sql.raw(statement).execute(tx)
}

const shorten = `
create function shorten_address(entry jsonb, path text[]) returns jsonb language sql immutable as $$
  select case when entry #>> path ~ '^https?://[^/?#]+(/.|[?#])'
    then jsonb_set(entry, path, to_jsonb(regexp_replace(entry #>> path, '^(https?://[^/?#]+).*$', '\\1/…')))
    else entry end
$$`

const allow = `
create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return new; end $$`

const shortened = [
  [`action like 'notification.%'`, 'destination'],
  [`action like 'search_provider.%'`, 'api_url'],
  [`action = 'websearch_mode.update'`, 'provider,api_url'],
].map(
  ([which, path]) => `
update audit_log set before = shorten_address(before, '{${path}}'), after = shorten_address(after, '{${path}}')
where ${which}`,
)

/** As the first schema has it. */
const refuse = `
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '23 hours' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end
$$`

const forget = `drop function shorten_address`
