/** What the modules share that read a section of the snapshot. */
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Settings } from '../domain/settings.ts'
import type { Section, Snapshot, SnapshotParts } from '../domain/snapshot.ts'

type Tx = Transaction<Schema>
type Table = 'virtual_keys' | 'users' | 'teams' | 'model_mappings' | 'budgets' | 'budget_top_ups'
export type SectionReader<S extends Section> = (tx: Tx, reading: Reading) => Promise<SnapshotParts[S]>
export type SectionReaders = { readonly [S in Section]: SectionReader<S> }

export interface Reading {
  readonly defaults: Settings
  /** By the clock of the database. */
  readonly presentMs: number
  /** Undefined when everything has to be read. */
  readonly since: Since | undefined
}

/** What is known, and of when. */
export interface Since {
  readonly snapshot: Snapshot
  readonly revision: number
  readonly readAtMs: number
}

/** Half as long as removals are remembered. */
const MAX_AGE_MS = 24 * 60 * 60_000
/** More than this are read as quickly with all the others. */
const MAX_WRITTEN = 10_000

/** Whether reading what was written since is enough, and less than reading everything. */
export async function isNear(
  tx: Tx,
  table: 'virtual_keys' | 'users',
  since: Since,
  presentMs: number,
): Promise<boolean> {
  const ageMs = presentMs - since.readAtMs
  if (ageMs < 0 || ageMs >= MAX_AGE_MS) return false
  const { rows } = await sql<{ written: number }>`
    select count(*)::integer as written from (
      select from ${sql.table(table)} where ${writtenSince(since)} limit ${MAX_WRITTEN + 1}) counted`.execute(tx)
  return (rows[0]?.written ?? 0) <= MAX_WRITTEN
}

/** Those of the known version again: somebody may have written a row before the version was raised. */
export function writtenSince({ revision }: Since): RawBuilder<boolean> {
  return sql<boolean>`revision >= ${revision}`
}

export async function removedSince(
  tx: Tx,
  section: 'keys' | 'people',
  { revision }: Since,
): Promise<readonly string[]> {
  const query = tx.selectFrom('snapshot_removals').select('key').where('section', '=', section)
  const rows = await query.where('revision', '>=', revision).execute()
  return rows.map(({ key }) => key)
}

export type RowOf<T extends Table> = Selectable<Schema[T]>

export async function mapInSlices<T extends Table, V>(
  tx: Tx,
  table: T,
  toValue: (row: RowOf<T>) => V,
  keyOf: (value: V) => string,
  condition = sql<boolean>`true`,
): Promise<ReadonlyMap<string, V>> {
  const map = new Map<string, V>()
  await readInSlices(tx, table, condition, (row) => {
    const value = Object.freeze(toValue(row))
    map.set(keyOf(value), value)
  })
  return frozenMap(map)
}

export async function readInSlices<T extends Table>(
  tx: Tx,
  table: T,
  condition: RawBuilder<boolean>,
  onRow: (row: RowOf<T>) => void,
): Promise<void> {
  for await (const rows of slices<RowOf<T>>(tx, sql`select * from ${sql.table(table)} where ${condition}`))
    for (const row of rows) onRow(row)
}

/** Small enough that one slice is parsed and mapped in a few milliseconds while requests go on in between. */
const SLICE_ROWS = 500

export async function* slices<R>(tx: Tx, query: RawBuilder<R>): AsyncGenerator<readonly R[]> {
  await sql`declare slices no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<R>`fetch ${sql.raw(String(SLICE_ROWS))} from slices`.execute(tx)
    yield rows
    if (rows.length < SLICE_ROWS) break
  }
  await sql`close slices`.execute(tx)
}

/** A map that nobody can change, also not through a cast: every request shares it. */
export function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = entries instanceof Map ? (entries as Map<K, V>) : new Map(entries)
  for (const name of ['set', 'delete', 'clear'] as const)
    Object.defineProperty(map, name, {
      value: () => {
        throw new TypeError('the snapshot is immutable')
      },
    })
  return Object.freeze(map)
}
