/**
 * The filters of the request log, each described once. The words of a search, the query parameters and the conditions in SQL
 * follow from this table. Its order is the one in which filters are listed.
 */

/** How a value is read and compared. */
export type FilterKind =
  | 'status'
  /** Part of a text, or the whole text. */
  | 'name'
  /** The same for lines of text, one of which must match. */
  | 'names'
  /** Part of the name, the name or the id of a person, team, key or endpoint. */
  | 'record'
  | 'id'
  /** An id of the client, which the log keeps as a UUID. */
  | 'uuid'
  | 'part'
  | 'flag'
  | 'reason'
  | 'amount'

export interface FilterRule {
  readonly kind: FilterKind
  /** What decides: the owner of the request, who is the same in all rounds; its first round; or how it ended. */
  readonly about: 'owner' | 'start' | 'outcome'
  /** Name of the column in the log. */
  readonly column: string
  /** Query parameter with the value. */
  readonly parameter?: string
  /** Query parameters with the least and the most of an amount. */
  readonly limits?: readonly [least: string, most: string]
  readonly maxLength?: number
  readonly description?: string
  /** The parameter is not offered for one's own requests. */
  readonly isForAdmins?: true
  /** Not a word of a search. */
  readonly isWord?: false
}

export const requestFilters = {
  request: { kind: 'uuid', about: 'owner', column: 'request_id', isWord: false },
  status: {
    kind: 'status',
    about: 'outcome',
    column: 'status',
    parameter: 'status',
    maxLength: 20,
    description: '`ok`, `error` or a status such as 429.',
  },
  model: {
    kind: 'name',
    about: 'start',
    column: 'model',
    parameter: 'model',
    maxLength: 256,
    description:
      'Part of the model id, as for every name here; `=claude-opus-5` is this model alone. `(none)` as a person, team, key or endpoint: calls without one.',
  },
  user: { kind: 'record', about: 'owner', column: 'user_id', parameter: 'user', maxLength: 320, isForAdmins: true },
  team: { kind: 'record', about: 'owner', column: 'team_id', parameter: 'team', maxLength: 100, isForAdmins: true },
  key: { kind: 'record', about: 'owner', column: 'key_id', parameter: 'key', maxLength: 100, isForAdmins: true },
  endpoint: { kind: 'record', about: 'outcome', column: 'endpoint_id', parameter: 'endpoint', maxLength: 100 },
  session: { kind: 'uuid', about: 'owner', column: 'session_id', parameter: 'session_id', maxLength: 200 },
  agent: { kind: 'id', about: 'start', column: 'agent_id' },
  tool: { kind: 'names', about: 'outcome', column: 'tools', parameter: 'tool', maxLength: 128 },
  error: { kind: 'part', about: 'outcome', column: 'error_type' },
  flag: { kind: 'flag', about: 'outcome', column: 'flags', parameter: 'flag' },
  reason: {
    kind: 'reason',
    about: 'outcome',
    column: 'reason_kind',
    parameter: 'reason',
    description: 'Requests that were rejected or failed for this reason.',
    isWord: false,
  },
  cost: { kind: 'amount', about: 'outcome', column: 'cost_nano_usd', limits: ['min_cost_usd', 'max_cost_usd'] },
  duration: { kind: 'amount', about: 'outcome', column: 'duration_ms', limits: ['min_duration_ms', 'max_duration_ms'] },
  tokens: { kind: 'amount', about: 'outcome', column: 'tokens' },
} as const satisfies Readonly<Record<string, FilterRule>>

export type FilterName = keyof typeof requestFilters

/** The filters whose values are of a kind. */
export type FilterOf<Kind extends FilterKind> = {
  [Name in FilterName]: (typeof requestFilters)[Name]['kind'] extends Kind ? Name : never
}[FilterName]

export type AdminParameter = {
  [Name in FilterName]: (typeof requestFilters)[Name] extends { isForAdmins: true; parameter: infer Parameter }
    ? Parameter
    : never
}[FilterName]

export type OutcomeColumn = {
  [Name in FilterName]: (typeof requestFilters)[Name] extends { about: 'outcome'; column: infer Column }
    ? Column
    : never
}[FilterName]

/** A filter with its name. A check of its kind also narrows the name. */
export type RequestFilterRule = {
  [Name in FilterName]: FilterRule & { readonly name: Name; readonly kind: (typeof requestFilters)[Name]['kind'] }
}[FilterName]

export const filterRules = Object.entries(requestFilters).map(([name, rule]) => ({
  name,
  ...rule,
})) as RequestFilterRule[]
