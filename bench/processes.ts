/** Starts the processes of a run on their cores and ends exactly those. */
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { connect, createServer } from 'node:net'

export interface StartOptions {
  /** A process that may use any core is not tied to one. */
  readonly core: number | 'any'
  readonly env?: Readonly<Record<string, string>>
  /** Output goes to this file. */
  readonly logFile: string
}

export interface Started {
  readonly pid: number
  readonly hasEnded: () => boolean
  readonly stop: () => Promise<void>
}

const started = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export function start(command: string, args: readonly string[], options: StartOptions): Started {
  const log = openSync(options.logFile, 'a')
  // `exec` in taskset keeps the process id, so that it is the one to measure and to end.
  const [program = command, ...words] =
    options.core === 'any' ? [command, ...args] : ['taskset', '-c', String(options.core), command, ...args]
  const child = spawn(program, words, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/tmp', ...options.env },
    stdio: ['ignore', log, log],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} could not be started`)
  started.add(child)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  ended.then(
    () => started.delete(child),
    () => undefined,
  )
  return {
    pid,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await ended
      clearTimeout(late)
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const OK_TIMEOUT_MS = 60_000

/** Waits until `GET path` is 200; polls so closely that the wait itself can be measured. */
export async function untilOk(
  port: number,
  path: string,
  server?: Started,
  withinMs: number = OK_TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isOk(port, path))) {
    if (server?.hasEnded()) throw new Error(`what should answer ${path} on port ${port} has ended`)
    if (performance.now() > deadline) throw new Error(`port ${port} did not answer ${path} within ${withinMs} ms`)
    await pause(5)
  }
}

function isOk(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString('latin1', 0, 12) === 'HTTP/1.1 200')
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`)
  })
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
