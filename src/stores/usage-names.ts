/** Between the names that administrators use and the ids that records carry; names of the deleted are kept. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from './schema.ts'
import { nobody, type UsageFilter } from './usage-source.ts'

/** In answers and filters: what belongs to no team, person or endpoint. */
export const NONE = '(none)'

const tables = { team: 'teams', user: 'users', endpoint: 'endpoints', key: 'virtual_keys' } as const
export type Named = keyof typeof tables

/** The name that belongs to the id in a column; null when the column is null. */
export function nameIn(kind: Named, column: string): RawBuilder<string> {
  const id = sql.raw(column)
  const name = sql.raw(kind === 'user' ? 'subject' : 'name')
  return sql<string>`case when ${id} = ${nobody}::uuid then ${NONE} else coalesce(
    (select ${name} from ${sql.table(tables[kind])} where id = ${id}),
    (select name from former_names where id = ${id} and kind = ${kind}), ${id}::text) end`
}

/** Lists of names, as a caller writes them. Ids are taken too: a name may have a comma in it. */
export interface NamedFilter {
  readonly team?: readonly string[] | undefined
  readonly user?: readonly string[] | undefined
  readonly endpoint?: readonly string[] | undefined
  readonly model?: readonly string[] | undefined
}

/** Names that nobody has lead to ids that nothing has: the answer is empty, not everything. */
export async function resolveFilter(db: Kysely<Schema>, filter: NamedFilter): Promise<UsageFilter> {
  return {
    teamIds: await idsOf(db, 'team', filter.team),
    userIds: await idsOf(db, 'user', filter.user),
    endpointIds: await idsOf(db, 'endpoint', filter.endpoint),
    models: filter.model,
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export async function idsOf(
  db: Kysely<Schema>,
  kind: Named,
  names: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (names === undefined) return undefined
  const match =
    kind === 'user'
      ? sql`subject = any(${names}::text[]) or email = any(${names}::text[])`
      : sql`name = any(${names}::text[])`
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tables[kind])} where ${match}
    union select id from former_names where kind = ${kind} and name = any(${names}::text[])`.execute(db)
  // Once each, as they are stored: a name and its id may both be given, and an id in any case.
  return [
    ...new Set([
      ...rows.map(({ id }) => id),
      ...names.filter((name) => UUID.test(name)).map((id) => id.toLowerCase()),
      ...(names.includes(NONE) ? [nobody] : []),
    ]),
  ]
}

/** More than anybody means by a part of a name; the log is then searched for the first of them. */
const MAX_FOUND = 1_000

/** Ids of everything whose name has this text in it, in any letter case; for `(none)` also that of nothing at all. */
export async function idsContaining(db: Kysely<Schema>, kind: Named, part: string): Promise<readonly string[]> {
  const name = sql.raw(kind === 'user' ? 'subject' : 'name')
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tables[kind])} where strpos(lower(${name}), lower(${part})) > 0
    union select id from former_names where kind = ${kind} and strpos(lower(name), lower(${part})) > 0
    limit ${MAX_FOUND}`.execute(db)
  return [...rows.map(({ id }) => id), ...(part === NONE ? [nobody] : [])]
}

/** Names of whatever these ids belong to; unknown ones are left out. */
export async function namesOf(db: Kysely<Schema>, ids: Iterable<string | null>): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && UUID.test(id))
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from former_names where id = any(${wanted}::uuid[])
    union all select id, name from teams where id = any(${wanted}::uuid[])
    union all select id, subject from users where id = any(${wanted}::uuid[])
    union all select id, name from virtual_keys where id = any(${wanted}::uuid[])
    union all select id, name from endpoints where id = any(${wanted}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
