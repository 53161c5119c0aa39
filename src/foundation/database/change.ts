/** Every write of an administrator or of the gateway itself: the rows, the version bump and the audit trail, or nothing. */
import { sql, type Transaction } from 'kysely'
import type { Section } from '../domain/snapshot.ts'
import { type Actor, type AuditEntry, appendAudit } from './audit.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'
import { isSerializationFailure } from './store-errors.ts'

export interface ChangeOptions {
  /** The parts of the snapshot that the write touches. Other instances reload exactly these. */
  readonly sections: readonly Section[]
  readonly actor: Actor
}

export interface Change {
  readonly tx: Transaction<Schema>
  /** Written with the change, in the order of the calls. */
  readonly audit: (entry: AuditEntry) => void
}

const ATTEMPTS = 3

/** `work` may run again when another transaction got in the way, so it must do nothing but talk to the database. */
export async function change<R>(
  database: Database,
  options: ChangeOptions,
  work: (change: Change) => Promise<R>,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.kysely.transaction().execute((tx) => changeInside(tx, options, work))
    } catch (error) {
      if (attempt === ATTEMPTS || !isSerializationFailure(error)) throw error
    }
  }
}

async function changeInside<R>(
  tx: Transaction<Schema>,
  options: ChangeOptions,
  work: (change: Change) => Promise<R>,
): Promise<R> {
  // First, not last: the row locks make all changes of a section wait for each other, so that a check such as
  // "another active admin remains" still holds when its write commits.
  await bumpVersions(tx, options.sections)
  const entries: AuditEntry[] = []
  const result = await work({ tx, audit: (entry) => entries.push(entry) })
  if (entries.length > 0) await appendAudit(tx, options.actor, entries)
  return result
}

/** In a fixed order, so that two changes of several sections cannot wait for each other in a circle. */
export async function bumpVersions(tx: Transaction<Schema>, sections: readonly Section[]): Promise<void> {
  if (sections.length === 0) return
  const ordered = [...new Set(sections)].sort()
  await sql`
    insert into cache_versions (section, version)
    select section, 1 from unnest(${ordered}::text[]) as section order by section
    on conflict (section) do update set version = cache_versions.version + 1`.execute(tx)
}
