/** Sums over a range, as a whole and by what they are divided by. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Span } from '../domain/usage-range.ts'
import type { Schema } from './schema.ts'
import { nameIn } from './usage-names.ts'
import { type Measure, measures, nobody, sumsByFacet, type UsageFilter } from './usage-source.ts'

export type UsageSums = Readonly<Record<Measure, number>>

export interface UsageTotals extends UsageSums {
  readonly active_users: number
}

export interface NamedSums {
  readonly kind: 'team' | 'user' | 'model' | 'endpoint'
  readonly name: string
  readonly requests: number
  readonly errors: number
  readonly throttles: number
  readonly failovers: number
  readonly cost_nano_usd: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
}

export interface FilterOptions {
  readonly teams: readonly string[]
  readonly users: readonly string[]
  readonly models: readonly string[]
  readonly endpoints: readonly string[]
}

const summed = (names: readonly Measure[]): RawBuilder<unknown> =>
  sql.raw(names.map((name) => `coalesce(sum(sums.${name}), 0)::bigint as ${name}`).join(', '))

const named: readonly Measure[] = [
  'requests',
  'errors',
  'throttles',
  'failovers',
  'cost_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
]

export function createUsageTotals(db: Kysely<Schema>) {
  return {
    totals: async (range: Span, filter: UsageFilter): Promise<UsageTotals> => {
      const { rows } = await sql<UsageTotals>`
        select ${summed(measures)},
          count(distinct facet.user_id) filter (where facet.user_id <> ${nobody}::uuid and sums.requests > 0) as active_users
        from ${sumsByFacet(range, filter, measures)} as sums
        join spend_facets as facet on facet.id = sums.facet_id`.execute(db)
      const row = rows[0]
      if (row === undefined) throw new Error('a sum without groups has one row')
      return row
    },

    /** By team, person, model or endpoint, the dearest first. */
    breakdown: async (
      range: Span,
      filter: UsageFilter,
      kinds: readonly NamedSums['kind'][],
    ): Promise<readonly NamedSums[]> => {
      const total = sql.raw(named.map((measure) => `sum(${measure})::bigint as ${measure}`).join(', '))
      const ways = kinds.map((kind) => {
        const column = kind === 'model' ? 'model' : `${kind}_id`
        // Names are looked up once for each id; two that had the same name at different times are one row.
        return sql`
          select ${kind} as kind, name, ${total} from (
            select ${kind === 'model' ? sql`model` : nameIn(kind, column)} as name, divided.* from (
              select ${sql.raw(column)}, ${total} from by_facet group by 1
            ) as divided
          ) as with_names group by name`
      })
      const { rows } = await sql<NamedSums>`
        with by_facet as materialized (
          select facet.team_id, facet.user_id, facet.endpoint_id, facet.model, sums.*
          from ${sumsByFacet(range, filter, named)} as sums join spend_facets as facet on facet.id = sums.facet_id
        )
        select * from (${sql.join(ways, sql` union all `)}) as way order by cost_nano_usd desc, requests desc, name`.execute(
        db,
      )
      return rows
    },

    /** Everything that ever had a record. */
    options: async (): Promise<FilterOptions> => {
      const list = (what: RawBuilder<unknown>, column: string): RawBuilder<unknown> =>
        sql`array(select distinct ${what} from (select distinct ${sql.raw(column)} from spend_facets
          where ${sql.raw(column)}::text <> ${column === 'model' ? '' : nobody}) as known order by 1)`
      const { rows } = await sql<FilterOptions>`
        select ${list(nameIn('team', 'team_id'), 'team_id')} as teams,
          ${list(nameIn('user', 'user_id'), 'user_id')} as users,
          ${list(sql`model`, 'model')} as models,
          ${list(nameIn('endpoint', 'endpoint_id'), 'endpoint_id')} as endpoints`.execute(db)
      return rows[0] ?? { teams: [], users: [], models: [], endpoints: [] }
    },
  }
}

export type UsageTotalsStore = ReturnType<typeof createUsageTotals>
