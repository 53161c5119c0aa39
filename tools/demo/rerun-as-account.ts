/** Lets root run the demo from a folder that only root may enter, such as root's own home. */
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** What the account may do beyond its own files: pass and write where root may. */
const CAPABILITIES = '+dac_override,+fowner'
const NOBODY = { uid: 65_534, gid: 65_534 }
const setprivPaths = ['/usr/bin/setpriv', '/bin/setpriv'] as const

interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * Postgres refuses to run as root, and an ordinary account may not pass through a closed folder on the way to its files.
 * So the whole demo goes on under such an account that keeps root's right to pass. Where that is not possible this
 * returns, and the start of Postgres says what is in the way.
 */
export async function rerunAsAccount(folder: string, checkout: string): Promise<void> {
  if (process.getuid?.() !== 0 || process.execve === undefined) return
  if ((await mayAnyonePass(folder)) && (await mayAnyonePass(checkout))) return
  const setpriv = setprivPaths.find((path) => existsSync(path))
  if (setpriv === undefined) return
  const { uid, gid } = (await ownerOfCluster(folder)) ?? (await findPostgresAccount()) ?? NOBODY
  const args = [
    ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
    ...[`--inh-caps=${CAPABILITIES}`, `--ambient-caps=${CAPABILITIES}`],
    // Without it access(2), by which Postgres looks for its programs, forgets the capabilities of other accounts than root.
    '--securebits=+no_setuid_fixup,+no_setuid_fixup_locked',
    ...[process.execPath, ...process.execArgv, ...process.argv.slice(1)],
  ]
  process.execve(setpriv, [setpriv, ...args], definedOnly(process.env))
}

/** Folders that do not exist yet are made open. */
async function mayAnyonePass(path: string): Promise<boolean> {
  for (let parent = resolve(path); ; parent = dirname(parent)) {
    const found = await stat(parent).catch(() => undefined)
    if (found !== undefined && (found.mode & 0o001) === 0) return false
    if (parent === dirname(parent)) return true
  }
}

async function ownerOfCluster(folder: string): Promise<Account | undefined> {
  const found = await stat(join(folder, 'postgres', 'cluster')).catch(() => undefined)
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

async function findPostgresAccount(): Promise<Account | undefined> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const fields = /^postgres:[^:]*:(\d+):(\d+):/m.exec(accounts)
  return fields === null ? undefined : { uid: Number(fields[1]), gid: Number(fields[2]) }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
