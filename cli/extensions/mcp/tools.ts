/** Makes a tool of a command: its arguments and options become the fields of the tool, a call becomes a command line. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { Command, CommanderError } from 'commander'
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { Arg, Opt } from '../../command/command.ts'
import { commonOptions } from '../../command/common-options.ts'
import type { Values } from '../../command/context.ts'
import { fillCommand, sentence } from '../../command/fill-command.ts'
import { runLeaf } from '../../command/run-leaf.ts'
import { CliError, describeError, exitCodes, usageError, withoutTrace } from '../../terminal/cli-error.ts'
import type { Io } from '../../terminal/io.ts'
import type { Offered } from './offered.ts'

interface FieldSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'array'
  readonly description: string
  readonly enum?: readonly string[]
  readonly items?: { readonly type: 'string' }
}

interface Field {
  readonly name: string
  /** Undefined for an argument, which has only a place. */
  readonly flag: string | undefined
  readonly schema: FieldSchema
  readonly isRequired: boolean
}

/** What only makes sense in a terminal, or never ends. */
const leftOut = new Set(['--json', '--output', '--all', '--watch', '--interval', '--follow'])

/** About as much as clients let a tool answer; the rest of a conversation needs room too. */
const MOST_CHARACTERS = 80_000

export function toToolName({ path }: Offered): string {
  return path.replaceAll(/[ -]/g, '_')
}

export function toTool(offered: Offered): Tool {
  const fields = listFields(offered)
  return {
    name: toToolName(offered),
    description: `${sentence(offered.leaf)}\nThe same as: causeway ${offered.path}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
}

function listFields({ leaf }: Offered): readonly Field[] {
  const options = [...(leaf.options ?? []), ...commonOptions[leaf.kind]]
  return [...(leaf.args ?? []).map(fieldOfArg), ...options.flatMap(fieldOfOption)]
}

function fieldOfArg({ name, text, choices }: Arg): Field {
  const isMany = name.includes('...')
  return {
    name: name.replaceAll(/[<>[\].]/g, '').replaceAll('-', '_'),
    flag: undefined,
    schema: {
      type: isMany ? 'array' : 'string',
      description: text,
      ...(isMany ? { items: { type: 'string' } } : {}),
      ...defined({ enum: choices }),
    },
    isRequired: name.startsWith('<'),
  }
}

function fieldOfOption({ flags, text, choices }: Opt): readonly Field[] {
  const [, flag = '', value] = /(--[\w-]+)(?: [<[]([\w-]+))?/.exec(flags) ?? []
  if (leftOut.has(flag)) return []
  const type = value === undefined ? 'boolean' : value === 'n' && choices === undefined ? 'integer' : 'string'
  const schema = defined({ type, description: text, enum: choices })
  return [{ name: flag.slice(2).replaceAll('-', '_'), flag, schema, isRequired: false }]
}

export interface ToolCall {
  readonly offered: Offered
  readonly given: Readonly<Record<string, unknown>>
  /** Options of the whole program: which gateway, as whom. */
  readonly globals: Values
  readonly io: Io
  readonly version: string
}

/** Never throws: whatever went wrong is told to the model, which may put it right or ask its person. */
export async function callTool(call: ToolCall): Promise<CallToolResult> {
  let out = ''
  let err = ''
  const io: Io = {
    ...call.io,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    isTerminal: false,
    errIsTerminal: false,
    inputIsTerminal: false,
    readInput: async () => '',
  }
  try {
    await run(call, io)
  } catch (error) {
    const told = toCliError(error)
    // A check that does not pass has been answered all the same.
    if (told.exitCode !== exitCodes.checkFailed || out === '') return answer(describeError(told), true)
    err += `${told.message}\n`
  }
  const text = `${compact(out)}${err === '' ? '' : `\n${err.trimEnd()}`}`
  return text.length <= MOST_CHARACTERS ? answer(text, false) : answer(tooLong(call.offered, text.length), true)
}

async function run({ offered, given, globals, version }: ToolCall, io: Io): Promise<void> {
  const command = new Command(offered.path)
    .exitOverride()
    .helpOption(false)
    .configureOutput({ outputError: () => undefined })
  fillCommand(command, offered.leaf, (leaf, filled) =>
    runLeaf(leaf, filled, { ...globals, ...filled.opts() }, { io, version }),
  )
  await command.parseAsync([...toWords(offered, given)], { from: 'user' })
}

function toWords(offered: Offered, given: Readonly<Record<string, unknown>>): readonly string[] {
  const fields = listFields(offered)
  const unknown = Object.keys(given).filter((name) => !fields.some((field) => field.name === name))
  if (unknown.length > 0)
    throw usageError(
      `${offered.path} knows no ${unknown.join(', ')}`,
      `use ${fields.map(({ name }) => name).join(', ')}`,
    )
  const options: string[] = []
  const args: string[] = []
  for (const field of fields) {
    const value = given[field.name]
    if (value === undefined || value === null) continue
    if (field.schema.type === 'boolean') {
      if (typeof value !== 'boolean') throw usageError(`${field.name} must be true or false`)
      if (value) options.push(String(field.flag))
    } else if (field.flag === undefined) args.push(...toTexts(field, value))
    // Joined: a value may look like an option.
    else for (const text of toTexts(field, value)) options.push(`${field.flag}=${text}`)
  }
  return ['--json', ...options, '--', ...args]
}

function toTexts(field: Field, value: unknown): readonly string[] {
  const all = Array.isArray(value) && (field.schema.type === 'array' || field.flag !== undefined) ? value : [value]
  return all.map((one: unknown) => {
    if (typeof one !== 'string' && typeof one !== 'number') throw usageError(`${field.name} must be a text`)
    return String(one)
  })
}

function toCliError(error: unknown): CliError {
  if (error instanceof CommanderError)
    return usageError(
      error.message.replace(/^error: /, '').replaceAll(/'--([\w-]+)[^']*'/g, (_, name) => name.replaceAll('-', '_')),
    )
  const told = withoutTrace(error)
  if (told instanceof CliError) return told
  return new CliError(`this failed: ${error instanceof Error ? error.message : String(error)}`, { exit: 'failed' })
}

/** Blanks cost tokens. Some commands print a document a line. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    // Several documents, or words: as they are.
    return text.trimEnd()
  }
}

function tooLong({ path }: Offered, length: number): string {
  return `The answer has ${length} characters, which is more than a conversation takes (${MOST_CHARACTERS}). Ask for less: a smaller limit, a shorter range or a filter. A person can see all of it with "causeway ${path} --json".`
}

function answer(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], isError }
}
