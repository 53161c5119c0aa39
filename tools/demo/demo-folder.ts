/** The folder of the demo and the file that makes it one: what must stay the same from start to start. */
import { randomInt } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, readCommand } from '../../src/foundation/database/embedded/embedded-owner.ts'
import { makeVirtualKey } from '../../src/modules/keys/virtual-key.ts'
import { DemoError } from './demo-error.ts'
import type { SimulatorPorts } from './simulator-program.ts'

const KIND = 'causeway-demo'
const STATE_FILE = 'demo.json'
/** The cloud bill of the sample. */
export const BILL_FILE = 'bill.csv.gz'
/** Everything that the demo puts into its folder. A folder with anything else in it is not ours to delete. */
const ownEntries: ReadonlySet<string> = new Set([
  STATE_FILE,
  `${STATE_FILE}.new`,
  'postgres',
  'journal',
  'files',
  'gateway.log',
  BILL_FILE,
  'simulator.log',
])

export interface DemoState {
  readonly kind: typeof KIND
  /** The sample's last day; it grows towards it. */
  readonly createdAtMs: number
  readonly adminPassword: string
  readonly virtualKey: string
  readonly simulatorPorts: SimulatorPorts | null
  /** Sample spend is written up to here; null before the first time is complete. */
  readonly filledUntilMs: number | null
}

/** The state of an earlier start, or a new one that is written at once: nothing else may come into the folder before. */
export async function openDemoFolder(folder: string): Promise<{ readonly state: DemoState; readonly isNew: boolean }> {
  const known = await readState(folder)
  if (known !== undefined) return { state: known, isNew: false }
  const strangers = (await listEntries(folder)).filter((entry) => entry !== `${STATE_FILE}.new`)
  if (strangers.length > 0)
    throw new DemoError(
      `${folder} is not empty and was not made by the demo (it holds ${shown(strangers)}).`,
      'Move it away, or choose another folder.',
    )
  const state: DemoState = {
    kind: KIND,
    createdAtMs: Date.now(),
    adminPassword: makePassword(),
    virtualKey: makeVirtualKey().key,
    simulatorPorts: null,
    filledUntilMs: null,
  }
  await mkdir(folder, { recursive: true })
  await writeState(folder, state)
  return { state, isNew: true }
}

/** Replaced whole, so that a kill in the middle leaves the old one. */
export async function writeState(folder: string, state: DemoState): Promise<void> {
  const path = join(folder, STATE_FILE)
  await writeFile(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flush: true })
  // The mode above counts only for a new file.
  await chmod(`${path}.new`, 0o600)
  await rename(`${path}.new`, path)
}

async function readState(folder: string): Promise<DemoState | undefined> {
  const path = join(folder, STATE_FILE)
  try {
    const state = JSON.parse(await readFile(path, 'utf8')) as Partial<DemoState> | null
    if (state?.kind === KIND) return state as DemoState
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'EACCES' || code === 'EPERM')
      throw new DemoError(`${path} belongs to another user.`, 'Start the demo as the user who started it first.')
  }
  throw new DemoError(`${path} is damaged.`, `Delete the folder ${folder} and start again.`)
}

/** Deletes the demo's folder, after making sure that it is one and that no demo runs in it. */
export async function removeDemoFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (found === undefined) return false
  if (!found.isDirectory()) throw new DemoError(`${folder} is not a folder.`, 'Move it away and start again.')
  const entries = await listEntries(folder)
  if (entries.length === 0) return false
  if ((await readState(folder)) === undefined)
    throw new DemoError(
      `${folder} does not look like a folder of the demo: there is no ${STATE_FILE} in it.`,
      'It was left as it is. Delete it yourself if you do not need it.',
    )
  const strangers = entries.filter((entry) => !ownEntries.has(entry))
  if (strangers.length > 0)
    throw new DemoError(
      `${folder} holds something that the demo did not put there: ${shown(strangers)}.`,
      'It was left as it is. Move that away and start again.',
    )
  await refuseRunning(folder)
  await rm(folder, { recursive: true })
  return true
}

/** Two demos in one folder would share a database and fight over ports. */
export async function refuseRunning(folder: string): Promise<void> {
  const owner = await readFile(join(folder, 'postgres', 'owner'), 'utf8').catch(() => '')
  const pid = Number.parseInt(owner, 10)
  // After a crash the number may belong to anybody by now.
  if (isRunning(pid) && /\bdemo\b/.test(await readCommand(pid)))
    throw new DemoError(
      `The demo is running already (process ${pid}).`,
      'Stop that one first, with Ctrl-C in its terminal.',
    )
}

async function listEntries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

function shown(entries: readonly string[]): string {
  return entries.length <= 3 ? entries.join(', ') : `${entries.slice(0, 3).join(', ')} and ${entries.length - 3} more`
}

/** No letters that look alike: people type it from one window into another. */
const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const PASSWORD_LENGTH = 16

function makePassword(): string {
  return Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]).join('')
}
