/** Reads the snapshot that the message path works from, or the parts of it that have changed. */
import type { Kysely } from 'kysely'
import { defaultSettings, type Settings } from '../domain/settings.ts'
import { type Section, type Snapshot, sections } from '../domain/snapshot.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'
import { readSection } from './snapshot-sections.ts'

export type Versions = Snapshot['versions']

/** For the poll: one small statement with a limit of one second. */
export function readVersions(database: Database): Promise<Versions> {
  return versionsIn(database.hot)
}

/**
 * The same, but after a failure it waits longer: what answers slowly is not away, and a revoked key would work for as long
 * as answers are slow.
 */
export function createVersionReader(database: () => Database): () => Promise<Versions> {
  let hasFailed = false
  return async () => {
    const isPatient = hasFailed
    hasFailed = true
    const versions = await (isPatient ? versionsIn(database().patient) : readVersions(database()))
    hasFailed = false
    return versions
  }
}

export function changedSections(previous: Versions, current: Versions): readonly Section[] {
  return sections.filter((section) => previous[section] !== current[section])
}

/**
 * Versions and rows come from one transaction that sees one moment: a version that was read with older rows would
 * hide the change until the next one. Sections with the version of `previous` are reused as they are.
 */
export async function readSnapshot(
  database: Database,
  previous?: Snapshot,
  defaults: Settings = defaultSettings,
): Promise<Snapshot> {
  return database.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const versions = await versionsIn(tx)
      const changed = previous === undefined ? sections : changedSections(previous.versions, versions)
      const parts = []
      for (const section of changed) parts.push(await readSection(tx, section, defaults))
      return Object.freeze(Object.assign({}, previous, ...parts, { versions })) as Snapshot
    })
}

async function versionsIn(db: Kysely<Schema>): Promise<Versions> {
  const rows = await db.selectFrom('cache_versions').select(['section', 'version']).execute()
  const known = new Map(rows.map((row) => [row.section, row.version]))
  // A section that nobody has written to yet has no row.
  return Object.freeze(Object.fromEntries(sections.map((section) => [section, known.get(section) ?? 0]))) as Versions
}
