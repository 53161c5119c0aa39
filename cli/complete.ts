/** Answers the shell: what could stand where the cursor is. Silent on every failure, and never slow for long. */
import { createClient } from './client/http-client.ts'
import { type Arg, commonOptions, isNoun, type Leaf, type Noun, type Opt, type ValueSource } from './command.ts'
import type { Io } from './io.ts'
import { findNoun, nouns } from './nouns.ts'
import type { Row } from './output/render.ts'
import { readConfigFile } from './profile/config-file.ts'
import { decideConnection } from './profile/connection.ts'

const ANSWER_MS = 1_500
const globalOptions = ['--profile', '--url', '--allow-http', '--no-color', '--help']
const profileOption: Opt = { flags: '--profile <name>', text: '', values: 'profiles' }

export async function complete(words: readonly string[], io: Io): Promise<readonly string[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const found = await candidates(before, typed, io).catch(() => [])
  return found.filter((word) => word.startsWith(typed))
}

/** The words of a command line up to the cursor, the name of the program left out; the last one may be empty. */
export function splitLine(line: string): readonly string[] {
  const words = ['']
  let quote = ''
  for (let index = 0; index < line.length; index++) {
    const letter = line[index] ?? ''
    const last = words.length - 1
    if (quote === '' && /\s/.test(letter)) words.push('')
    else if (letter === quote) quote = ''
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter
    else if (letter === '\\' && quote !== "'") words[last] += line[++index] ?? ''
    else words[last] += letter
  }
  return words.filter((word, index) => index > 0 && (word !== '' || index === words.length - 1))
}

async function candidates(before: readonly string[], typed: string, io: Io): Promise<readonly string[]> {
  const [first, ...rest] = before
  if (first === undefined)
    return typed.startsWith('-') ? ['--version', ...globalOptions] : nouns.map(({ name }) => name)
  const noun = findNoun(first)
  if (noun === undefined) return []
  return inside(await noun.load(), rest, typed, io)
}

async function inside(entry: Noun | Leaf, words: readonly string[], typed: string, io: Io): Promise<readonly string[]> {
  if (!isNoun(entry)) return inLeaf(entry, words, typed, io)
  const [word, ...rest] = words
  const child = entry.leaves.find(({ name, aliases }) => name === word || aliases?.includes(word ?? '') === true)
  if (child !== undefined) return inside(child, rest, typed, io)
  if (word !== undefined) return []
  const own = entry.itself === undefined ? [] : optionNames(entry.itself)
  return typed.startsWith('-') ? [...own, '--help'] : entry.leaves.map(({ name }) => name)
}

async function inLeaf(leaf: Leaf, words: readonly string[], typed: string, io: Io): Promise<readonly string[]> {
  const options = [...(leaf.options ?? []), ...commonOptions[leaf.kind], profileOption]
  const last = words.at(-1)
  const waiting = options.find((option) => takesValue(option) && namesOf(option).includes(last ?? ''))
  if (waiting !== undefined) return valuesFor(waiting, io)
  const [flag = '', ...rest] = typed.split('=')
  const joined = rest.length === 0 ? undefined : options.find((option) => namesOf(option).includes(flag))
  if (joined !== undefined) return (await valuesFor(joined, io)).map((value) => `${flag}=${value}`)
  if (typed.startsWith('-')) return [...optionNames(leaf), ...globalOptions].filter((name) => !words.includes(name))
  const position = countPositional(words, options)
  const args = leaf.args ?? []
  const arg = args[position] ?? args.find(({ name }) => name.includes('...'))
  return arg === undefined ? [] : valuesFor(arg, io)
}

function countPositional(words: readonly string[], options: readonly Opt[]): number {
  let count = 0
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (options.some((option) => takesValue(option) && namesOf(option).includes(word))) index += 1
    else if (!word.startsWith('-')) count += 1
  }
  return count
}

function optionNames(leaf: Leaf): readonly string[] {
  return [...(leaf.options ?? []), ...commonOptions[leaf.kind]].map((option) => namesOf(option).at(-1) ?? '')
}

function namesOf({ flags }: Opt): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))
}

function takesValue({ flags }: Opt): boolean {
  return flags.includes('<')
}

async function valuesFor({ choices, values }: Arg | Opt, io: Io): Promise<readonly string[]> {
  return choices ?? (values === undefined ? [] : readValues(values, io))
}

const sources: Readonly<Record<ValueSource, { readonly path: string; readonly pick: (row: Row) => string }>> = {
  keys: { path: '/admin/keys?limit=200&status=active', pick: (row) => row.name },
  teams: { path: '/admin/teams?limit=200', pick: (row) => row.name },
  users: { path: '/admin/users?limit=200', pick: (row) => row.subject },
  endpoints: { path: '/admin/endpoints?limit=200', pick: (row) => row.name },
  idps: { path: '/admin/idps?limit=200', pick: (row) => row.name },
  models: { path: '/v1/models?limit=1000', pick: (row) => row.id },
  settings: { path: '/admin/settings', pick: String },
  profiles: { path: '', pick: String },
}

async function readValues(source: ValueSource, io: Io): Promise<readonly string[]> {
  const file = await readConfigFile(io)
  if (source === 'profiles') return Object.keys(file.profiles)
  const { url, token } = decideConnection({}, io.environment, file)
  const client = createClient({ base: url, token, signal: io.signal, userAgent: 'causeway', timeoutMs: ANSWER_MS })
  const { path, pick } = sources[source]
  const found = await client.get(path)
  return source === 'settings' ? Object.keys(found) : found.data.map(pick)
}
