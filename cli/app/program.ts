/** The command `causeway` as a commander tree. Only the chosen noun is loaded; help of the others is one line each. */
import { Command } from 'commander'
import type { Leaf } from '../command/command.ts'
import { fillCommand } from '../command/fill-command.ts'
import { createPaint, wantsColor } from '../output/paint.ts'
import type { Io } from '../terminal/io.ts'
import { type LoadableNoun, nouns } from './nouns.ts'

export interface ProgramParts {
  readonly io: Pick<Io, 'out' | 'err' | 'isTerminal' | 'columns' | 'environment'>
  readonly version: string
  /** `every` loads all, for documents and completion. */
  readonly chosen: LoadableNoun | 'every' | undefined
  readonly run: (leaf: Leaf, command: Command) => Promise<void>
}

export async function createProgram({ io, version, chosen, run }: ProgramParts): Promise<Command> {
  const paint = createPaint(wantsColor(io.isTerminal, io.environment, true))
  const program = new Command('causeway')
    .description('Runs and administers a Causeway gateway.')
    .version(version, '-V, --version', 'print the version, and that of the gateway')
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      // Mistakes are told where every other failure is.
      outputError: () => undefined,
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: paint.bold, sortSubcommands: false })
    .helpCommand(false)
    .option('--profile <name>', 'the gateway and sign-in to use')
    .option('--url <url>', 'address of the gateway')
    .option('--allow-http', 'talk to another machine without TLS')
    .option('--no-color', 'no colours')
    .addHelpText('after', footer)
  let group = ''
  for (const entry of nouns) {
    const command = program.command(entry.name).summary(entry.summary).description(entry.summary)
    for (const alias of entry.aliases ?? []) command.alias(alias)
    if (entry.group !== group) group = entry.group
    command.helpGroup(`${group}:`)
    if (chosen === 'every' || chosen === entry) fillCommand(command, await entry.load(), run)
  }
  return program
}

const footer = `
Environment:
  CAUSEWAY_URL      address of the gateway
  CAUSEWAY_TOKEN    session token or virtual key; wins over the profile's
  CAUSEWAY_PROFILE  name of the profile
  NO_COLOR          no colours
  HTTPS_PROXY       proxy to the gateway; NO_PROXY names what is asked directly

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 sign-in needed, 5 not allowed, 6 conflict, 7 unreachable or
overloaded, 8 a check did not pass, 130 interrupted.

Examples:
  causeway demo
  causeway login https://gateway.example.com
  causeway keys create ci-build --team platform --expires 90d
  causeway requests tail --errors`

const withValue = new Set(['--profile', '--url'])

/** The noun, wherever the options of the whole program stand. */
export function firstWord(argv: readonly string[]): string | undefined {
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (withValue.has(word)) index += 1
    else if (!word.startsWith('-')) return word
  }
  return undefined
}
