/** Searches of the request log: `status:error model:opus cost>1` and the same as parameters of their own. */
import { type ZodType, z } from 'zod'
import type { Database } from '../../../foundation/database/database.ts'
import { invalidParameter } from '../../../foundation/domain/errors.ts'
import { failureKinds } from '../../../foundation/domain/failure-reason.ts'
import { nanoFromUsd } from '../../../foundation/domain/money.ts'
import { spendFlags } from '../../../foundation/domain/spend-record.ts'
import { text, time } from '../../../foundation/http/fields.ts'
import { listQuery } from '../../../foundation/http/lists.ts'
import type { Between, RequestFilter, Term, WantedName, WantedStatus } from '../../spend/request-conditions.store.ts'
import { type AdminParameter, filterRules, type RequestFilterRule } from '../../spend/request-filters.ts'
import { findIds, matchContaining, type NameMatch } from '../../spend/usage/usage-names.store.ts'

/** An empty text would count as 0. */
const NUMBER = /^\d{1,12}(\.\d{1,9})?$/
const amount = z.string().regex(NUMBER, 'must be a number').transform(Number)

/** Before a name: this name and no other that has it in it. */
const EXACTLY = '='

/** A part of a name of at most this length, or the sign and the whole of it. */
function filterText(longestName: number) {
  return text(EXACTLY.length + longestName)
}

type Parameter = ZodType<string | number | undefined>

function describeParameters(rule: RequestFilterRule): readonly (readonly [name: string, schema: Parameter])[] {
  return [rule.parameter ?? [], rule.limits ?? []].flat().map((name) => {
    const schema = toSchema(rule).optional()
    return [name, rule.description === undefined ? schema : schema.meta({ description: rule.description })]
  })
}

function toSchema({ kind, maxLength = 0 }: RequestFilterRule): ZodType<string | number> {
  switch (kind) {
    case 'amount':
      return amount
    case 'flag':
      return z.enum(spendFlags)
    case 'reason':
      return z.enum(failureKinds)
    case 'name':
    case 'names':
    case 'record':
      return filterText(maxLength)
    default:
      return text(maxLength)
  }
}

const parameters = (isForAdmins: boolean): Readonly<Record<string, Parameter>> =>
  Object.fromEntries(
    filterRules.filter((rule) => (rule.isForAdmins ?? false) === isForAdmins).flatMap(describeParameters),
  )

/** The parameters of a search of one's own requests. */
export const searchQuery = { ...listQuery, ...parameters(false), from: time.optional(), to: time.optional() }

export const adminSearchQuery = { ...searchQuery, ...(parameters(true) as Readonly<Record<AdminParameter, Parameter>>) }

export const searchDescription =
  'Newest first. `q` takes words such as `status:error model:opus cost>1`: `status`, `model`, `user`, `team`, `key`, `endpoint`, `session`, `agent`, `tool`, `error`, `flag` with a colon, and `cost` (USD), `duration` (ms), `tokens` with `>`, `<`, `>=` or `<=`; a word alone is a request id or a part of a model id. All of them must hold. A call of several rounds is found by what is shown of it: the status, error and endpoint of its last round, the cost, tokens, duration, tools and flags of all. Names are parts of names, in any letter case. A parameter that is a name (`model`, `endpoint`, `tool` and, for administrators, `user`, `team`, `key`) may have `=` before it and is then the whole name as it is written: `=claude-opus-5` leaves out `claude-opus-5-5`; after the sign an id is taken too, since several keys may have one name. `from` is included, `to` is not.'

const wordRules = filterRules.filter(({ isWord }) => isWord !== false)

/** `field:value`, `field>value` or a word alone; a value in quotes may have blanks in it. */
const WORD = /(?:([a-z_]+)(:|>=|<=|>|<))?(?:"([^"]*)"|(\S+))|[a-z_]+(?::|>=|<=|>|<)(?=\s|$)/g

/** A filter with what it was given, before names have become ids. */
interface Asked {
  readonly rule: RequestFilterRule
  readonly operator: string
  readonly value: WantedName
  /** Name of the query parameter that holds the value. */
  readonly parameter: string
}

function parseSearch(q: string): readonly Asked[] {
  return [...q.matchAll(WORD)].map(([whole, field, operator = ':', quoted, plain]) => {
    const value = quoted ?? plain ?? ''
    const rule = field === undefined ? ruleOfWord(value) : wordRules.find(({ name }) => name === field)
    if (rule === undefined)
      return refuse(`there is no "${field}"; use one of ${wordRules.map(({ name }) => name).join(', ')}.`)
    if (field !== undefined && value === '') refuse(`"${whole}" lacks a value.`)
    if (rule.kind !== 'amount' && operator !== ':') refuse(`"${field}" is compared with ":".`)
    if (rule.kind === 'amount' && !NUMBER.test(value)) refuse(`"${value}" is no number.`)
    // Words have no sign for the whole name: they are typed, and a part is what one types.
    return { rule, operator, value: { text: value, isWhole: false }, parameter: 'q' }
  })
}

function refuse(reason: string): never {
  throw invalidParameter('q', reason)
}

function ruleOfWord(word: string): RequestFilterRule | undefined {
  if (/[:<>]$/.test(word)) refuse(`"${word}" lacks a value.`)
  return filterRules.find(({ name }) => name === (word.startsWith('req_') ? 'request' : 'model'))
}

function readParameters(rule: RequestFilterRule, query: Parameters): readonly Asked[] {
  const given = [
    { parameter: rule.parameter, operator: ':' },
    { parameter: rule.limits?.[0], operator: '>=' },
    { parameter: rule.limits?.[1], operator: '<=' },
  ]
  return given.flatMap(({ parameter, operator }) => {
    const value = parameter === undefined ? undefined : query[parameter]
    if (parameter === undefined || value === undefined) return []
    const isName = rule.kind === 'name' || rule.kind === 'names' || rule.kind === 'record'
    return [{ rule, operator, value: isName ? readName(value) : { text: String(value), isWhole: false }, parameter }]
  })
}

export function readName(value: string | number): WantedName {
  const name = String(value)
  const isWhole = name.startsWith(EXACTLY)
  return { text: isWhole ? name.slice(EXACTLY.length) : name, isWhole }
}

async function toTerm({ kysely }: Database, { rule, operator, value, parameter }: Asked): Promise<Term> {
  const { text } = value
  switch (rule.kind) {
    case 'status':
      return { kind: rule.kind, filter: rule.name, wanted: readStatus(text, parameter) }
    case 'name':
      return { kind: rule.kind, filter: rule.name, wanted: value }
    case 'names':
      return { kind: rule.kind, filter: rule.name, wanted: value }
    case 'record': {
      const wanted: NameMatch = value.isWhole
        ? { kind: 'ids', ids: await findIds(kysely, rule.name, [text]) }
        : await matchContaining(kysely, rule.name, text)
      return { kind: rule.kind, filter: rule.name, wanted }
    }
    case 'id':
      return { kind: rule.kind, filter: rule.name, wanted: text }
    case 'uuid':
      return { kind: rule.kind, filter: rule.name, wanted: text }
    case 'part':
      return { kind: rule.kind, filter: rule.name, wanted: text }
    case 'flag':
      return { kind: rule.kind, filter: rule.name, wanted: readChoice(spendFlags, text, parameter, 'flag') }
    case 'reason':
      return { kind: rule.kind, filter: rule.name, wanted: readChoice(failureKinds, text, parameter, 'reason') }
    case 'amount': {
      const stored = rule.name === 'cost' ? nanoFromUsd(Number(text)) : Number(text)
      return { kind: rule.kind, filter: rule.name, wanted: toBetween(operator, stored) }
    }
  }
}

function readStatus(value: string, parameter: string): WantedStatus {
  if (value === 'ok' || value === 'error') return value
  if (/^[1-5]\d\d$/.test(value)) return Number(value)
  throw invalidParameter(parameter, 'status is "ok", "error" or a number such as 429.')
}

function readChoice<T extends string>(choices: readonly T[], value: string, parameter: string, name: string): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw invalidParameter(parameter, `${name} is one of ${choices.join(', ')}.`)
  return found
}

/** All of them are whole numbers inside, so that "more than" is "at least one more". */
function toBetween(operator: string, exact: number): Between {
  if (operator === '>') return { least: Math.floor(exact) + 1 }
  if (operator === '>=') return { least: exact }
  if (operator === '<') return { most: Math.ceil(exact) - 1 }
  if (operator === '<=') return { most: exact }
  return { least: exact, most: exact }
}

type ListQuery = z.infer<z.ZodObject<typeof listQuery>>
type SearchQuery = ListQuery & { readonly from?: number | undefined; readonly to?: number | undefined }
type Parameters = Readonly<Record<string, string | number | undefined>>

/** Throws the public error for a search that makes no sense. */
export async function buildSearch(database: Database, query: SearchQuery & Parameters): Promise<RequestFilter> {
  const { limit, cursor, sort, q = '', from, to } = query
  if (from !== undefined && to !== undefined && from > to) throw invalidParameter('from', 'must not be after "to".')
  const terms: Term[] = []
  for (const asked of [...parseSearch(q), ...filterRules.flatMap((rule) => readParameters(rule, query))])
    terms.push(await toTerm(database, asked))
  return { limit, cursor, sort, fromMs: from, toMs: to, terms }
}
