/** How many requests failed, by the kind of the reason. Counted from the request log: failures are few, and have an index. */
import { sql } from 'kysely'
import type { FailureKind } from '../../foundation/domain/failure-reason.ts'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { flagBits } from '../spend/spend-row.store.ts'
import type { UsageReader } from '../spend/usage/usage-reader.store.ts'
import { at, logCondition, type UsageFilter } from '../spend/usage/usage-source.store.ts'

export interface FailureCount {
  readonly kind: FailureKind
  readonly requests: number
}

/** Most frequent first. The gateway's own probes are left out, as they are from other counts of requests. */
export async function countFailures(
  { db }: Pick<UsageReader, 'db'>,
  { startMs, endMs }: Span,
  filter: UsageFilter,
): Promise<readonly FailureCount[]> {
  const { rows } = await sql<FailureCount>`
    select reason_kind as kind, count(*)::integer as requests from spend_log as log
    where reason_kind is not null and at >= ${at(startMs)} and at < ${at(endMs)}
      and flags & ${flagBits(['probe'])}::smallint = 0 and ${logCondition(filter)}
    group by reason_kind order by 2 desc, 1`.execute(db)
  return rows
}
