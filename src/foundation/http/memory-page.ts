/** Pages through a list that is small enough to be read whole, by the same rules and cursors as the database lists. */

import type { Page, PageRequest } from '../database/paging.ts'
import { invalidParameter } from '../domain/errors.ts'

export interface ListShape<T> {
  readonly sorts: Readonly<Record<string, (item: T) => string | number>>
  readonly defaultSort: string
  /** Unique; breaks ties. */
  readonly idOf: (item: T) => string
  /** Where `q` looks. */
  readonly textsOf: (item: T) => readonly (string | null)[]
}

type Place = readonly [value: string | number, id: string]

export function pageInMemory<T>(items: readonly T[], shape: ListShape<T>, request: PageRequest): Page<T> {
  const sort = request.sort === undefined || request.sort === '' ? shape.defaultSort : request.sort
  const descending = sort.startsWith('-')
  const readSort = requireSort(shape, descending ? sort.slice(1) : sort)
  const toPlace = (item: T): Place => [readSort(item), shape.idOf(item)]
  const inOrder = (a: Place, b: Place): number => (descending ? compare(b, a) : compare(a, b))
  const after = request.cursor === undefined ? undefined : parseCursor(request.cursor, sort)
  const wanted = request.q?.trim().toLowerCase() ?? ''
  const found = items
    .filter((item) => shape.textsOf(item).some((text) => text?.toLowerCase().includes(wanted) === true))
    .map((item) => ({ item, place: toPlace(item) }))
    .filter(({ place }) => after === undefined || inOrder(place, after) > 0)
    .sort((a, b) => inOrder(a.place, b.place))
  const shown = found.slice(0, request.limit ?? found.length)
  const last = shown.at(-1)
  const more = found.length > shown.length && last !== undefined
  return {
    data: shown.map(({ item }) => item),
    has_more: more,
    next_cursor: more ? Buffer.from(JSON.stringify([sort, ...last.place])).toString('base64url') : null,
  }
}

function compare([a, aId]: Place, [b, bId]: Place): number {
  if (a !== b) return a < b ? -1 : 1
  return aId < bId ? -1 : aId > bId ? 1 : 0
}

function requireSort<T>(shape: ListShape<T>, field: string): (item: T) => string | number {
  const readSort = Object.hasOwn(shape.sorts, field) ? shape.sorts[field] : undefined
  if (readSort !== undefined) return readSort
  throw invalidParameter(
    'sort',
    `must be one of ${Object.keys(shape.sorts).join(', ')}, with "-" in front for the reverse order.`,
  )
}

function parseCursor(text: string, sort: string): Place {
  const [madeFor, value, id] = splitParts(text)
  if (madeFor === sort && (typeof value === 'string' || typeof value === 'number') && typeof id === 'string')
    return [value, id]
  throw invalidParameter('cursor', 'is not one that this list has given out.')
}

function splitParts(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
