/** What people and teams spent in the periods of a budget that nobody has set, and on which day each would have ended. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { PeriodSpan } from '../../foundation/domain/budget.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import { toDay } from '../../modules/spend/usage/usage-source.store.ts'
import type { SubjectSpend } from './simulation.ts'

export interface HistoryQuestion {
  readonly scope: 'user' | 'team'
  /** Undefined: everybody who has spent something. */
  readonly subjectIds: readonly string[] | undefined
  /** The running one first. */
  readonly periods: readonly PeriodSpan[]
  /** Null: calls never stop. */
  readonly stopsAtNanoUsd: NanoUsd | null
}

interface Row {
  readonly subject_id: string
  /** Of the period, from 1. */
  readonly place: number
  readonly spent: number
  readonly stopped_on: string | null
}

/** Whoever has spent nothing in all of them is not in the answer. From the sums by day, which the log keeps itself. */
export async function readBudgetHistory(
  db: Kysely<Schema>,
  { scope, subjectIds, periods, stopsAtNanoUsd }: HistoryQuestion,
): Promise<ReadonlyMap<string, SubjectSpend>> {
  const chosen = subjectIds === undefined ? sql`` : sql`and subject_id = any(${subjectIds}::uuid[])`
  const { rows } = await sql<Row>`
    select subject_id, place, sum(spent_nano_usd) as spent,
      (min(day) filter (where so_far >= ${stopsAtNanoUsd === null ? null : String(stopsAtNanoUsd)}::numeric))::text as stopped_on
    from (
      select subject_id, day, spent_nano_usd, period.place,
        sum(spent_nano_usd) over (partition by subject_id, period.place order by day) as so_far
      from spend_days join unnest(
        ${periods.map(({ startMs }) => toDay(startMs))}::date[], ${periods.map(({ endMs }) => toDay(endMs))}::date[]
      ) with ordinality as period (from_day, to_day, place) on day >= from_day and day < to_day
      where scope = ${scope} ${chosen}
        and day >= ${toDay(periods.at(-1)?.startMs ?? 0)}::date and day < ${toDay(periods[0]?.endMs ?? 0)}::date
    ) as by_day group by subject_id, place`.execute(db)
  const bySubject = Map.groupBy(rows, (row) => row.subject_id)
  return new Map(
    [...bySubject].map(([subjectId, own]) => {
      const at = (place: number): Row | undefined => own.find((row) => Number(row.place) === place)
      return [
        subjectId,
        {
          subjectId,
          spentNanoUsd: at(1)?.spent ?? 0,
          stoppedOn: periods.slice(1).map((_, index) => at(index + 2)?.stopped_on ?? null),
        },
      ]
    }),
  )
}
