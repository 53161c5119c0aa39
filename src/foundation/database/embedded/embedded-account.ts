/** Decides under which account the embedded Postgres runs: it refuses to be root, and its files must be its own. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseSetupError } from '../store-errors.ts'

const run = promisify(execFile)

/** Undefined: the account of this process. */
export type Account = { readonly uid: number; readonly gid: number } | undefined

export async function accountFor(cluster: string): Promise<Account> {
  const ownUid = process.getuid?.()
  const existing = await stat(cluster).catch(() => undefined)
  if (ownUid !== 0) {
    if (existing !== undefined && ownUid !== undefined && existing.uid !== ownUid)
      throw new DatabaseSetupError(
        `The database directory ${dirname(cluster)} belongs to another user (uid ${existing.uid}).`,
      )
    return undefined
  }
  // A cluster made earlier by an ordinary user keeps its owner: Postgres insists on owning its files.
  if (existing !== undefined && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid }
  return (await findPostgresAccount()) ?? createPostgresAccount()
}

async function findPostgresAccount(): Promise<Account> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = accounts
    .split('\n')
    .map((line) => line.split(':'))
    .find((entry) => entry[0] === 'postgres')
  return fields === undefined ? undefined : { uid: Number(fields[2]), gid: Number(fields[3]) }
}

async function createPostgresAccount(): Promise<Account> {
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch(() =>
      // Alpine and other small images have only this one.
      run('adduser', ['-S', '-D', '-H', 'postgres']),
    )
  } catch (error) {
    throw new DatabaseSetupError(
      'The embedded Postgres cannot run as root, and a "postgres" user could not be created. Create one, or start as an ordinary user.',
      error,
    )
  }
  return findPostgresAccount()
}

/** Makes the directory; it and what had to be made above it become passable for the account, whatever the umask says. */
export async function makePassableDirectory(directory: string): Promise<void> {
  const first = (await mkdir(directory, { recursive: true })) ?? directory
  if (process.getuid?.() !== 0) return
  for (let path = directory; path.length >= first.length; path = dirname(path)) {
    const { mode } = await stat(path)
    await chmod(path, (mode & 0o777) | 0o711)
  }
}

/** Root passes everywhere, the account may not: say so before initdb fails with a bare "Permission denied". */
export async function requirePassable(path: string, account: Account): Promise<void> {
  if (account === undefined) return
  for (let parent = resolve(path); ; parent = dirname(parent)) {
    const { mode, uid, gid } = await stat(parent)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0)
      throw new DatabaseSetupError(
        `The embedded Postgres runs as uid ${account.uid}, which may not enter ${parent} on the way to ${path}. Choose another directory, or start as an ordinary user.`,
      )
    if (parent === dirname(parent)) return
  }
}
