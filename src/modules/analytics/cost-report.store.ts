/** What a day cost, to the nano-dollar, from the same sums as every chart. */
import { sql } from 'kysely'
import type { NanoUsd } from '../../foundation/domain/money.ts'
import type { Span } from '../../foundation/domain/usage-range.ts'
import type { UsageReader } from '../spend/usage/usage-reader.store.ts'
import { ofDay, type ReportGroup } from './usage-report.store.ts'

export interface CostRow {
  /** Null is nobody's, or not asked for. */
  readonly team_id: string | null
  readonly model: string | null
  readonly cost_nano_usd: NanoUsd
  /** Of the cost, what web searches made. Calls of a model without a price have theirs in the rest. */
  readonly search_nano_usd: NanoUsd
}

export async function readDayCost(
  { db }: Pick<UsageReader, 'db'>,
  day: Span,
  groups: ReadonlySet<ReportGroup>,
): Promise<readonly CostRow[]> {
  const parts = ofDay(day, groups, {})
  const { rows } = await sql<CostRow>`
    select team_id, model, sum(cost)::bigint as cost_nano_usd, least(sum(cost), sum(search))::bigint as search_nano_usd
    from (
      select ${parts.names}, cost_nano_usd as cost, 0 as search from ${parts.from('org_days')}
      union all
      select ${parts.names}, 0, search_nano_usd from ${parts.from('charged_days')}
    ) as part
    group by 1, 2 having sum(cost) > 0 order by 1, 2`.execute(db)
  return rows
}
