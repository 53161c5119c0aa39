/** Which journal directories belong to whom: one for each process, and those of the dead for the next that starts. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { makePrivateDirectory } from '../../../foundation/platform/private-directory.ts'

export interface JournalOwner {
  readonly pid: number
  /** Tells a process from a later one with the same number; null where the system does not tell. */
  readonly startTicks: string | null
  /** Machine and boot, or container: numbers of processes mean nothing elsewhere. */
  readonly host: string
  /** Names the database: records of one must never be replayed into another. */
  readonly database: string
}

export interface OwnDirectory {
  readonly path: string
  /** Shows that the owner lives, for hosts that cannot see its process. */
  readonly beat: () => Promise<void>
  /** Nobody owns it from now on; what is left in it, or in quarantine, is for the next start. */
  readonly release: () => Promise<void>
}

const OWNER_FILE = 'owner.json'
/** The owner's file after a regular end: still says whose records these are. */
const RELEASED_FILE = 'released.json'
export const BEAT_MS = 10_000
/** A process on another host that has not shown itself for this long is taken for dead. */
const STALE_BEAT_MS = 120_000

export async function claimDirectory(root: string, database: string): Promise<OwnDirectory> {
  await makePrivateDirectory(root)
  const owner: JournalOwner = {
    pid: process.pid,
    startTicks: readStartTicks(process.pid) ?? null,
    host: thisHost(),
    database,
  }
  const name = `${process.pid}-${randomBytes(6).toString('hex')}`
  const hidden = path.join(root, `.${name}`)
  const own = path.join(root, name)
  await mkdir(hidden, { mode: 0o700 })
  await writeFile(path.join(hidden, OWNER_FILE), JSON.stringify(owner), { mode: 0o600 })
  // Visible only with its owner inside: a directory without one counts as abandoned.
  await rename(hidden, own)
  return {
    path: own,
    beat: async () => {
      const now = new Date()
      await utimes(path.join(own, OWNER_FILE), now, now)
    },
    release: async () => {
      await rename(path.join(own, OWNER_FILE), path.join(own, RELEASED_FILE))
      if ((await readdir(own)).length > 1 || (await isThere(findQuarantine(own)))) return
      await rm(own, { recursive: true, force: true })
    },
  }
}

const ADOPTED = 'adopted-'

/**
 * The file for what a process could store nowhere: beside its directory, also when another has adopted that. Not in it,
 * because earlier releases remove with a directory all that they do not know.
 */
export function findQuarantine(directory: string): string {
  const name = path.basename(directory)
  const isAdopted = name.startsWith(ADOPTED)
  const root = path.dirname(isAdopted ? path.dirname(directory) : directory)
  return path.join(root, `quarantine-${isAdopted ? name.slice(ADOPTED.length) : name}.jsonl`)
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined
}

/**
 * Moves the directories of dead processes into `own` and returns where they are. A move is atomic, so of two processes
 * that start at once each directory goes to one.
 */
export async function adoptAbandoned(root: string, own: string, database: string): Promise<readonly string[]> {
  const adopted: string[] = []
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const found = path.join(root, entry.name)
    if (!entry.isDirectory() || entry.name.startsWith('.') || found === own) continue
    if (!(await isAbandoned(found, database))) continue
    const target = path.join(own, `${ADOPTED}${entry.name}`)
    const moved = await rename(found, target).then(
      () => true,
      () => false,
    )
    if (moved) adopted.push(...(await unfold(target, own)))
  }
  return adopted
}

/**
 * A dead process may have adopted others before it died; the calls of each are told apart, the older first. Those move up
 * beside their heir: processes that die again and again would otherwise nest until a path is too long to be read.
 */
async function unfold(directory: string, own: string): Promise<readonly string[]> {
  const older: string[] = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(ADOPTED)) continue
    const beside = path.join(own, entry.name)
    await rename(path.join(directory, entry.name), beside)
    older.push(...(await unfold(beside, own)))
  }
  return [...older, directory]
}

async function isAbandoned(directory: string, database: string): Promise<boolean> {
  const released = await readOwner(path.join(directory, RELEASED_FILE))
  if (released !== undefined) return released.database === database
  const file = path.join(directory, OWNER_FILE)
  const owner = await readOwner(file)
  if (owner === undefined || owner.database !== database) return false
  if (owner.host === thisHost() && owner.startTicks !== null) return readStartTicks(owner.pid) !== owner.startTicks
  const beat = await stat(file).catch(() => undefined)
  return beat !== undefined && Date.now() - beat.mtimeMs > STALE_BEAT_MS
}

async function readOwner(file: string): Promise<JournalOwner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as JournalOwner
  } catch {
    return undefined
  }
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(`/proc/${file}`, 'latin1')
  } catch {
    // Other systems have no such files, and dead processes have none either.
    return undefined
  }
}

/** Undefined for a process that does not exist, null where the system does not tell. */
function readStartTicks(pid: number): string | null | undefined {
  if (readProc('self/stat') === undefined) return null
  // The second field is a name in brackets that may hold anything; the start is the 22nd.
  return readProc(`${pid}/stat`)?.split(') ').at(-1)?.split(' ')[19]
}

function thisHost(): string {
  return `${hostname()} ${readProc('sys/kernel/random/boot_id')?.trim() ?? ''}`
}
