/** Reads the snapshot that the message path works from, or the parts of it that have changed. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { defaultSettings, type Settings } from '../domain/settings.ts'
import { type Section, type Snapshot, sections } from '../domain/snapshot.ts'
import type { Reading, SectionReaders, Since } from './snapshot-sections.store.ts'

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

export type ReadSnapshot = (database: Database, previous?: Snapshot, defaults?: Settings) => Promise<Snapshot>

/**
 * Versions and rows come from one transaction that sees one moment: a version that was read with older rows would
 * hide the change until the next one. Sections with the version of `previous` are reused as they are, and of those with
 * many rows only what was written since is read.
 */
export function createSnapshotReader(readers: SectionReaders): ReadSnapshot {
  const readPart = <S extends Section>(tx: Transaction<Schema>, section: S, reading: Reading) =>
    readers[section](tx, reading)
  return async (database, previous, defaults = defaultSettings) =>
    database.kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const versions = await versionsIn(tx)
        const { origin, presentMs } = await momentIn(tx)
        // Another server, or the same one restored: its versions may be equal or higher by chance.
        const known = previous?.origin === origin ? previous : undefined
        const changed = known === undefined ? sections : changedSections(known.versions, versions)
        const parts = []
        for (const section of changed)
          parts.push(
            await readPart(tx, section, { defaults, presentMs, since: known && findSince(known, section, versions) }),
          )
        const readAtMs = { ...known?.readAtMs, ...Object.fromEntries(changed.map((section) => [section, presentMs])) }
        const meta = { versions, origin, readAtMs: Object.freeze(readAtMs) }
        return Object.freeze(Object.assign({}, known, ...parts, meta)) as Snapshot
      })
}

/** Undefined when the version went back: what was written since is not what comes after it. */
function findSince(snapshot: Snapshot, section: Section, { [section]: version }: Versions): Since | undefined {
  const revision = snapshot.versions[section]
  return version > revision ? { snapshot, revision, readAtMs: snapshot.readAtMs[section] } : undefined
}

interface Moment {
  /** Which run of the server, and which table: one that was restored is another one. */
  readonly origin: string
  readonly presentMs: number
}

async function momentIn(tx: Transaction<Schema>): Promise<Moment> {
  const { rows } = await sql<{ present: Date; origin: string }>`
    select now() as present,
      concat_ws(' ', pg_postmaster_start_time(), 'cache_versions'::regclass::oid) as origin`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('the database told no time')
  return { origin: row.origin, presentMs: row.present.getTime() }
}

async function versionsIn(db: Kysely<Schema>): Promise<Versions> {
  const rows = await db.selectFrom('cache_versions').select(['section', 'version']).execute()
  const known = new Map(rows.map((row) => [row.section, row.version]))
  // A section that nobody has written to yet has no row.
  return Object.freeze(Object.fromEntries(sections.map((section) => [section, known.get(section) ?? 0]))) as Versions
}
