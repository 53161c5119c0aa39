/** Stamps of when something was last done. Newer ones only: instances report late and out of order. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

export interface Stamp {
  readonly id: string
  readonly atMs: number
}

type StampColumn = readonly ['virtual_keys', 'last_used_at'] | readonly ['users', 'last_seen_at' | 'models_listed_at']

/** Each id once. Touches no section, since nobody decides by a stamp. */
export async function raiseStamps(
  db: Kysely<Schema>,
  [table, column]: StampColumn,
  stamps: readonly Stamp[],
): Promise<void> {
  if (stamps.length === 0) return
  const ids = stamps.map(({ id }) => id)
  const times = stamps.map(({ atMs }) => new Date(atMs).toISOString())
  await sql`
    update ${sql.table(table)} as known set ${sql.ref(column)} = newer.at
    from unnest(${ids}::uuid[], ${times}::timestamptz[]) as newer (id, at)
    where known.id = newer.id and (${sql.ref(column)} is null or ${sql.ref(column)} < newer.at)`.execute(db)
}
