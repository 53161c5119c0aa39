/** Sums over a range, as a whole and by what they are divided by. */
import { type RawBuilder, sql } from 'kysely'
import type { Span } from '../../../foundation/domain/usage-range.ts'
import { nameIn } from './usage-names.store.ts'
import type { UsageReader } from './usage-reader.store.ts'
import {
  type DaySource,
  isOpen,
  type Measure,
  measures,
  nobody,
  type SumsWanted,
  splitPieces,
  sumsByFacet,
  type UsageFilter,
  wholeDays,
} from './usage-source.store.ts'

export type UsageSums = Readonly<Record<Measure, number>>

export interface UsageTotals extends UsageSums {
  readonly active_users: number
}

export interface NamedSums {
  readonly kind: 'team' | 'model' | 'endpoint'
  readonly name: string
  readonly requests: number
  readonly errors: number
  readonly throttles: number
  readonly failovers: number
  readonly unpriced: number
  readonly cost_nano_usd: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
}

export interface PersonSums {
  readonly name: string
  readonly requests: number
  readonly cost_nano_usd: number
  readonly tokens: number
}

/** In nano-dollars. */
export interface SpendByKind {
  readonly of_people: number
  readonly of_nobody: number
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
  'unpriced',
  'cost_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
]

/** Whatever has a record has one of these; a call that an endpoint refused and another one served has none at the first. */
const ofUse: readonly Measure[] = ['requests', 'calls', 'errors', 'probes', 'cost_nano_usd']
const isUse = sql.raw(`(${ofUse.map((name) => `sums.${name} > 0`).join(' or ')})`)
const withUse = (wanted: readonly Measure[]): readonly Measure[] => [...new Set([...wanted, ...ofUse])]

export function createUsageTotals({ db, counted }: UsageReader) {
  const buildQuestion = (range: Span, filter: UsageFilter): Question => ({
    pieces: splitPieces(range, counted),
    filter,
  })
  const readSums = async <M extends Measure>(question: Question, wanted: readonly M[]): Promise<Record<M, number>> => {
    const sums = sumsByFacet({ ...question, measures: wanted, source: 'merged' })
    const { rows } = await sql<Record<M, number>>`select ${summed(wanted)} from ${sums} as sums`.execute(db)
    const row = rows[0]
    if (row === undefined) throw new Error('a sum without groups has one row')
    return row
  }
  return {
    totals: async (range: Span, filter: UsageFilter): Promise<UsageTotals> => {
      const question = buildQuestion(range, filter)
      return { ...(await readSums(question, measures)), active_users: await countPeople(db, question) }
    },

    webSearches: async (range: Span, filter: UsageFilter): Promise<number> =>
      (await readSums(buildQuestion(range, filter), ['web_searches'])).web_searches,

    /** Of those who are people, and of everything else: keys of nobody, and the probes of the gateway itself. */
    spendByKind: async (range: Span, filter: UsageFilter): Promise<SpendByKind> => {
      const { rows } = await sql<SpendByKind>`
        select coalesce(sum(cost_nano_usd) filter (where user_id <> ${nobody}::uuid), 0)::bigint as of_people,
          coalesce(sum(cost_nano_usd) filter (where user_id = ${nobody}::uuid), 0)::bigint as of_nobody
        from (${peopleRows(buildQuestion(range, filter))}) as people`.execute(db)
      return rows[0] ?? { of_people: 0, of_nobody: 0 }
    },

    /** By team, model or endpoint, the dearest first. */
    breakdown: (range: Span, filter: UsageFilter, kinds: readonly NamedSums['kind'][]): Promise<readonly NamedSums[]> =>
      divide(db, sumsByFacet({ ...buildQuestion(range, filter), measures: withUse(named), source: 'merged' }), kinds),

    /** By person, the dearest first. */
    byPerson: (range: Span, filter: UsageFilter): Promise<readonly PersonSums[]> =>
      readPeople(db, buildQuestion(range, filter)),

    /** Everything that has a record; of models those first that an endpoint was asked for. */
    /** Of one team: what its own calls have. */
    options: async (teamId?: string): Promise<FilterOptions> => {
      const own = teamId === undefined ? sql`true` : sql`team_id = ${teamId}::uuid`
      const list = (kind: 'team' | 'user' | 'endpoint'): RawBuilder<unknown> => {
        const column = sql.raw(`${kind}_id`)
        return sql`array(select distinct ${nameIn(kind, `${kind}_id`)} from (
          select distinct ${column} from spend_facets where ${own} and ${column} <> ${nobody}::uuid) as known order by 1)`
      }
      const { rows } = await sql<FilterOptions>`
        select ${list('team')} as teams, ${list('user')} as users, ${list('endpoint')} as endpoints,
          array(select model from (
            select model from spend_facets where ${own} and model <> '' group by model
            order by bool_or(endpoint_id <> ${nobody}::uuid) desc, model limit ${MAX_MODELS}
          ) as known order by 1) as models`.execute(db)
      return rows[0] ?? { teams: [], users: [], models: [], endpoints: [] }
    },
  }
}

type Question = Pick<SumsWanted, 'pieces' | 'filter'>

/** Callers may invent names of models: beyond so many, the sums of the rest stand together. */
const MAX_MODELS = 1_000
const OTHERS = '(other)'

async function divide(
  db: UsageReader['db'],
  sums: RawBuilder<unknown>,
  kinds: readonly NamedSums['kind'][],
): Promise<readonly NamedSums[]> {
  const total = sql.raw(named.map((measure) => `sum(${measure})::bigint as ${measure}`).join(', '))
  const ways = kinds.map((kind) => {
    const column = kind === 'model' ? 'model' : `${kind}_id`
    const name =
      kind === 'model' ? sql`case when place > ${MAX_MODELS} then ${OTHERS} else model end` : nameIn(kind, column)
    // Names are looked up once for each id; two that had the same name at different times are one row.
    return sql`
      select ${kind} as kind, name, ${total} from (
        select ${name} as name, divided.* from (
          select ${sql.raw(column)}, ${total},
            row_number() over (order by sum(cost_nano_usd) desc, sum(requests) desc, ${sql.raw(column)}) as place
          from by_facet ${kind === 'endpoint' ? sql`` : sql`where is_use`} group by 1
        ) as divided
      ) as with_names group by name`
  })
  const { rows } = await sql<NamedSums>`
    with by_facet as materialized (
      select facet.team_id, facet.user_id, facet.endpoint_id, facet.model, ${isUse} as is_use, sums.*
      from ${sums} as sums join spend_facets as facet on facet.id = sums.facet_id
    )
    select * from (${sql.join(ways, sql` union all `)}) as way order by cost_nano_usd desc, requests desc, name`.execute(
    db,
  )
  return rows
}

/** Rows of people with their sums, several for each. */
function peopleRows({ pieces, filter }: Question): RawBuilder<unknown> {
  const byFacet = (source: DaySource): RawBuilder<unknown> => sql`
    select facet.user_id, sums.requests, sums.cost_nano_usd,
      sums.input_tokens + sums.output_tokens + sums.cache_read_tokens + sums.cache_write_tokens as tokens
    from ${sumsByFacet({ pieces, filter, measures: withUse(ofPeople), source })} as sums
    join spend_facets as facet on facet.id = sums.facet_id where ${isUse}`
  if (!isOpen(filter)) return byFacet('by-person')
  const whole = wholeDays(pieces, 'person').map(
    (rows) => sql`select user_id, requests, cost_nano_usd, tokens from ${rows}`,
  )
  return sql.join([...whole, byFacet('left-out')], sql` union all `)
}

const ofPeople: readonly Measure[] = [
  'requests',
  'cost_nano_usd',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
]

async function readPeople(db: UsageReader['db'], question: Question): Promise<readonly PersonSums[]> {
  const total = sql.raw(
    ['requests', 'cost_nano_usd', 'tokens'].map((column) => `sum(${column})::bigint as ${column}`).join(', '),
  )
  const { rows } = await sql<PersonSums>`
    select name, ${total} from (
      select ${nameIn('user', 'user_id')} as name, divided.* from (
        select user_id, ${total} from (${peopleRows(question)}) as people group by 1
      ) as divided
    ) as with_names group by name order by cost_nano_usd desc, requests desc, name`.execute(db)
  return rows
}

/** How many people made a call. */
async function countPeople(db: UsageReader['db'], question: Question): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(*) as people from (
      select user_id from (${peopleRows(question)}) as people
      where user_id <> ${nobody}::uuid and requests > 0 group by user_id
    ) as active`.execute(db)
  return rows[0]?.people ?? 0
}
