/** The client's settings file, and beside it what is needed to undo a change: the same files that the setup script keeps. */
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Io } from '../io.ts'
import { requireObject } from './edit-json.ts'
import { removeGateway } from './merge.ts'

export interface SettingsFolder {
  readonly settings: string
  readonly own: string
  readonly helper: string
}

export interface Found {
  /** As if the gateway had never been set up. */
  readonly clean: Buffer
  /** There would be no file at all. */
  readonly isAbsent: boolean
  readonly wasConnected: boolean
  readonly text: string | undefined
}

export function settingsFolder(io: Io, project: boolean): SettingsFolder {
  const folder = project
    ? join(process.cwd(), '.claude')
    : io.environment['CLAUDE_CONFIG_DIR'] || join(io.home, '.claude')
  const own = join(folder, 'causeway')
  const helper = io.platform === 'win32' ? 'token-helper.ps1' : 'token-helper.sh'
  // What belongs to a project's checkout is shared; the way to a gateway is not.
  return { settings: join(folder, project ? 'settings.local.json' : 'settings.json'), own, helper: join(own, helper) }
}

export async function findClean({ settings, own }: SettingsFolder): Promise<Found> {
  const [text, after, before, absent] = await Promise.all([
    read(settings),
    read(join(own, 'after')),
    read(join(own, 'before')),
    read(join(own, 'absent')),
  ])
  const wasAbsent = absent !== undefined
  if (after === undefined)
    return { clean: requireObject(text ?? '', settings), isAbsent: text === undefined, wasConnected: false, text }
  const old = requireObject(wasAbsent ? '' : (before ?? ''), settings)
  if (text === undefined) return { clean: requireObject('', settings), isAbsent: true, wasConnected: true, text }
  if (text === after) return { clean: old, isAbsent: wasAbsent, wasConnected: true, text }
  const clean = removeGateway(requireObject(text, settings), old, requireObject(after, settings))
  return { clean, isAbsent: false, wasConnected: true, text }
}

/** It ignores itself before anything is in it: the copies hold secrets, and a project or a home may be a checkout. */
export async function makeOwnFolder(own: string): Promise<void> {
  await mkdir(own, { recursive: true, mode: 0o700 })
  await writeFile(join(own, '.gitignore'), '*\n')
}

export async function writeConnected(
  folder: SettingsFolder,
  found: Found,
  after: Buffer,
  isPrivate: boolean,
): Promise<void> {
  await makeOwnFolder(folder.own)
  await writeFile(join(folder.own, 'before'), found.clean, { mode: 0o600 })
  await writeFile(join(folder.own, 'after'), after, { mode: 0o600 })
  if (found.isAbsent) await writeFile(join(folder.own, 'absent'), '')
  else await rm(join(folder.own, 'absent'), { force: true })
  await writeThrough(folder.settings, after, isPrivate)
}

export async function writeRemoved(folder: SettingsFolder, found: Found): Promise<void> {
  if (found.isAbsent) await rm(folder.settings, { force: true })
  else await writeThrough(folder.settings, found.clean, false)
  await rm(folder.own, { recursive: true, force: true })
}

/** Through a link, so that the link stays; whole, so that a kill in the middle leaves the old file; with its old mode. */
async function writeThrough(path: string, bytes: Buffer, isPrivate: boolean): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const target = await realpath(path).catch(() => path)
  const mode = isPrivate
    ? 0o600
    : await stat(target).then(
        (found) => found.mode & 0o777,
        () => 0o600,
      )
  const fresh = `${target}.causeway-new`
  await writeFile(fresh, bytes, { mode })
  await chmod(fresh, mode)
  await rename(fresh, target)
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}
