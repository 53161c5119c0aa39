/**
 * Answers the shell: what could stand where the cursor is. Silent on every failure, and never slow for long.
 * Our own, because what can stand there comes from the commands themselves and from the gateway.
 */
import { createClient, type Query } from '../client/http-client.ts'
import { type Arg, isNoun, type Leaf, type Noun, type Opt, type ValueSource } from '../command/command.ts'
import { commonOptions } from '../command/common-options.ts'
import type { Values } from '../command/context.ts'
import type { Row } from '../output/render.ts'
import { readConfigFile } from '../profile/config-file.ts'
import { decideConnection } from '../profile/connection.ts'
import type { Io } from '../terminal/io.ts'
import { findNoun, nouns } from './nouns.ts'

const ANSWER_MS = 1_500
const globalOptions = ['--profile', '--url', '--allow-http', '--no-color', '--help']
const profileOption: Opt = { flags: '--profile <name>', text: '', values: 'profiles' }

/** What the shell asks about. */
interface Asked {
  readonly typed: string
  /** Options of the whole program, which decide whose names are meant. */
  readonly values: Values
  readonly io: Io
}

export async function complete(words: readonly string[], io: Io): Promise<readonly string[]> {
  const typed = words.at(-1) ?? ''
  const { rest, values } = readGlobals(words.slice(0, -1))
  const found = await candidates(rest, { typed, values, io }).catch(() => [])
  return found.filter((word) => word.startsWith(typed))
}

/** They may stand anywhere. One whose value is being typed stays: the place it stands at tells what is wanted. */
function readGlobals(words: readonly string[]): { readonly rest: readonly string[]; readonly values: Values } {
  const rest: string[] = []
  const values: Values = {}
  for (let index = 0; index < words.length; index++) {
    const [, name, joined] = /^--(profile|url)(?:=(.*))?$/.exec(words[index] ?? '') ?? []
    const value = joined ?? words[index + 1]
    if (words[index] === '--allow-http') values['allowHttp'] = true
    else if (words[index] === '--no-color') continue
    else if (name === undefined || value === undefined) rest.push(words[index] ?? '')
    else {
      values[name] = value
      if (joined === undefined) index += 1
    }
  }
  return { rest, values }
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

async function candidates(before: readonly string[], asked: Asked): Promise<readonly string[]> {
  const [first, ...rest] = before
  if (first === undefined)
    return asked.typed.startsWith('-') ? ['--version', ...globalOptions] : nouns.map(({ name }) => name)
  if (first === '--profile') return valuesFor(profileOption, asked)
  const noun = findNoun(first)
  if (noun === undefined) return []
  return inside(await noun.load(), rest, asked)
}

async function inside(entry: Noun | Leaf, words: readonly string[], asked: Asked): Promise<readonly string[]> {
  if (!isNoun(entry)) return inLeaf(entry, words, asked)
  const [word, ...rest] = words
  const child = entry.leaves.find(({ name, aliases }) => name === word || aliases?.includes(word ?? '') === true)
  if (child !== undefined) return inside(child, rest, asked)
  if (word !== undefined) return []
  const own = entry.itself === undefined ? [] : optionNames(entry.itself)
  return asked.typed.startsWith('-') ? [...own, '--help'] : entry.leaves.map(({ name }) => name)
}

async function inLeaf(leaf: Leaf, words: readonly string[], asked: Asked): Promise<readonly string[]> {
  const { typed } = asked
  const options = [...(leaf.options ?? []), ...commonOptions[leaf.kind], profileOption]
  const last = words.at(-1)
  const waiting = options.find((option) => takesValue(option) && listNames(option).includes(last ?? ''))
  if (waiting !== undefined) return valuesFor(waiting, asked)
  const [flag = '', ...rest] = typed.split('=')
  const joined = rest.length === 0 ? undefined : options.find((option) => listNames(option).includes(flag))
  if (joined !== undefined)
    return (await valuesFor(joined, { ...asked, typed: rest.join('=') })).map((value) => `${flag}=${value}`)
  if (typed.startsWith('-')) return [...optionNames(leaf), ...globalOptions].filter((name) => !words.includes(name))
  const position = countPositional(words, options)
  const args = leaf.args ?? []
  const arg = args[position] ?? args.find(({ name }) => name.includes('...'))
  return arg === undefined ? [] : valuesFor(arg, asked)
}

function countPositional(words: readonly string[], options: readonly Opt[]): number {
  let count = 0
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (options.some((option) => takesValue(option) && listNames(option).includes(word))) index += 1
    else if (!word.startsWith('-')) count += 1
  }
  return count
}

function optionNames(leaf: Leaf): readonly string[] {
  return [...(leaf.options ?? []), ...commonOptions[leaf.kind]].map((option) => listNames(option).at(-1) ?? '')
}

function listNames({ flags }: Opt): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))
}

function takesValue({ flags }: Opt): boolean {
  return flags.includes('<')
}

async function valuesFor({ choices, values }: Arg | Opt, asked: Asked): Promise<readonly string[]> {
  return choices ?? (values === undefined ? [] : readValues(values, asked))
}

interface Source {
  readonly path: string
  readonly query?: Query
  /** Whether the gateway looks for what is typed: of a long list the first page may have none of it. */
  readonly isSearched?: boolean
  readonly pick: (row: Row) => string
}

const sources: Readonly<Record<ValueSource, Source>> = {
  keys: { path: '/admin/keys', query: { limit: 200, status: 'active' }, isSearched: true, pick: (row) => row.name },
  teams: { path: '/admin/teams', query: { limit: 200 }, isSearched: true, pick: (row) => row.name },
  users: { path: '/admin/users', query: { limit: 200 }, isSearched: true, pick: (row) => row.subject },
  endpoints: { path: '/admin/endpoints', query: { limit: 200 }, isSearched: true, pick: (row) => row.name },
  idps: { path: '/admin/idps', query: { limit: 200 }, isSearched: true, pick: (row) => row.name },
  models: { path: '/v1/models', query: { limit: 1_000 }, pick: (row) => row.id },
  settings: { path: '/admin/settings', pick: String },
  profiles: { path: '', pick: String },
}

async function readValues(source: ValueSource, { typed, values, io }: Asked): Promise<readonly string[]> {
  const file = await readConfigFile(io)
  if (source === 'profiles') return Object.keys(file.profiles)
  const { url, token } = decideConnection(values, io.environment, file)
  const client = createClient({ base: url, token, signal: io.signal, userAgent: 'causeway', timeoutMs: ANSWER_MS })
  const { path, query, isSearched, pick } = sources[source]
  const found = await client.get(path, { ...query, ...(isSearched === true ? { q: typed } : {}) })
  return source === 'settings' ? Object.keys(found) : found.data.map(pick)
}
