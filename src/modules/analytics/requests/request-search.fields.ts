/** Searches of the request log: `status:error model:opus cost>1` and the same as parameters of their own. */
import { z } from 'zod'
import type { Database } from '../../../foundation/database/database.ts'
import { invalidParameter } from '../../../foundation/domain/errors.ts'
import { failureKinds } from '../../../foundation/domain/failure-reason.ts'
import { nanoFromUsd } from '../../../foundation/domain/money.ts'
import { type SpendFlag, spendFlags } from '../../../foundation/domain/spend-record.ts'
import { text, time } from '../../../foundation/http/fields.ts'
import { listQuery } from '../../../foundation/http/lists.ts'
import type { Between, RequestFilter, WantedStatus } from '../../spend/request-conditions.store.ts'
import { idsOf, matchContaining, type Named, type NameMatch } from '../../spend/usage/usage-names.store.ts'

/** An empty text would count as 0. */
const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,9})?$/, 'must be a number')
  .transform(Number)

/** Before a name: this name and no other that has it in it. */
const EXACTLY = '='

/** A part of a name of at most this length, or the sign and the whole of it. */
export function filterText(longestName: number) {
  return text(EXACTLY.length + longestName)
}

export const searchQuery = {
  ...listQuery,
  status: text(20).optional().meta({ description: '`ok`, `error` or a status such as 429.' }),
  model: filterText(256).optional().meta({
    description:
      'Part of the model id, as for every name here; `=claude-opus-5` is this model alone. `(none)` as a person, team, key or endpoint: calls without one.',
  }),
  endpoint: filterText(100).optional(),
  session_id: text(200).optional(),
  tool: filterText(128).optional(),
  flag: z.enum(spendFlags).optional(),
  reason: z
    .enum(failureKinds)
    .optional()
    .meta({ description: 'Requests that were rejected or failed for this reason.' }),
  min_cost_usd: amount.optional(),
  max_cost_usd: amount.optional(),
  min_duration_ms: amount.optional(),
  max_duration_ms: amount.optional(),
  from: time.optional(),
  to: time.optional(),
}

export const searchDescription =
  'Newest first. `q` takes words such as `status:error model:opus cost>1`: `status`, `model`, `user`, `team`, `key`, `endpoint`, `session`, `agent`, `tool`, `error`, `flag` with a colon, and `cost` (USD), `duration` (ms), `tokens` with `>`, `<`, `>=` or `<=`; a word alone is a request id or a part of a model id. All of them must hold. A call of several rounds is found by what is shown of it: the status, error and endpoint of its last round, the cost, tokens, duration, tools and flags of all. Names are parts of names, in any letter case. A parameter that is a name (`model`, `endpoint`, `tool` and, for administrators, `user`, `team`, `key`) may have `=` before it and is then the whole name as it is written: `=claude-opus-5` leaves out `claude-opus-5-5`; after the sign an id is taken too, since several keys may have one name. `from` is included, `to` is not.'

/** What a search says, before names have become ids. */
export interface Search {
  readonly filter: RequestFilter
  readonly names: readonly { readonly kind: Named; readonly part: string }[]
}

type Draft = { -readonly [K in keyof RequestFilter]: RequestFilter[K] }

const limits = { cost: 'costNanoUsd', duration: 'durationMs', tokens: 'tokens' } as const
const named: readonly string[] = ['user', 'team', 'key', 'endpoint'] satisfies readonly Named[]

const fields: readonly string[] = [
  'status',
  'model',
  ...named,
  'session',
  'agent',
  'tool',
  'error',
  'flag',
  ...Object.keys(limits),
]

function parseSearch(q: string): Search {
  const draft: Draft = {}
  const names: { kind: Named; part: string }[] = []
  for (const [whole, field, operator = '', quoted, plain] of q.matchAll(WORD)) {
    const value = quoted ?? plain ?? ''
    if (field === undefined) addWord(draft, value)
    else if (!fields.includes(field)) refuse(`there is no "${field}"; use one of ${fields.join(', ')}.`)
    else if (value === '') refuse(`"${whole}" lacks a value.`)
    else if (field in limits) addLimit(draft, field as keyof typeof limits, operator, value)
    else if (operator !== ':') refuse(`"${field}" is compared with ":".`)
    else if (named.includes(field)) names.push({ kind: field as Named, part: value })
    else addField(draft, field, value)
  }
  return { filter: draft, names }
}

/** `field:value`, `field>value` or a word alone; a value in quotes may have blanks in it. */
const WORD = /(?:([a-z_]+)(:|>=|<=|>|<))?(?:"([^"]*)"|(\S+))|[a-z_]+(?::|>=|<=|>|<)(?=\s|$)/g

function refuse(reason: string): never {
  throw invalidParameter('q', reason)
}

function addWord(draft: Draft, word: string): void {
  if (/[:<>]$/.test(word)) refuse(`"${word}" lacks a value.`)
  if (word.startsWith('req_')) draft.requestIds = [...(draft.requestIds ?? []), word]
  else draft.models = [...(draft.models ?? []), word]
}

function addField(draft: Draft, field: string, value: string): void {
  if (field === 'status') draft.statuses = [...(draft.statuses ?? []), statusOf(value, 'q')]
  else if (field === 'model') draft.models = [...(draft.models ?? []), value]
  else if (field === 'session') draft.sessionIds = [...(draft.sessionIds ?? []), value]
  else if (field === 'agent') draft.agentIds = [...(draft.agentIds ?? []), value]
  else if (field === 'tool') draft.tools = [...(draft.tools ?? []), value]
  else if (field === 'error') draft.errorTypes = [...(draft.errorTypes ?? []), value]
  else if ((spendFlags as readonly string[]).includes(value)) draft.flags = [...(draft.flags ?? []), value as SpendFlag]
  else refuse(`flag is one of ${spendFlags.join(', ')}.`)
}

function statusOf(value: string, name: string): WantedStatus {
  if (value === 'ok' || value === 'error') return value
  if (/^[1-5]\d\d$/.test(value)) return Number(value)
  throw invalidParameter(name, 'status is "ok", "error" or a number such as 429.')
}

function addLimit(draft: Draft, field: keyof typeof limits, operator: string, value: string): void {
  const number = /^\d{1,12}(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN
  if (Number.isNaN(number)) refuse(`"${value}" is no number.`)
  const { least, most } = limitOf(operator, field === 'cost' ? nanoFromUsd(number) : number)
  draft[limits[field]] = narrower(draft[limits[field]], least, most)
}

/** All of them are whole numbers inside, so that "more than" is "at least one more". */
function limitOf(operator: string, exact: number): Between {
  if (operator === '>') return { least: Math.floor(exact) + 1 }
  if (operator === '>=') return { least: exact }
  if (operator === '<') return { most: Math.ceil(exact) - 1 }
  if (operator === '<=') return { most: exact }
  return { least: exact, most: exact }
}

type SearchQuery = z.infer<z.ZodObject<typeof searchQuery>> & {
  readonly user?: string | undefined
  readonly team?: string | undefined
  readonly key?: string | undefined
}

/** Throws the public error for a search that makes no sense. */
export async function searchOf(database: Database, query: SearchQuery): Promise<RequestFilter> {
  const { limit, cursor, sort, q = '', from, to } = query
  if (from !== undefined && to !== undefined && from > to) throw invalidParameter('from', 'must not be after "to".')
  const { filter, names } = parseSearch(q)
  const found: Record<Named, NameMatch[]> = { user: [], team: [], key: [], endpoint: [] }
  for (const { kind, part } of names) found[kind].push(await matchContaining(database.kysely, kind, part))
  for (const kind of ['user', 'team', 'key', 'endpoint'] as const) {
    const { parts, whole } = namesWanted(query[kind])
    for (const part of parts) found[kind].push(await matchContaining(database.kysely, kind, part))
    for (const name of whole) found[kind].push({ kind: 'ids', ids: await idsOf(database.kysely, kind, [name]) })
  }
  const [model, tool] = [namesWanted(query.model), namesWanted(query.tool)]
  return {
    ...filter,
    limit,
    cursor,
    sort,
    fromMs: from,
    toMs: to,
    statuses: [...(filter.statuses ?? []), ...one(query.status).map((status) => statusOf(status, 'status'))],
    models: [...(filter.models ?? []), ...model.parts],
    exactModels: model.whole,
    tools: [...(filter.tools ?? []), ...tool.parts],
    exactTools: tool.whole,
    sessionIds: [...(filter.sessionIds ?? []), ...one(query.session_id)],
    flags: [...(filter.flags ?? []), ...one(query.flag)],
    reasonKinds: one(query.reason),
    users: found.user,
    teams: found.team,
    keys: found.key,
    endpoints: found.endpoint,
    costNanoUsd: narrower(filter.costNanoUsd, nano(query.min_cost_usd), nano(query.max_cost_usd)),
    durationMs: narrower(filter.durationMs, query.min_duration_ms, query.max_duration_ms),
  }
}

interface NameWanted {
  readonly parts: readonly string[]
  readonly whole: readonly string[]
}

/** Words of `q` have no such sign: they are typed, and a part is what one types. */
function namesWanted(value: string | undefined): NameWanted {
  const { name, isWhole } = readName(value)
  return { parts: isWhole ? [] : one(name), whole: isWhole ? one(name) : [] }
}

export function readName(value: string | undefined): { readonly name: string | undefined; readonly isWhole: boolean } {
  const isWhole = value?.startsWith(EXACTLY) ?? false
  return { name: isWhole ? value?.slice(EXACTLY.length) : value, isWhole }
}

function one<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value]
}

function nano(usd: number | undefined): number | undefined {
  return usd === undefined ? undefined : nanoFromUsd(usd)
}

function narrower(own: Between | undefined, least: number | undefined, most: number | undefined): Between {
  return { least: pick(Math.max, own?.least, least), most: pick(Math.min, own?.most, most) }
}

function pick(choose: (...values: number[]) => number, ...values: (number | undefined)[]): number | undefined {
  const given = values.filter((value) => value !== undefined)
  return given.length === 0 ? undefined : choose(...given)
}
