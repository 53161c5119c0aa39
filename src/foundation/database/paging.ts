/** Keyset paging: a page starts after the last row of the one before, so rows that come and go never shift it. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { invalidParameter, type Problem } from '../domain/errors.ts'

export interface PageRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Text that must occur somewhere; each list says where it looks. */
  readonly q?: string | undefined
  /** `field` or `-field`. */
  readonly sort?: string | undefined
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

export interface SortColumn {
  /** Must never be null: rows without a value need a stand-in, or they fall out of the order. */
  readonly expression: RawBuilder<unknown>
  readonly type: 'text' | 'timestamptz' | 'bigint' | 'integer' | 'boolean'
}

export interface PageOrder {
  readonly sorts: Readonly<Record<string, SortColumn>>
  readonly defaultSort: string
  /** Unique; breaks ties. */
  readonly id: RawBuilder<unknown>
  readonly idType: 'uuid' | 'text'
}

export const DEFAULT_PAGE_LIMIT = 50
export const MAX_PAGE_LIMIT = 200

export async function readPage<DB, TB extends keyof DB, O, T>(
  query: SelectQueryBuilder<DB, TB, O>,
  order: PageOrder,
  request: PageRequest,
  toItem: (row: O) => T,
): Promise<Page<T>> {
  const rows = await readRows(query, order, request, readLimit(request) + 1)
  const page = toPage(rows, order, request, positionOfRow)
  return { ...page, data: page.data.map(toItem) }
}

/** Where a row stands in a list, as texts. */
export interface Position {
  readonly value: string
  readonly id: string
}

type PagedRow<O> = O & { readonly page_value: string; readonly page_id: string }

function positionOfRow({ page_value, page_id }: PagedRow<unknown>): Position {
  return { value: page_value, id: page_id }
}

/** At most `count` rows after the cursor of the request, in order. */
export async function readRows<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  order: PageOrder,
  request: PageRequest,
  count: number,
): Promise<readonly PagedRow<O>[]> {
  const { sort, column, descending } = decideSort(order, request.sort)
  const direction = sql.raw(descending ? 'desc' : 'asc')
  let ordered = query
    .select([
      sql<string>`(${column.expression})::text`.as('page_value'),
      sql<string>`(${order.id})::text`.as('page_id'),
    ])
    .orderBy(sql`${column.expression} ${direction}`)
    .orderBy(sql`${order.id} ${direction}`)
    .limit(count)
  if (request.cursor !== undefined) {
    const after = parseCursor(request.cursor, sort)
    ordered = ordered.where(
      sql<boolean>`(${column.expression}, ${order.id}) ${sql.raw(descending ? '<' : '>')}
        (${after.value}::${sql.raw(column.type)}, ${after.id}::${sql.raw(order.idType)})`,
    )
  }
  return (await ordered.execute().catch(refuseForeignCursor)) as PagedRow<O>[]
}

/** The page that begins with these items, which are in order; one more than it holds says that there are more. */
export function toPage<T>(
  items: readonly T[],
  order: PageOrder,
  request: PageRequest,
  toPosition: (item: T) => Position,
): Page<T> {
  const data = items.slice(0, readLimit(request))
  const last = data.at(-1)
  const more = items.length > data.length && last !== undefined
  return { data, has_more: more, next_cursor: more ? cursorAt(order, request, toPosition(last)) : null }
}

export function cursorAt(order: PageOrder, request: PageRequest, position: Position): string {
  return toCursor({ sort: decideSort(order, request.sort).sort, ...position })
}

export function isDescending(order: PageOrder, request: PageRequest): boolean {
  return decideSort(order, request.sort).descending
}

export function readLimit(request: PageRequest): number {
  return Math.min(Math.max(request.limit ?? DEFAULT_PAGE_LIMIT, 1), MAX_PAGE_LIMIT)
}

/** The pattern for `ilike`; undefined when nothing was asked for. */
export function containing(q: string | undefined): string | undefined {
  const text = q?.trim() ?? ''
  return text === '' ? undefined : `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * Whether one of the columns has the text, in whatever case; undefined when nothing was asked for. `ilike` on each column
 * takes twice as long: it folds the case by the rules of a language, which plain text does not need.
 */
export function mentions(
  columns: readonly [RawBuilder<unknown>, ...RawBuilder<unknown>[]],
  q: string | undefined,
): RawBuilder<boolean> | undefined {
  const pattern = containing(q)
  if (pattern === undefined) return undefined
  // A line break between them, so that the end of one and the beginning of the next are no match.
  const text = sql.join(
    columns.map((column) => sql`coalesce(${column}, '')`),
    sql.raw(` || E'\\n' || `),
  )
  return /^[\0-\x7f]*$/.test(pattern)
    ? sql`lower((${text}) collate "C") like ${pattern.toLowerCase()}`
    : sql`lower(${text}) like lower(${pattern})`
}

interface Cursor extends Position {
  readonly sort: string
}

function toCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.sort, cursor.value, cursor.id])).toString('base64url')
}

function foreignCursor(): Problem {
  return invalidParameter('cursor', 'is not one that this list has given out.')
}

/** Class 22 is "data exception": a made-up cursor whose parts are no time or no uuid. */
function refuseForeignCursor(error: unknown): never {
  throw String((error as { code?: unknown }).code).startsWith('22') ? foreignCursor() : error
}

function parseCursor(text: string, sort: string): Cursor {
  const parts = splitParts(text)
  if (parts.length !== 3 || parts.some((part) => typeof part !== 'string' || part.includes('\0'))) throw foreignCursor()
  if (parts[0] !== sort) throw invalidParameter('cursor', 'belongs to another sort order.')
  return { sort, value: parts[1] ?? '', id: parts[2] ?? '' }
}

function splitParts(text: string): readonly string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function decideSort(
  order: PageOrder,
  requested: string | undefined,
): { sort: string; column: SortColumn; descending: boolean } {
  const sort = requested === undefined || requested === '' ? order.defaultSort : requested
  const descending = sort.startsWith('-')
  const name = descending ? sort.slice(1) : sort
  const column = Object.hasOwn(order.sorts, name) ? order.sorts[name] : undefined
  if (column === undefined)
    throw invalidParameter(
      'sort',
      `must be one of ${Object.keys(order.sorts).join(', ')}, with "-" in front for the reverse order.`,
    )
  return { sort, column, descending }
}
