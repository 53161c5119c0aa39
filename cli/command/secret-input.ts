/** Secrets come from a file, from standard input or from a question without echo; a flag would stay in the shell's history. */

import { withoutMark } from '../terminal/byte-order-mark.ts'
import { usageError } from '../terminal/cli-error.ts'
import type { Io } from '../terminal/io.ts'
import type { Opt } from './command.ts'
import type { Values } from './context.ts'

export function secretOptions(name: string, what: string): readonly Opt[] {
  return [
    { flags: `--${name}-file <path>`, text: `read ${what} from a file; - is standard input` },
    { flags: `--ask-${name}`, text: `ask for ${what} on the terminal` },
  ]
}

/** Undefined when no flag asks for one. */
export async function readSecretOption(io: Io, values: Values, name: string): Promise<string | undefined> {
  const file = values[camel(`${name}-file`)]
  if (file !== undefined) return requireText(file === '-' ? await io.readInput() : await readTextFile(io, file), name)
  if (values[camel(`ask-${name}`)] !== true) return undefined
  if (!io.inputIsTerminal) throw usageError('there is no terminal to ask on', `use --${name}-file`)
  return requireText(await io.ask(`${name}: `, true), name)
}

/** Read from standard input, or asked for when a person sits there. */
export async function readSecret(io: Io, question: string): Promise<string> {
  const text = io.inputIsTerminal ? await io.ask(`${question}: `, true) : await io.readInput()
  return requireText(text, question)
}

export async function readTextFile(io: Io, path: string): Promise<string> {
  try {
    const text = path === '-' ? await io.readInput() : await io.readFile(path)
    return withoutMark(text)
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function requireText(text: string, name: string): string {
  const trimmed = text.trim()
  if (trimmed === '')
    throw usageError(
      `the ${name.charAt(0).toLowerCase()}${name.slice(1)} is empty`,
      'without a terminal it is read from standard input',
    )
  return trimmed
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
