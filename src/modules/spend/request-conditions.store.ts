/** The conditions of a search of the request log: about the start of a request, and about how it ended and what it took. */
import { type RawBuilder, sql } from 'kysely'
import type { PageRequest } from '../../foundation/database/paging.ts'
import type { FailureKind } from '../../foundation/domain/failure-reason.ts'
import type { SpendFlag } from '../../foundation/domain/spend-record.ts'
import { type FilterOf, type FilterRule, type OutcomeColumn, requestFilters } from './request-filters.ts'
import { flagBits, spendUuid } from './spend-row.store.ts'
import { isMatched, type NameMatch } from './usage/usage-names.store.ts'

export interface Between {
  readonly least?: number | undefined
  /** Included. */
  readonly most?: number | undefined
}

/** A number is this status and no other. */
export type WantedStatus = 'ok' | 'error' | number

/** Part of a text, or the whole of it. */
export interface WantedName {
  readonly text: string
  readonly isWhole: boolean
}

/** One filter with the value that it asks for. */
export type Term =
  | { readonly kind: 'status'; readonly filter: FilterOf<'status'>; readonly wanted: WantedStatus }
  | { readonly kind: 'name'; readonly filter: FilterOf<'name'>; readonly wanted: WantedName }
  | { readonly kind: 'names'; readonly filter: FilterOf<'names'>; readonly wanted: WantedName }
  | { readonly kind: 'record'; readonly filter: FilterOf<'record'>; readonly wanted: NameMatch }
  | { readonly kind: 'id'; readonly filter: FilterOf<'id'>; readonly wanted: string }
  | { readonly kind: 'uuid'; readonly filter: FilterOf<'uuid'>; readonly wanted: string }
  | { readonly kind: 'part'; readonly filter: FilterOf<'part'>; readonly wanted: string }
  | { readonly kind: 'flag'; readonly filter: FilterOf<'flag'>; readonly wanted: SpendFlag }
  | { readonly kind: 'reason'; readonly filter: FilterOf<'reason'>; readonly wanted: FailureKind }
  | { readonly kind: 'amount'; readonly filter: FilterOf<'amount'>; readonly wanted: Between }

export interface RequestFilter extends PageRequest {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** All of them must hold. */
  readonly terms: readonly Term[]
}

/** Requests of this person, team, key or endpoint. */
export function isRecord(filter: FilterOf<'record'>, id: string): Term {
  return { kind: 'record', filter, wanted: { kind: 'ids', ids: [id] } }
}

type Conditions = readonly RawBuilder<unknown>[]

/** Where the outcome of a request stands in a query. */
export type OutcomeColumns = Readonly<Record<OutcomeColumn | 'failed', RawBuilder<unknown>>>

/** Whose request it is: all its rounds say the same. */
export function ownerConditions(filter: RequestFilter): Conditions {
  return startTerms(filter, 'owner')
}

/** What the first round tells of a request. */
export function startConditions(filter: RequestFilter): Conditions {
  return [
    ...optional(filter.fromMs, (ms) => sql`spend_log.at >= ${new Date(ms)}`),
    ...optional(filter.toMs, (ms) => sql`spend_log.at < ${new Date(ms)}`),
    ...startTerms(filter, 'start'),
    ...ownerConditions(filter),
  ]
}

function startTerms(filter: RequestFilter, about: FilterRule['about']): Conditions {
  return termsAbout(filter, about).flatMap((term) =>
    buildConditions(term, sql.ref(`spend_log.${requestFilters[term.filter].column}`)),
  )
}

/** How a request ended and what it took. */
export function outcomeConditions(filter: RequestFilter, columns: OutcomeColumns): Conditions {
  return termsAbout(filter, 'outcome').flatMap((term) => {
    const rule = requestFilters[term.filter]
    return rule.about === 'outcome' ? buildConditions(term, columns[rule.column], columns.failed) : []
  })
}

function termsAbout(filter: RequestFilter, about: FilterRule['about']): readonly Term[] {
  return filter.terms.filter((term) => requestFilters[term.filter].about === about)
}

function buildConditions(
  term: Term,
  column: RawBuilder<unknown>,
  failed: RawBuilder<unknown> = sql`false`,
): Conditions {
  switch (term.kind) {
    case 'status':
      if (term.wanted === 'error') return [failed]
      return [term.wanted === 'ok' ? sql`not ${failed}` : sql`${column} = ${term.wanted}`]
    case 'name':
      return [term.wanted.isWhole ? sql`${column} = ${term.wanted.text}` : hasPart(column, term.wanted.text)]
    case 'names':
      return [
        term.wanted.isWhole
          ? sql`${term.wanted.text} = any(string_to_array(${column}, E'\\n'))`
          : hasPart(column, term.wanted.text),
      ]
    case 'record':
      return [isMatched(column, term.wanted)]
    case 'id':
    case 'reason':
      return [sql`${column} = ${term.wanted}`]
    case 'uuid':
      return [sql`${column} = ${spendUuid(term.filter, term.wanted)}::uuid`]
    case 'part':
      return [hasPart(column, term.wanted)]
    case 'flag':
      return [hasFlag(column, term.wanted)]
    case 'amount':
      return [
        ...optional(term.wanted.least, (least) => sql`${column} >= ${least}::float8`),
        ...optional(term.wanted.most, (most) => sql`${column} <= ${most}::float8`),
      ]
  }
}

/** A part of a name must never become a pattern: `strpos` knows none. */
function hasPart(column: RawBuilder<unknown>, part: string): RawBuilder<unknown> {
  return sql`strpos(lower(${column}), lower(${part})) > 0`
}

/** The bit of `unpriced` is also set for requests that were charged an estimate. */
function hasFlag(flags: RawBuilder<unknown>, flag: SpendFlag): RawBuilder<unknown> {
  const isSet = sql`${flags} & ${flagBits([flag])}::smallint <> 0`
  if (flag !== 'unpriced') return isSet
  return sql`(${isSet} and ${flags} & ${flagBits(['price_estimated'])}::smallint = 0)`
}

function optional<T>(value: T | undefined, make: (value: T) => RawBuilder<unknown>): Conditions {
  return value === undefined ? [] : [make(value)]
}
