/** Completes the installed Postgres: its package makes the links between its libraries in a script, which npm may not run. */
import { readFile, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { findBinaries } from '../../src/foundation/database/embedded/embedded-server.ts'

interface Link {
  /** Both from the root of the package. */
  readonly source: string
  readonly target: string
}

export async function completeLibraryLinks(): Promise<void> {
  const native = dirname(dirname((await findBinaries()).initdb))
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(text) as readonly Link[]) {
    // Most are there already. If one is missing and cannot be made, the start of Postgres names it.
    await symlink(relative(dirname(target), source), join(dirname(native), target)).catch(() => undefined)
  }
}
