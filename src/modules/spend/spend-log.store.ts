/** The ledger: appends batches of spend records so that each is stored once, whatever is in it and however often it is sent. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { SpendLogTable } from '../../foundation/database/spend-schema.ts'
import { isRefusedData } from '../../foundation/database/store-errors.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { MARKED_DAYS } from './spend-contexts.store.ts'
import {
  type PreparedSpend,
  prepareSpend,
  type SpendColumn,
  type SpendValue,
  spendColumns,
  spendUuid,
} from './spend-row.store.ts'
import { toSpendRecord } from './stored-spend.store.ts'

export interface AppendResult {
  readonly stored: number
  /** Were stored before: a replay. */
  readonly duplicates: number
  /** Stored, but not quite as they came. */
  readonly sanitised: number
  /** Refused by the database in every form; the caller must keep them and raise an alarm. */
  readonly rejected: readonly SpendRecord[]
}

const columnNames = Object.keys(spendColumns) as SpendColumn[]
const contextColumns = [
  'hosted_model',
  'routing',
  'betas_sent',
  'betas_stripped',
  'repairs',
  'rate_input',
  'rate_output',
  'rate_cache_read',
  'rate_cache_write_5m',
  'rate_cache_write_1h',
] as const
const contextList = sql.raw(['id', ...contextColumns].join(', '))

/** One array a column, so the number of rows never meets the limit of 65,535 binds; this only bounds the work at a time. */
const CHUNK_ROWS = 500

export function createSpendLog(db: Kysely<Schema>) {
  return {
    /** Throws DatabaseUnavailableError when the database cannot take them now; sending them again is safe. */
    appendBatch: async (records: readonly SpendRecord[]): Promise<AppendResult> => {
      const result = { stored: 0, duplicates: 0, sanitised: 0, rejected: [] as SpendRecord[] }
      for (let start = 0; start < records.length; start += CHUNK_ROWS) {
        const chunk = records.slice(start, start + CHUNK_ROWS).map(prepareSpend)
        // Two instances that replay the same records must take the rows in the same order, or they may wait in a circle.
        chunk.sort((a, b) => compare(a.row.request_id, b.row.request_id) || compare(a.row.round, b.row.round))
        await appendOrSplit(db, chunk, result)
      }
      return result
    },

    /** All rounds of one request, in order. */
    find: async (requestId: string): Promise<readonly SpendRecord[]> => {
      const rows = await joinedSpend(db)
        .where('spend_log.request_id', '=', spendUuid('request', requestId))
        .orderBy('spend_log.round')
        .execute()
      return rows.map(toSpendRecord)
    },
  }
}

export type SpendLog = ReturnType<typeof createSpendLog>

/** Spend rows with their contexts, for every reader that shows whole records; `rows` are those of the log or some of them. */
export function joinedSpend(db: Kysely<Schema>, rows: RawBuilder<SpendLogTable> = sql`spend_log`) {
  return db
    .selectFrom(rows.as('spend_log'))
    .leftJoin('spend_contexts', 'spend_contexts.id', 'spend_log.context_id')
    .select(columnNames.filter(isShown).map((name) => `spend_log.${name}` as const))
    .select(contextColumns)
}

function isShown(name: SpendColumn): name is Exclude<SpendColumn, 'context_id'> {
  return name !== 'context_id'
}

function compare(a: unknown, b: unknown): number {
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0
}

interface MutableResult {
  stored: number
  duplicates: number
  sanitised: number
  readonly rejected: SpendRecord[]
}

/** A batch that the database refuses is halved until the refused row stands alone: its neighbours are stored. */
async function appendOrSplit(
  db: Kysely<Schema>,
  chunk: readonly PreparedSpend[],
  result: MutableResult,
): Promise<void> {
  try {
    const inserted = await insertChunk(db, chunk)
    result.stored += inserted
    result.duplicates += chunk.length - inserted
    result.sanitised += chunk.filter((one) => one.sanitised).length
  } catch (error) {
    if (!isRefusedData(error)) throw error
    const [first] = chunk
    if (chunk.length === 1 && first !== undefined) return appendBare(db, first, result)
    const middle = Math.ceil(chunk.length / 2)
    await appendOrSplit(db, chunk.slice(0, middle), result)
    await appendOrSplit(db, chunk.slice(middle), result)
  }
}

/** The last try for a refused row: who, when and how much, without any text of foreign origin. */
async function appendBare(db: Kysely<Schema>, refused: PreparedSpend, result: MutableResult): Promise<void> {
  const bare = prepareSpend({
    ...refused.record,
    model: 'unreadable',
    hostedModel: null,
    errorType: null,
    reason: null,
    stopReason: null,
    attempts: [],
    agentId: null,
    parentAgentId: null,
    tools: [],
    betasSent: [],
    betasStripped: [],
    repairs: [],
    routing: null,
  })
  try {
    const inserted = await insertChunk(db, [bare])
    result.stored += inserted
    result.duplicates += 1 - inserted
    result.sanitised += 1
  } catch (error) {
    if (!isRefusedData(error)) throw error
    // failure-modes: poison spend record
    result.rejected.push(refused.record)
  }
}

/** Returns how many rows were new. */
async function insertChunk(db: Kysely<Schema>, chunk: readonly PreparedSpend[]): Promise<number> {
  const contexts = new Map(chunk.map(({ context }) => [context.id, context]))
  const orderedContexts = [...contexts.values()].sort((a, b) => compare(a.id, b.id))
  // By their places: a row has too many names to be looked up in by each of them.
  const rows = chunk.map(({ row }) => Object.values(row))
  const names = Object.keys(chunk[0]?.row ?? spendColumns) as SpendColumn[]
  const arrays = names.map((name, place) => {
    const type = spendColumns[name]
    return sql`${arrayLiteral(rows, place, type)}::${sql.raw(type)}[]`
  })
  const ids = orderedContexts.map(({ id }) => id)
  // Marked before it is looked for: what retention takes away meanwhile is gone by then, and stored again.
  const inserted = await sql`
    with marked as (
      update spend_context_marks set last_used = current_date where id in (
        select id from spend_context_marks
        where id = any(${ids}::bigint[]) and last_used < current_date - ${MARKED_DAYS}::integer
        order by id for update)
      returning id
    ), contexts as (
      insert into spend_contexts (${contextList})
      select ${contextList}
      from json_populate_recordset(null::spend_contexts, ${JSON.stringify(orderedContexts)}::json)
      where (select count(*) from marked) >= 0
      on conflict (id) do nothing
      returning id
    ), new_marks as (
      insert into spend_context_marks select id, current_date from contexts
      on conflict (id) do nothing
    )
    insert into spend_log (${sql.raw(names.join(', '))})
    select * from unnest(${sql.join(arrays)})
    on conflict (request_id, round, at) do nothing`.execute(db)
  return Number(inserted.numAffectedRows ?? 0n)
}

/** Written here and not by pg, whose general way through arrays costs four times as much a row. */
function arrayLiteral(rows: readonly (readonly SpendValue[])[], place: number, type: string): string {
  const isText = type === 'text' || type === 'jsonb'
  const values = rows.map((row) => {
    const value = row[place]
    if (value === null || value === undefined) return 'NULL'
    return isText ? quoted(String(value)) : value
  })
  return `{${values.join(',')}}`
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`
}
