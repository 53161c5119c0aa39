/** Hands the terminal to another program, waits for its end and ends with its code. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Environment } from './environment.ts'

/** What a shell adds to the number of a signal. */
const SIGNALLED = 128

export function runClient(command: string, args: readonly string[], environment: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    // Clients that npm has installed are scripts of the shell on Windows, which nothing else starts.
    const viaShell = process.platform === 'win32'
    const words = viaShell ? [command, ...args].map(quoted) : [command, ...args]
    let child: ChildProcess | undefined
    // Before it starts. Ctrl-C reaches the client by itself, and means something to it; what is sent to this process alone is passed on.
    const stay = (): void => undefined
    const passOn = (signal: NodeJS.Signals): void => void child?.kill(signal)
    process.on('SIGINT', stay)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn)
    const leave = (): void => {
      process.off('SIGINT', stay)
      for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, passOn)
    }
    child = spawn(words[0] ?? '', words.slice(1), { stdio: 'inherit', env: { ...environment }, shell: viaShell })
    child.once('error', (error) => {
      leave()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      leave()
      process.exitCode = signal === null ? (code ?? 1) : SIGNALLED + constants.signals[signal]
      resolve()
    })
  })
}

function quoted(word: string): string {
  return /^[\w.:\\/=@-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`
}
