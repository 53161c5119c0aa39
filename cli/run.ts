/** Runs one command line: finds the command, loads only its module, and turns every outcome into an exit code. */
import { type Command, CommanderError } from 'commander'
import { CliError, describeError, errorDocument, exitCodes, usageError, withoutTrace } from './cli-error.ts'
import { createClient } from './client/http-client.ts'
import { type Leaf, NONE, type Values } from './command.ts'
import type { Context } from './context.ts'
import type { Io } from './io.ts'
import { findNoun } from './nouns.ts'
import { createPaint, wantsColor } from './output/paint.ts'
import { chooseFormat } from './output/render.ts'
import { readConfigFile } from './profile/config-file.ts'
import { decideConnection, signInNeeded } from './profile/connection.ts'
import { createProgram, firstWord } from './program.ts'
import { withSpinner } from './terminal/spinner.ts'

export async function runCli(argv: readonly string[], io: Io, version: string): Promise<number> {
  if (argv[0] === '__complete') {
    const { complete, splitLine } = await import('./complete.ts')
    const words = argv[1] === '--line' ? splitLine(argv[2] ?? '') : argv.slice(2)
    io.out((await complete(words, io)).map((word) => `${word}\n`).join(''))
    return exitCodes.done
  }
  let asksForJson = argv.includes('--json')
  let program: Command | undefined
  try {
    program = await createProgram({
      io,
      version,
      chosen: findNoun(firstWord(argv)),
      run: (leaf, command) => {
        const values = withNull(command.optsWithGlobals())
        asksForJson = values['json'] === true || values['output'] === 'json'
        return leaf.run(
          createContext(io, version, leaf, values),
          command.processedArgs.map((arg) => (arg === NONE ? null : arg)),
          values,
        )
      },
    })
    await program.parseAsync([...argv], { from: 'user' })
    return exitCodes.done
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.version') {
      const { tellServerVersion } = await import('./server-version.ts')
      await tellServerVersion(io, version, program?.opts() ?? {})
    }
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage
    if (io.signal.aborted) return exitCodes.interrupted
    const told = error instanceof CommanderError ? misunderstood(error, program, argv) : withoutTrace(error)
    if (!(told instanceof CliError)) throw told
    io.err(`${asksForJson ? errorDocument(told) : describeError(told)}\n`)
    return told.exitCode
  }
}

/** In our own words and form, with the help of the innermost command that was recognised. */
function misunderstood({ message }: CommanderError, program: Command | undefined, argv: readonly string[]): CliError {
  const path = ['causeway']
  for (let inner = program, rest = [...argv]; inner !== undefined && rest.length > 0; rest = rest.slice(1)) {
    const found: Command | undefined = inner.commands.find(
      (one) => one.name() === rest[0] || one.aliases().includes(rest[0] ?? ''),
    )
    if (found === undefined) continue
    path.push(found.name())
    inner = found
  }
  return usageError(message.replace(/^error: /, '').replaceAll('\n', ' '), `${path.join(' ')} --help`)
}

function withNull(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === NONE ? null : value]))
}

function createContext(io: Io, version: string, leaf: Leaf, values: Values): Context {
  const paint = createPaint(wantsColor(io.isTerminal, io.environment, values['color'] !== false))
  const connection = async () => decideConnection(values, io.environment, await readConfigFile(io))
  return {
    io,
    paint,
    version,
    values,
    output: { io, paint, format: chooseFormat(values['output'], values['json'] === true, io.isTerminal) },
    isDryRun: (leaf.kind === 'write' || leaf.kind === 'destroy') && values['dryRun'] === true,
    connection,
    client: async (timeoutMs) => {
      const { url, token } = await connection()
      if (token === undefined) throw signInNeeded(url)
      const client = createClient({
        base: url,
        token,
        signal: io.signal,
        userAgent: `causeway/${version}`,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      })
      return {
        ...client,
        get: (path, query) => withSpinner(io, client.get(path, query)),
        send: (method, path, body) => withSpinner(io, client.send(method, path, body)),
      }
    },
  }
}
