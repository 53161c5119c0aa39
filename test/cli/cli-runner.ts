/** Runs commands inside the process of a test, against a real gateway, and remembers which routes they called. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { extensions } from '../../cli/app/extensions.ts'
import { listCommands } from '../../cli/app/list-commands.ts'
import { runCli } from '../../cli/app/run.ts'
import type { Environment } from '../../cli/terminal/environment.ts'
import type { Io } from '../../cli/terminal/io.ts'

export interface CliResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Makes standard output a terminal. */
  readonly terminal?: boolean
  /** Answers to questions; with it standard input is a terminal. */
  readonly answers?: readonly string[]
  readonly signal?: AbortSignal
  /** How far the clock of this machine is ahead. */
  readonly aheadMs?: number
  /** Hears what is printed at once, for a command that does not end by itself. */
  readonly onOut?: (text: string) => void
}

export interface CliRunner {
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<CliResult>
  /** The parsed output of a command that must succeed; `--json` is added. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of many shapes.
  readonly json: (args: readonly string[], options?: RunOptions) => Promise<any>
  /**
   * Routes that commands below these nouns or words declare and did not call. What an extension adds to the noun of a module
   * counts only when its own words are given.
   */
  readonly uncalled: (beginnings: readonly string[]) => readonly string[]
  readonly home: string
  readonly opened: readonly string[]
  /** Commands that were left to run behind one that has ended. */
  readonly behind: readonly string[]
  /** Clients that were started, with the environment that they got. */
  readonly clients: readonly { readonly words: readonly string[]; readonly environment: Environment }[]
  readonly close: () => void
}

const commands = await listCommands()
/** The words of commands that extensions add to nouns of modules. */
const added = await Promise.all(
  extensions.flatMap(({ leaves = [] }) => leaves).map(async ({ noun, load }) => `${noun} ${(await load()).name}`),
)

export function createRunner(environment: Readonly<Record<string, string>>): CliRunner {
  const home = mkdtempSync(join(tmpdir(), 'causeway-cli-'))
  const called = new Set<string>()
  const opened: string[] = []
  const behind: string[] = []
  const clients: { words: readonly string[]; environment: Environment }[] = []
  const run: CliRunner['run'] = async (args, options = {}) => {
    let out = ''
    let err = ''
    const answers = [...(options.answers ?? [])]
    const io: Io = {
      out: (text) => {
        out += text
        options.onOut?.(text)
      },
      err: (text) => {
        err += text
      },
      isTerminal: options.terminal === true,
      errIsTerminal: false,
      inputIsTerminal: options.answers !== undefined,
      columns: 200,
      environment: { ...environment, ...options.env },
      home,
      hostname: 'test',
      platform: 'linux',
      nowMs: () => Date.now() + (options.aheadMs ?? 0),
      readInput: async () => options.input ?? '',
      openInput: () => Readable.from([Buffer.from(options.input ?? '')]),
      readFile: (path) => readFile(path, 'utf8'),
      ask: async () => answers.shift() ?? '',
      openBrowser: async (url) => opened.push(url) > 0,
      runBehind: async (args) => void behind.push(args.join(' ')),
      runClient: async (command, args, environment) => void clients.push({ words: [command, ...args], environment }),
      signal: options.signal ?? new AbortController().signal,
    }
    const words = args.filter((word) => !word.startsWith('-'))
    const code = await watchFetch(
      (route) => called.add(`${words.slice(0, 3).join(' ')} -> ${route}`),
      () => runCli(args, io, 'test'),
    )
    return { code, out, err }
  }
  return {
    run,
    json: async (args, options) => {
      const { code, out, err } = await run([...args, '--json'], options)
      if (code !== 0) throw new Error(`causeway ${args.join(' ')} ended with ${code}: ${err}`)
      return out === '' ? undefined : JSON.parse(out)
    },
    uncalled: (beginnings) =>
      commands
        .filter(({ path }) => {
          const extension = added.find((words) => isBelow(path.join(' '), words))
          return beginnings.some(
            (words) => isBelow(path.join(' '), words) && (extension === undefined || isBelow(words, extension)),
          )
        })
        .flatMap(({ path, leaf }) => (leaf.routes ?? []).map((route) => ({ route, command: path.join(' ') })))
        .filter(({ route, command }) => ![...called].some((entry) => wasCalled(entry, route, command)))
        .map(({ route, command }) => `${route} by "${command}"`),
    home,
    opened,
    behind,
    clients,
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}

function isBelow(words: string, beginning: string): boolean {
  return `${words} `.startsWith(`${beginning} `)
}

function wasCalled(entry: string, route: string, command: string): boolean {
  const [typed = '', called = ''] = entry.split(' -> ')
  const pattern = new RegExp(`^${route.replaceAll(/[.[\]]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  return pattern.test(called) && `${typed} `.startsWith(`${command} `)
}

/** The command line calls `fetch` of its process, and nothing else in these tests does meanwhile. */
async function watchFetch<R>(seen: (route: string) => void, work: () => Promise<R>): Promise<R> {
  const real = globalThis.fetch
  globalThis.fetch = (target, init) => {
    const url = new URL(target instanceof Request ? target.url : target)
    seen(`${init?.method ?? 'GET'} ${url.pathname}`)
    return real(target, init)
  }
  try {
    return await work()
  } finally {
    globalThis.fetch = real
  }
}
