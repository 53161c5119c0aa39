/** The client's settings file, and beside it what is needed to undo a change: the same files that the setup script keeps. */
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BYTE_ORDER_MARK, withoutMark } from '../../terminal/byte-order-mark.ts'
import type { Io } from '../../terminal/io.ts'
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
  /** Without the byte-order mark that editors on Windows put before it. */
  readonly text: string | undefined
  /** That mark, which stays where it was. */
  readonly mark: string
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
  const [whole, after, before, absent] = await Promise.all([
    read(settings),
    read(join(own, 'after')).then(withoutMark),
    read(join(own, 'before')).then(withoutMark),
    read(join(own, 'absent')),
  ])
  const text = withoutMark(whole)
  const found = { text, mark: whole === text ? '' : BYTE_ORDER_MARK, wasConnected: after !== undefined }
  const wasAbsent = absent !== undefined
  if (after === undefined) return { ...found, clean: requireObject(text ?? '', settings), isAbsent: text === undefined }
  const old = requireObject(wasAbsent ? '' : (before ?? ''), settings)
  if (text === undefined) return { ...found, clean: requireObject('', settings), isAbsent: true }
  if (text === after) return { ...found, clean: old, isAbsent: wasAbsent }
  const clean = removeGateway(requireObject(text, settings), old, requireObject(after, settings))
  return { ...found, clean, isAbsent: false }
}

function marked({ mark }: Found, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(mark), bytes])
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
  await writeFile(join(folder.own, 'before'), marked(found, found.clean), { mode: 0o600 })
  await writeFile(join(folder.own, 'after'), marked(found, after), { mode: 0o600 })
  if (found.isAbsent) await writeFile(join(folder.own, 'absent'), '')
  else await rm(join(folder.own, 'absent'), { force: true })
  await writeThrough(folder.settings, marked(found, after), isPrivate)
}

export async function writeRemoved(folder: SettingsFolder, found: Found): Promise<void> {
  if (found.isAbsent) await rm(folder.settings, { force: true })
  else await writeThrough(folder.settings, marked(found, found.clean), false)
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
