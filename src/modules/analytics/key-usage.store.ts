/** What one key used, from its single records: roll-ups do not know keys, and only keys without a person need it. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { Span } from '../../foundation/domain/usage-range.ts'
import { at, type Measure, measures } from '../spend/usage/usage-source.store.ts'
import type { NamedSums, UsageTotals } from '../spend/usage/usage-totals.store.ts'
import type { SeriesRow } from './usage-series.store.ts'

type KeySums = { readonly model: string } & Readonly<Record<Measure, number>>

export function createKeyUsage(db: Kysely<Schema>, keyId: string) {
  const byModel = async (range: Span): Promise<readonly KeySums[]> => {
    const { rows } = await sql<KeySums>`
      select model, ${sql.raw(measures.map((name) => `sum(${name})::bigint as ${name}`).join(', '))}
      from spend_facts
      where key_id = ${keyId}::uuid and at >= ${at(range.startMs)} and at < ${at(range.endMs)}
      group by 1 order by sum(cost_nano_usd) desc, 1`.execute(db)
    return rows
  }
  return {
    byModel: async (range: Span): Promise<readonly NamedSums[]> =>
      (await byModel(range)).map((row) => ({ ...row, kind: 'model', name: row.model })),

    totals: async (range: Span): Promise<UsageTotals> => {
      const rows = await byModel(range)
      const sums = measures.map((name) => [name, rows.reduce((total, row) => total + row[name], 0)])
      return { ...(Object.fromEntries(sums) as Record<Measure, number>), active_users: 0 }
    },

    byBucket: async (buckets: readonly Span[]): Promise<readonly SeriesRow[]> => {
      const starts = buckets.map(({ startMs }) => new Date(startMs).toISOString())
      const { rows } = await sql<SeriesRow>`
        select width_bucket(log.at, ${starts}::timestamptz[]) - 1 as bucket, '' as team,
          count(*) filter (where log.round = 0) as requests, sum(log.cost_nano_usd)::bigint as cost_nano_usd,
          0 as input_tokens, 0 as cache_read_tokens, 0 as cache_write_tokens
        from spend_log as log
        where log.key_id = ${keyId}::uuid and log.at >= ${at(buckets[0]?.startMs ?? 0)}
          and log.at < ${at(buckets.at(-1)?.endMs ?? 0)}
        group by 1`.execute(db)
      return rows
    },
  }
}
