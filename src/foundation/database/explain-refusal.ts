/** Says why Postgres refuses to be prepared and how to fix it. Postgres itself only names the statement that failed. */
import { sql } from 'kysely'
import type { Database } from './database.ts'
import {
  DatabaseSetupError,
  DatabaseUnavailableError,
  NO_PRIVILEGE,
  READ_ONLY,
  readCode,
  readMessage,
} from './store-errors.ts'

/** Returns the error to report instead of `error`, which is `error` itself when there is nothing to add. */
export async function explainRefusal(database: Database, error: unknown): Promise<unknown> {
  try {
    switch (readCode(error)) {
      case READ_ONLY:
        return await explainReadOnly(database, error)
      case NO_PRIVILEGE:
        return await explainPrivileges(database, error)
      default:
        return error
    }
  } catch {
    // The database cannot be asked any more. The first error says what happened.
    return error
  }
}

interface ReadOnlyFacts {
  readonly is_standby: boolean
  readonly source: string | null
  readonly role: string
  readonly database: string
}

async function explainReadOnly({ kysely }: Database, error: unknown): Promise<unknown> {
  const { rows } = await sql<ReadOnlyFacts>`
    select pg_is_in_recovery() as is_standby, current_user::text as role, current_database()::text as database,
      (select source from pg_settings where name = 'default_transaction_read_only' and setting = 'on') as source`.execute(
    kysely,
  )
  const facts = rows[0]
  const explanation = facts && describeReadOnly(facts)
  return explanation === undefined ? error : new DatabaseUnavailableError(explanation, READ_ONLY, error)
}

function describeReadOnly({ is_standby, source, role, database }: ReadOnlyFacts): string | undefined {
  if (is_standby)
    return 'this Postgres server is a standby (it is in recovery) and accepts no writes. Set DATABASE_URL or DATABASE_HOST to the primary server, or promote this one.'
  if (source === null) return undefined
  const fix = {
    user: `Run: ALTER ROLE ${quoted(role)} RESET default_transaction_read_only;`,
    database: `Run: ALTER DATABASE ${quoted(database)} RESET default_transaction_read_only;`,
    'database user': `Run: ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} RESET default_transaction_read_only;`,
    client: 'Remove the setting from the options of DATABASE_URL.',
  }[source]
  return `default_transaction_read_only is on for role ${quoted(role)} in database ${quoted(database)}, so it accepts no writes. ${fix ?? 'Turn the setting off in the configuration of the Postgres server.'}`
}

interface PrivilegeFacts {
  readonly role: string
  readonly database: string
  readonly schema: string
  /** Privileges that the role lacks. */
  readonly on_schema: readonly string[]
  readonly on_tables: readonly string[]
  /** The owner of the gateway's tables, when the role does not have its rights. */
  readonly owner: string | null
}

async function explainPrivileges({ kysely }: Database, error: unknown): Promise<unknown> {
  // The catalog is read by name: looking up a table by `regclass` needs USAGE on its schema.
  const { rows } = await sql<PrivilegeFacts>`
    with place as (
      select oid, nspname from pg_namespace where nspname = coalesce(current_schema(), 'public')
    ), own as (
      select relowner from pg_class join place on relnamespace = place.oid where relname = 'causeway_migrations'
    ), own_tables as (
      select pg_class.oid from pg_class join place on relnamespace = place.oid join own using (relowner)
      where relkind in ('r', 'p')
    )
    select current_user::text as role, current_database()::text as database, nspname::text as schema,
      array(select name from unnest(array['USAGE', 'CREATE']) as name
        where not has_schema_privilege(place.oid, name)) as on_schema,
      array(select name from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) as name
        where exists (select from own_tables where not has_table_privilege(own_tables.oid, name))) as on_tables,
      (select pg_get_userbyid(relowner)::text from own where not pg_has_role(relowner, 'USAGE')) as owner
    from place`.execute(kysely)
  const explanation = rows[0] && describePrivileges(rows[0])
  if (explanation !== undefined) return new DatabaseSetupError(explanation, error)
  if (readCode(error) !== NO_PRIVILEGE) return error
  return new DatabaseSetupError(`The database role lacks a privilege. Postgres reports: ${readMessage(error)}.`, error)
}

function describePrivileges(facts: PrivilegeFacts): string | undefined {
  const { role, database, schema, on_schema, on_tables, owner } = facts
  const missing = [
    ...(on_schema.length > 0 ? [`${on_schema.join(' and ')} on schema ${quoted(schema)}`] : []),
    ...(on_tables.length > 0 ? [`${on_tables.join(', ')} on the tables of the gateway`] : []),
    ...(owner === null ? [] : [`the rights of ${quoted(owner)}, which owns the tables of the gateway`]),
  ]
  if (missing.length === 0) return undefined
  const grants = [
    ...(on_schema.length > 0 ? [`GRANT ${on_schema.join(', ')} ON SCHEMA ${quoted(schema)} TO ${quoted(role)};`] : []),
    ...(owner === null
      ? on_tables.map((privilege) => `GRANT ${privilege} ON ALL TABLES IN SCHEMA ${quoted(schema)} TO ${quoted(role)};`)
      : [`GRANT ${quoted(owner)} TO ${quoted(role)};`]),
  ]
  return `The database role ${quoted(role)} cannot write to database ${quoted(database)}. It lacks ${missing.join('; ')}. Grant this as an administrator of the database: ${grants.join(' ')}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
