/** Sittings of a client: what each cost, and which of its agents made which calls. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { Schema } from '../../foundation/database/schema.ts'
import { spendUuid } from './spend-row.store.ts'
import { isMatched, type NameMatch } from './usage/usage-names.store.ts'
import { catchUpUsage } from './usage/usage-rollup.store.ts'

export interface SessionSums {
  readonly requests: number
  readonly errors: number
  readonly costNanoUsd: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

export interface SessionRecord extends SessionSums {
  /** As the client sent it. */
  readonly sessionId: string
  readonly userId: string | null
  readonly teamId: string | null
  readonly keyId: string | null
  readonly startedAt: Date
  readonly lastAt: Date
}

export interface AgentRecord extends SessionSums {
  readonly sessionId: string
  /** Null for the one that the person talks to. */
  readonly agentId: string | null
  readonly parentAgentId: string | null
  readonly startedAt: Date
  readonly lastAt: Date
  readonly models: readonly string[]
}

export interface SessionFilter extends PageRequest {
  readonly user?: NameMatch | undefined
  readonly team?: NameMatch | undefined
  readonly sessionId?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

const sums = (prefix: string): RawBuilder<unknown> =>
  sql.raw(
    `${prefix}requests, ${prefix}errors, ${prefix}cost_nano_usd as "costNanoUsd", ${prefix}input_tokens as "inputTokens",
    ${prefix}output_tokens as "outputTokens", ${prefix}cache_read_tokens as "cacheReadTokens",
    ${prefix}cache_write_tokens as "cacheWriteTokens"`,
  )

const sorts = {
  started_at: { expression: sql`sessions.started_at`, type: 'timestamptz' },
  last_at: { expression: sql`sessions.last_at`, type: 'timestamptz' },
  cost_usd: { expression: sql`sessions.cost_nano_usd`, type: 'bigint' },
} as const

export function createSpendSessions(db: Kysely<Schema>) {
  return {
    list: async (filter: SessionFilter): Promise<Page<SessionRecord>> => {
      await catchUpUsage(db)
      const conditions = [
        ...given(filter.user, (match) => isMatched(sql`spend_sessions.user_id`, match)),
        ...given(filter.team, (match) => isMatched(sql`spend_sessions.team_id`, match)),
        ...given(filter.sessionId, (id) => sql`session_id = ${spendUuid('session', id)}::uuid`),
        ...given(filter.fromMs, (ms) => sql`started_at >= ${new Date(ms)}`),
        ...given(filter.toMs, (ms) => sql`started_at < ${new Date(ms)}`),
        sql`true`,
      ]
      const query = db
        .selectFrom(
          sql<SessionRecord & { readonly id: string }>`(
            select session_id as id, coalesce(label, session_id::text) as "sessionId", user_id as "userId",
              team_id as "teamId", key_id as "keyId", started_at as "startedAt", last_at as "lastAt", ${sums('')},
              started_at, last_at, cost_nano_usd
            from spend_sessions where ${sql.join(conditions, sql` and `)})`.as('sessions'),
        )
        .selectAll()
      return readPage(
        query,
        { sorts, defaultSort: '-started_at', id: sql`sessions.id`, idType: 'uuid' },
        filter,
        (row) => row,
      )
    },

    /** The agents of these sessions, in the order of their first call. */
    agents: async (sessions: readonly SessionRecord[]): Promise<readonly AgentRecord[]> => {
      if (sessions.length === 0) return []
      const ids = sessions.map(({ sessionId }) => spendUuid('session', sessionId))
      const first = new Date(Math.min(...sessions.map(({ startedAt }) => startedAt.getTime())))
      const last = new Date(Math.max(...sessions.map(({ lastAt }) => lastAt.getTime())))
      const { rows } = await sql<AgentRecord>`
        select coalesce(min(extra -> 'ids' ->> 'session'), session_id::text) as "sessionId", agent_id as "agentId",
          min(parent_agent_id) as "parentAgentId", min(at) as "startedAt", max(at) as "lastAt",
          array_agg(distinct model) as models,
          count(*) filter (where round = 0) as requests,
          count(*) filter (where status >= 400 or (error_type is not null and flags & 2 = 0)) as errors,
          sum(cost_nano_usd)::bigint as "costNanoUsd", sum(input_tokens)::bigint as "inputTokens",
          sum(output_tokens)::bigint as "outputTokens", sum(cache_read_tokens)::bigint as "cacheReadTokens",
          sum(cache_write_5m_tokens::bigint + cache_write_1h_tokens)::bigint as "cacheWriteTokens"
        from spend_log
        where session_id = any(${ids}::uuid[]) and at >= ${first} and at <= ${last}
        group by session_id, agent_id order by min(at)`.execute(db)
      return rows
    },
  }
}

function given<T>(value: T | undefined, make: (value: T) => RawBuilder<unknown>): readonly RawBuilder<unknown>[] {
  return value === undefined ? [] : [make(value)]
}
