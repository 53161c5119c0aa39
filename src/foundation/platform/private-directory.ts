/** Makes a folder that only its owner may enter, and nothing above it private: others may have to pass on their way beside it. */
import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

export async function makePrivateDirectory(directory: string): Promise<void> {
  await makeParents(dirname(resolve(directory)))
  await mkdir(directory, { recursive: true, mode: 0o700 })
}

/**
 * Under root the embedded Postgres runs as an account of its own, whose folder may lie beside this one. So what has to be
 * made here may be passed, whatever the umask says; what somebody else has made stays as it is.
 */
async function makeParents(parent: string): Promise<void> {
  const first = await mkdir(parent, { recursive: true })
  if (first === undefined || process.getuid?.() !== 0) return
  for (let path = parent; path.length >= first.length; path = dirname(path))
    await chmod(path, ((await stat(path)).mode & 0o777) | 0o711)
}
