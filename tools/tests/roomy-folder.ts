/** Where the tests keep what they forget: in memory, where there is plenty of it. */
import { statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** What Linux calls a filesystem that is kept in memory. */
const TMPFS = 0x01021994
const NEEDED_BYTES = 6 * 2 ** 30

/**
 * Hundreds of databases of a thousand files each are made and dropped, and ext4 looks at every file that was deleted in
 * the last seconds before it makes a new one: a seventh of all the work of a run.
 */
export async function roomyFolder(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined)
  const isRoomy = found?.type === TMPFS && found.bavail * found.bsize >= NEEDED_BYTES && freemem() >= NEEDED_BYTES
  return isRoomy ? MEMORY : tmpdir()
}
