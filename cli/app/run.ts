/** Runs one command line: finds the command, loads only its module, and turns every outcome into an exit code. */
import { type Command, CommanderError } from 'commander'
import type { Values } from '../command/context.ts'
import { runLeaf } from '../command/run-leaf.ts'
import { CliError, describeError, errorDocument, exitCodes, usageError, withoutTrace } from '../terminal/cli-error.ts'
import type { Io } from '../terminal/io.ts'
import { findNoun } from './nouns.ts'
import { createProgram, firstWord } from './program.ts'

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
        const values: Values = command.optsWithGlobals()
        asksForJson = values['json'] === true || values['output'] === 'json'
        return runLeaf(leaf, command, values, { io, version })
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
