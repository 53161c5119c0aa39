/** Everything a command needs of the machine, so that tests can run commands inside their own process. */
import { homedir, hostname, platform } from 'node:os'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { projectProgram } from '../../src/foundation/platform/project-file.ts'
import type { Environment } from './environment.ts'
import { openStandardOutput } from './standard-output.ts'

export interface Io {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether a person looks at standard output. */
  readonly isTerminal: boolean
  readonly errIsTerminal: boolean
  readonly inputIsTerminal: boolean
  readonly columns: number
  readonly environment: Environment
  readonly home: string
  readonly hostname: string
  readonly platform: string
  readonly nowMs: () => number
  readonly readInput: () => Promise<string>
  /** Standard input as it comes. */
  readonly openInput: () => Readable
  readonly readFile: (path: string) => Promise<string>
  /** Asks on the terminal; what is typed is not shown when `hidden`. */
  readonly ask: (question: string, hidden: boolean) => Promise<string>
  /** False when there is no browser to open. */
  readonly openBrowser: (url: string) => Promise<boolean>
  /** Runs another command of this program, which goes on when this one has ended. */
  readonly runBehind: (args: readonly string[]) => Promise<void>
  /** Hands the terminal to another program until it ends; the code of this process is then the one of that. */
  readonly runClient: (command: string, args: readonly string[], environment: Environment) => Promise<void>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

export function processIo(signal: AbortSignal): Io {
  const environment = process.env
  const dumb = environment['TERM'] === 'dumb'
  return {
    out: openStandardOutput(),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true && !dumb,
    inputIsTerminal: process.stdin.isTTY === true,
    columns: process.stdout.columns ?? 120,
    environment,
    home: environment['HOME'] ?? homedir(),
    hostname: hostname(),
    platform: platform(),
    nowMs: Date.now,
    readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
    openInput: () => process.stdin,
    readFile: async (path) => (await import('node:fs/promises')).readFile(path, 'utf8'),
    ask: async (question, hidden) => (await import('./ask.ts')).ask(question, hidden, signal),
    openBrowser: async (url) => (await import('./open-browser.ts')).openBrowser(url, environment),
    runBehind: async (args) => {
      const { spawn } = await import('node:child_process')
      // Not what was typed: that may be a launcher or a link of any name.
      const file = fileURLToPath(projectProgram('cli/main'))
      spawn(process.execPath, [file, ...args], { stdio: 'ignore', detached: true }).unref()
    },
    runClient: async (...client) => (await import('./run-client.ts')).runClient(...client),
    signal,
  }
}
