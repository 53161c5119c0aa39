/** What a command is: data that becomes a commander command, a page of the docs and a completion. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { formats } from '../output/render.ts'
import type { Context } from './context.ts'

export interface Arg {
  /** As commander writes it: `<key>`, `[name]`, `<keys...>`. */
  readonly name: string
  readonly text: string
  readonly parse?: (value: string, previous: unknown) => unknown
  /** Where completion finds values. */
  readonly values?: ValueSource
  readonly choices?: readonly string[]
}

export interface Opt {
  /** As commander writes it: `--team <name>`. */
  readonly flags: string
  readonly text: string
  readonly parse?: (value: string, previous: unknown) => unknown
  readonly choices?: readonly string[]
  readonly values?: ValueSource
}

export type ValueSource = 'keys' | 'teams' | 'users' | 'endpoints' | 'idps' | 'settings' | 'models' | 'profiles'

// biome-ignore lint/suspicious/noExplicitAny: commander gives what the declared parsers made.
export type Values = Record<string, any>

export interface Leaf {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  /** Decides the common options: `list` pages, `write` can be tried, `destroy` asks first. */
  readonly kind: 'list' | 'read' | 'write' | 'destroy' | 'plain'
  readonly args?: readonly Arg[]
  readonly options?: readonly Opt[]
  /** Without the leading `causeway`. */
  readonly examples?: readonly string[]
  readonly about?: string
  // biome-ignore lint/suspicious/noExplicitAny: arguments have the types that the declared parsers give.
  readonly run: (context: Context, args: readonly any[], values: Values) => Promise<void>
}

export interface Noun {
  readonly name: string
  readonly summary: string
  readonly aliases?: readonly string[]
  readonly leaves: readonly (Leaf | Noun)[]
  /** Runs when no verb is given. */
  readonly itself?: Leaf
}

const outputOptions: readonly Opt[] = [
  { flags: '--json', text: 'print the document of the API' },
  { flags: '-o, --output <format>', text: 'form of the output', choices: formats },
]
const listOptions: readonly Opt[] = [
  { flags: '--all', text: 'every page, not only the first' },
  { flags: '--limit <n>', text: 'records a page, 1 to 200', parse: wholeNumber(1, 200) },
  { flags: '--cursor <cursor>', text: 'go on where an earlier page ended' },
  { flags: '-q, --search <text>', text: 'only what holds this text' },
  { flags: '--sort <field>', text: 'order by a field; -field turns it round' },
]
const dryRun: Opt = { flags: '--dry-run', text: 'show what would be sent and change nothing' }
const yes: Opt = { flags: '-y, --yes', text: 'do not ask' }

export const commonOptions: Readonly<Record<Leaf['kind'], readonly Opt[]>> = {
  list: [...outputOptions, ...listOptions],
  read: outputOptions,
  write: [...outputOptions, dryRun],
  destroy: [...outputOptions, dryRun, yes],
  plain: [],
}

export function isNoun(entry: Leaf | Noun): entry is Noun {
  return 'leaves' in entry
}

/** Fills a commander command; `run` is what happens when a leaf is chosen. */
export function fillCommand(
  command: Command,
  entry: Leaf | Noun,
  run: (leaf: Leaf, command: Command) => Promise<void>,
): void {
  command.summary(entry.summary).description(sentence(entry))
  for (const alias of entry.aliases ?? []) command.alias(alias)
  if (isNoun(entry)) {
    for (const child of entry.leaves) fillCommand(command.command(child.name), child, run)
    if (entry.itself !== undefined) fillLeaf(command, entry.itself, run)
    return
  }
  fillLeaf(command, entry, run)
}

function fillLeaf(command: Command, leaf: Leaf, run: (leaf: Leaf, command: Command) => Promise<void>): void {
  for (const arg of leaf.args ?? []) command.addArgument(toArgument(arg))
  for (const option of [...(leaf.options ?? []), ...commonOptions[leaf.kind]]) command.addOption(toOption(option))
  if (leaf.examples !== undefined && leaf.examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${leaf.examples.map((example) => `  causeway ${example}`).join('\n')}`)
  command.action(() => run(leaf, command))
}

/** What help says of it, before its options. */
export function sentence(entry: Leaf | Noun): string {
  const text = `${entry.summary.charAt(0).toUpperCase()}${entry.summary.slice(1)}.`
  return 'about' in entry && entry.about !== undefined ? `${text}\n${entry.about}` : text
}

function toArgument(arg: Arg): Argument {
  const made = new Argument(arg.name, arg.text)
  if (arg.choices !== undefined) made.choices([...arg.choices])
  if (arg.parse !== undefined) made.argParser(arg.parse)
  return made
}

function toOption(option: Opt): Option {
  const made = new Option(option.flags, option.text)
  if (option.choices !== undefined) made.choices([...option.choices])
  if (option.parse !== undefined) made.argParser(option.parse)
  return made
}

export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= low && value <= high))
      throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`)
    return value
  }
}

export function amount(text: string): number {
  const value = /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number such as 50 or 12.5.')
  return value
}

export function trueOrFalse(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw new InvalidArgumentError('It must be true or false.')
}

/** `a,b` and repeated flags both make one list. */
export function commaList(text: string, previous: unknown): readonly string[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  return [...(Array.isArray(previous) ? (previous as string[]) : []), ...words]
}

/** Commander makes an empty text of null, so "take it away" travels as a value of its own until the command runs. */
export const NONE = Symbol('none')

/** `none` takes a value away: the command gets null. */
export function orNone<T>(
  parse: (text: string, previous: unknown) => T,
): (text: string, previous: unknown) => T | typeof NONE {
  return (text, previous) => (text === 'none' ? NONE : parse(text, previous))
}
