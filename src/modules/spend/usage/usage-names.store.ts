/** Between the names that administrators use and the ids that records carry; names of the deleted are kept. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../../foundation/database/schema.ts'
import { nobody, type UsageFilter } from './usage-source.store.ts'

/** In answers and filters: what belongs to no team, person or endpoint. */
const NONE = '(none)'

const tables = { team: 'teams', user: 'users', endpoint: 'endpoints', key: 'virtual_keys' } as const
export type Named = keyof typeof tables

/** The name that belongs to the id in a column; null when the column is null. */
export function nameIn(kind: Named, column: string): RawBuilder<string> {
  const id = sql.raw(column)
  const name = sql.ref(nameColumn(kind))
  return sql<string>`case when ${id} = ${nobody}::uuid then ${NONE} else coalesce(
    (select ${name} from ${sql.table(tables[kind])} where id = ${id}),
    (select name from former_names where id = ${id} and kind = ${kind}), ${id}::text) end`
}

/** Names, or ids, with commas between them as a caller writes them. */
export interface NameList {
  /** The text itself: a name may have a comma in it. */
  readonly whole: string
  readonly parts: readonly string[]
}

export interface NamedFilter {
  readonly team?: NameList | undefined
  readonly user?: NameList | undefined
  readonly endpoint?: NameList | undefined
  readonly model?: NameList | undefined
}

/** Names that nobody has lead to ids that nothing has: the answer is empty, not everything. */
export async function resolveFilter(db: Kysely<Schema>, filter: NamedFilter): Promise<UsageFilter> {
  return {
    teamIds: await idsInList(db, 'team', filter.team),
    userIds: await idsInList(db, 'user', filter.user),
    endpointIds: await idsInList(db, 'endpoint', filter.endpoint),
    models: filter.model?.parts,
  }
}

/** What somebody has for a name is that name, and no list of others. */
async function idsInList(
  db: Kysely<Schema>,
  kind: Named,
  list: NameList | undefined,
): Promise<readonly string[] | undefined> {
  if (list === undefined) return undefined
  const named = list.whole.includes(',') ? await findIds(db, kind, [list.whole]) : []
  return named.length > 0 ? named : findIds(db, kind, list.parts)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export async function findIds(db: Kysely<Schema>, kind: Named, names: readonly string[]): Promise<readonly string[]> {
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

/** Planning compares every id of a list with the statistics of every day of the log: a longer one takes seconds. */
const MAX_LISTED = 1_000

/** Whom a name means: the ids that have it or, when they are too many for a list, the part that the names must have. */
export type NameMatch =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'part'; readonly of: Named; readonly part: string }

/** Everything whose name has this text in it, in any letter case; for `(none)` also nothing at all. */
export async function matchContaining(db: Kysely<Schema>, kind: Named, part: string): Promise<NameMatch> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tables[kind])} where ${hasPart(nameColumn(kind), part)}
    union select id from former_names where kind = ${kind} and ${hasPart('name', part)}
    limit ${MAX_LISTED + 1}`.execute(db)
  if (rows.length > MAX_LISTED) return { kind: 'part', of: kind, part }
  return { kind: 'ids', ids: [...rows.map(({ id }) => id), ...(part === NONE ? [nobody] : [])] }
}

/** For a column of ids in which nobody is null. */
export function isMatched(column: RawBuilder<unknown>, match: NameMatch): RawBuilder<unknown> {
  const listed = match.kind === 'ids' ? sql`${column} = any(${match.ids}::uuid[])` : isNamedLike(column, match)
  const takesNobody = match.kind === 'ids' ? match.ids.includes(nobody) : match.part === NONE
  return takesNobody ? sql`(${column} is null or ${listed})` : listed
}

/**
 * Looked up by id, row by row. As a join it could become the start of the plan, and the order by time would be lost;
 * without `offset 0` all names would be read and hashed anew for every day of the log.
 */
function isNamedLike(
  column: RawBuilder<unknown>,
  { of, part }: Extract<NameMatch, { readonly kind: 'part' }>,
): RawBuilder<unknown> {
  return sql`(
    exists (select from ${sql.table(tables[of])} as named
      where named.id = ${column} and ${hasPart(nameColumn(of), part)} offset 0)
    or exists (select from former_names as named
      where named.id = ${column} and named.kind = ${of} and ${hasPart('name', part)} offset 0))`
}

function nameColumn(kind: Named): string {
  return kind === 'user' ? 'subject' : 'name'
}

/** A part of a name must never become a pattern: `strpos` knows none. */
function hasPart(name: string, part: string): RawBuilder<unknown> {
  return sql`strpos(lower(${sql.ref(name)}), lower(${part})) > 0`
}

/** Names of whatever these ids belong to; unknown ones are left out. */
export async function findNames(
  db: Kysely<Schema>,
  ids: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && UUID.test(id))
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from former_names where id = any(${wanted}::uuid[])
    union all select id, name from teams where id = any(${wanted}::uuid[])
    union all select id, subject from users where id = any(${wanted}::uuid[])
    union all select id, name from virtual_keys where id = any(${wanted}::uuid[])
    union all select id, name from endpoints where id = any(${wanted}::uuid[])
    union all select id, name from idps where id = any(${wanted}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
