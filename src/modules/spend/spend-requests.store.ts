/** The request log: pages of calls. */
import { type Kysely, sql } from 'kysely'
import {
  cursorAt,
  isDescending,
  type Page,
  type PageOrder,
  type Position,
  readLimit,
  readPage,
  readRows,
  toPage,
} from '../../foundation/database/paging.ts'
import type { Schema } from '../../foundation/database/schema.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { outcomeConditions, type RequestFilter, startConditions } from './request-conditions.store.ts'
import { continuedRequests, LONGEST_REQUEST_MS, ofAllRounds, ofOnlyRound } from './request-rounds.store.ts'
import { joinedSpend } from './spend-log.store.ts'
import { spendUuid } from './spend-row.store.ts'
import { toSpendRecord } from './stored-spend.store.ts'
import { joinConditions } from './usage/usage-source.store.ts'

/** The rounds of one request, in order. */
export type RequestRounds = readonly [SpendRecord, ...SpendRecord[]]

const order: PageOrder = {
  sorts: { at: { expression: sql`spend_log.at`, type: 'timestamptz' } },
  defaultSort: '-at',
  id: sql`spend_log.request_id`,
  idType: 'uuid',
}

export function createSpendRequests(db: Kysely<Schema>) {
  return {
    /** Newest first. A request stands in the list once, at its first round. */
    list: async (filter: RequestFilter): Promise<Page<RequestRounds>> => {
      const page = await firstRounds(db, filter)
      const later = await laterRounds(db, page.data)
      return { ...page, data: page.data.map((record) => [record, ...(later.get(record.requestId) ?? [])] as const) }
    },
  }
}

async function firstRounds(db: Kysely<Schema>, filter: RequestFilter): Promise<Page<SpendRecord>> {
  if (outcomeConditions(filter, ofOnlyRound).length === 0)
    return readPage(startedRequests(db, filter), order, filter, toSpendRecord)
  return toPage(await requestsByOutcome(db, filter), order, filter, toPosition)
}

function startedRequests(db: Kysely<Schema>, filter: RequestFilter) {
  return joinedSpend(db)
    .where('spend_log.round', '=', 0)
    .where(joinConditions(startConditions(filter)))
}

/** Bounds what is held when nearly all that fit by their first round went on and then do not fit. */
const MAX_STRETCH = 2_000

/**
 * Nearly all requests have one round, which tells everything: stretches of them are read in the order of an index, those
 * that went on are taken out, and what fits by all its rounds is put between. One condition for both would have to look
 * for later rounds of every row. At least one more than a page holds, if there are as many.
 */
async function requestsByOutcome(db: Kysely<Schema>, filter: RequestFilter): Promise<readonly SpendRecord[]> {
  const wanted = readLimit(filter) + 1
  const singles = startedRequests(db, filter).where(joinConditions(outcomeConditions(filter, ofOnlyRound)))
  const found: SpendRecord[] = []
  let after: SpendRecord | undefined
  for (let size = wanted; ; size = Math.min(size * 4, MAX_STRETCH)) {
    const cursor = after === undefined ? filter.cursor : cursorAt(order, filter, toPosition(after))
    const request = { ...filter, cursor }
    const stretch = (await readRows(singles, order, request, size)).map(toSpendRecord)
    const last = stretch.length < size ? undefined : stretch.at(-1)
    const single = await withoutContinued(db, stretch)
    const several = await continuedWithin(db, request, { after, last })
    // A second round may have been stored between the two questions.
    const known = new Set(several.map(({ requestId }) => requestId))
    const fitting = [...single.filter(({ requestId }) => !known.has(requestId)), ...several]
    found.push(...fitting.sort((a, b) => comparePositions(a, b, filter)))
    if (last === undefined || found.length >= wanted) return found
    after = last
  }
}

async function withoutContinued(db: Kysely<Schema>, records: readonly SpendRecord[]): Promise<readonly SpendRecord[]> {
  const later = await laterRounds(db, records)
  return records.filter(({ requestId, atMs }) => {
    const next = later.get(requestId)?.[0]
    return next === undefined || next.atMs > atMs + LONGEST_REQUEST_MS
  })
}

interface Stretch {
  /** Not included; undefined at the beginning. */
  readonly after: SpendRecord | undefined
  /** Included; undefined at the end of the log. */
  readonly last: SpendRecord | undefined
}

/** Requests of several rounds that fit by all of them. */
async function continuedWithin(
  db: Kysely<Schema>,
  filter: RequestFilter,
  { after, last }: Stretch,
): Promise<readonly SpendRecord[]> {
  const [newest, oldest] = isDescending(order, filter) ? [after, last] : [last, after]
  const reach = { fromMs: oldest?.atMs ?? filter.fromMs, toMs: newest?.atMs ?? filter.toMs }
  const rows = await readRows(
    joinedSpend(db, continuedRequests(filter, reach)).where(
      joinConditions([...startConditions(filter), ...outcomeConditions(filter, ofAllRounds)]),
    ),
    order,
    filter,
    readLimit(filter) + 1,
  )
  const records = rows.map(toSpendRecord)
  return last === undefined ? records : records.filter((record) => comparePositions(record, last, filter) <= 0)
}

/** Times of ISO 8601 and uuids are ordered as texts as the database orders them. */
function toPosition({ atMs, requestId }: SpendRecord): Position {
  return { value: new Date(atMs).toISOString(), id: spendUuid('request', requestId) }
}

/** Below zero when `a` stands before `b` in the list. */
function comparePositions(a: SpendRecord, b: SpendRecord, filter: RequestFilter): number {
  const [left, right] = [a, b].map((record) => Object.values(toPosition(record)).join(' ')) as [string, string]
  if (left === right) return 0
  return left < right === isDescending(order, filter) ? 1 : -1
}

async function laterRounds(
  db: Kysely<Schema>,
  records: readonly SpendRecord[],
): Promise<ReadonlyMap<string, readonly SpendRecord[]>> {
  if (records.length === 0) return new Map()
  const times = records.map(({ atMs }) => atMs)
  const rows = await joinedSpend(db)
    .where('spend_log.round', '>', 0)
    .where(
      sql<boolean>`spend_log.request_id = any(${records.map(({ requestId }) => spendUuid('request', requestId))}::uuid[])`,
    )
    .where('spend_log.at', '>=', new Date(Math.min(...times)))
    .where('spend_log.at', '<=', new Date(Math.max(...times) + LONGEST_REQUEST_MS))
    .orderBy('spend_log.round')
    .execute()
  return Map.groupBy(rows.map(toSpendRecord), ({ requestId }) => requestId)
}
