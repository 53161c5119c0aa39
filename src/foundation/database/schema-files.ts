/** The schema as plain SQL: migrations in order, and functions. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { projectFile } from '../platform/project-file.ts'

export interface SqlFile {
  readonly name: string
  readonly text: string
}

export interface SchemaFiles {
  /**
   * A name that ends in `+compatible` promises that the release before can run on the changed schema (new tables, new
   * columns with defaults), so that a rollback needs no restore. Any other migration locks older releases out.
   */
  readonly migrations: readonly SqlFile[]
  /** Each has the name of its file. */
  readonly functions: readonly SqlFile[]
}

const folder = projectFile('src/foundation/database/sql/')

export async function readSchemaFiles(): Promise<SchemaFiles> {
  const [migrations, functions] = await Promise.all([readFiles('migrations/'), readFiles('functions/')])
  return { migrations, functions }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function readFiles(place: string): Promise<readonly SqlFile[]> {
  const entries = (await readdir(new URL(place, folder))).sort()
  return Promise.all(
    entries.map(async (entry) => ({
      name: entry.replace(/\.sql$/, ''),
      text: await readText(new URL(place + entry, folder)),
    })),
  )
}

/** A long migration is a folder of several files. */
async function readText(place: URL): Promise<string> {
  if (!(await stat(place)).isDirectory()) return readFile(place, 'utf8')
  const parts = (await readdir(place)).sort()
  const texts = await Promise.all(parts.map((part) => readFile(new URL(`${place.href}/${part}`), 'utf8')))
  return texts.join('\n')
}
