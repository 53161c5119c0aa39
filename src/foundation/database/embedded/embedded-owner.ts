/** Makes sure that one process at a time owns the directory of an embedded Postgres, also after a kill -9. */
import { execFile } from 'node:child_process'
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DatabaseSetupError } from '../store-errors.ts'

const run = promisify(execFile)

const ATTEMPTS = 20
const RETRY_MS = 50
const HEARTBEAT_MS = 5_000
const FOREIGN_WAIT_MS = 3 * HEARTBEAT_MS

export interface ClaimOptions {
  readonly heartbeatMs?: number
  readonly foreignWaitMs?: number
}

/** Resolves to the function that gives the directory back. */
export async function claimDirectory(directory: string, options: ClaimOptions = {}): Promise<() => Promise<void>> {
  const path = join(directory, 'owner')
  const own = await describeProcess(process.pid)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await writeFile(path, own, { flag: 'wx' })
      return keepAlive(path, options.heartbeatMs ?? HEARTBEAT_MS)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = await readFile(path, 'utf8').catch(() => '')
    if (owner !== '' && (await isAlive(path, owner, options.foreignWaitMs ?? FOREIGN_WAIT_MS)))
      throw new DatabaseSetupError(`The database directory ${directory} is in use by process ${owner}.`)
    // Empty: another process has just made the file and is about to write it.
    if (owner !== '' || attempt === ATTEMPTS - 2) await rm(path, { force: true })
    else await delay(RETRY_MS)
  }
  throw new DatabaseSetupError(`The database directory ${directory} could not be claimed: ${path} cannot be written.`)
}

/** Other containers cannot see our process, so the file has to show that we live. */
function keepAlive(path: string, heartbeatMs: number): () => Promise<void> {
  const timer = setInterval(() => {
    // failure-modes: embedded owner heartbeat. A full disk must not stop the gateway for it.
    utimes(path, new Date(), new Date()).catch(() => undefined)
  }, heartbeatMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await rm(path, { force: true })
  }
}

/** A pid alone may belong to somebody else by now: the start time tells them apart. */
async function describeProcess(pid: number): Promise<string> {
  return `${pid} (started ${await readStartTime(pid)}) on ${hostname()}`
}

async function isAlive(path: string, owner: string, foreignWaitMs: number): Promise<boolean> {
  if (owner.endsWith(` on ${hostname()}`)) {
    const pid = Number.parseInt(owner, 10)
    return isRunning(pid) && owner === (await describeProcess(pid))
  }
  const first = await stat(path).catch(() => undefined)
  await delay(foreignWaitMs)
  const second = await stat(path).catch(() => undefined)
  return first !== undefined && second !== undefined && second.mtimeMs > first.mtimeMs
}

export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function readStartTime(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The command name in field 2 may hold spaces and parentheses; field 22 is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  }
  const listed = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return listed.stdout.trim()
}

/** The command line of a process; empty when there is none. */
export async function readCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return command.replaceAll('\0', ' ')
  }
  const listed = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return listed.stdout.trim()
}
