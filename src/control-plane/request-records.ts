/** One call of the request log as the wire writes it; the rounds of a request are one call. */
import { z } from 'zod'
import { usdFromNano } from '../domain/money.ts'
import type { SpendRecord } from '../domain/spend-record.ts'
import type { Database } from '../stores/database.ts'
import type { RequestRounds } from '../stores/spend/spend-requests.ts'
import { namesOf } from '../stores/usage/usage-names.ts'

const tokensSchema = z.object({
  input: z.int(),
  output: z.int(),
  cache_read: z.int(),
  cache_write_5m: z.int(),
  cache_write_1h: z.int(),
})

export const requestSchema = z.object({
  request_id: z.string(),
  at: z.iso.datetime(),
  status: z.int(),
  error_type: z.string().nullable(),
  user: z.string().nullable(),
  user_id: z.string().nullable(),
  team: z.string().nullable(),
  team_id: z.string().nullable(),
  key: z.string().nullable(),
  key_id: z.string().nullable(),
  model: z.string(),
  hosted_model: z.string().nullable(),
  endpoint: z.string().nullable(),
  endpoint_id: z.string().nullable(),
  streaming: z.boolean(),
  stop_reason: z.string().nullable(),
  tokens: tokensSchema,
  web_searches: z.int(),
  cost_usd: z.number(),
  duration_ms: z.int(),
  first_token_ms: z.int().nullable(),
  session_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  parent_agent_id: z.string().nullable(),
  tools: z.array(z.string()),
  flags: z.array(z.string()),
})
export type RequestBody = z.infer<typeof requestSchema>

export type Names = Pick<ReadonlyMap<string, string>, 'get'>

export async function requestBodies(database: Database, requests: readonly RequestRounds[]): Promise<RequestBody[]> {
  const names = await namesOfRequests(database, requests)
  return requests.map((rounds) => requestBody(rounds, names))
}

export function namesOfRequests(database: Database, requests: readonly RequestRounds[]): Promise<Names> {
  const ids = requests
    .flat()
    .flatMap(({ userId, teamId, keyId, endpointId, attempts }) => [
      userId,
      teamId,
      keyId,
      endpointId,
      ...attempts.map((attempt) => attempt.endpointId),
    ])
  return namesOf(database.kysely, ids)
}

/** How a request ended is told by its last round, when it began by its first, what it took by all of them. */
export function requestBody(rounds: RequestRounds, names: Names): RequestBody {
  const [first] = rounds
  const last = rounds.at(-1) ?? first
  const sum = (read: (record: SpendRecord) => number): number => rounds.reduce((total, one) => total + read(one), 0)
  return {
    request_id: first.requestId,
    at: new Date(first.atMs).toISOString(),
    status: last.status,
    error_type: last.errorType,
    user: nameOf(first.userId, names),
    user_id: first.userId,
    team: nameOf(first.teamId, names),
    team_id: first.teamId,
    key: nameOf(first.keyId, names),
    key_id: first.keyId,
    model: first.model,
    hosted_model: last.hostedModel,
    endpoint: nameOf(last.endpointId, names),
    endpoint_id: last.endpointId,
    streaming: first.streaming,
    stop_reason: last.stopReason,
    tokens: {
      input: sum(({ usage }) => usage.inputTokens),
      output: sum(({ usage }) => usage.outputTokens),
      cache_read: sum(({ usage }) => usage.cacheReadTokens),
      cache_write_5m: sum(({ usage }) => usage.cacheWrite5mTokens),
      cache_write_1h: sum(({ usage }) => usage.cacheWrite1hTokens),
    },
    web_searches: sum((one) => one.webSearches),
    cost_usd: usdFromNano(sum((one) => one.costNanoUsd)),
    duration_ms: sum((one) => one.durationMs),
    first_token_ms: first.firstTokenMs,
    session_id: first.sessionId,
    agent_id: first.agentId,
    parent_agent_id: first.parentAgentId,
    tools: rounds.flatMap((one) => one.tools),
    flags: [...new Set(rounds.flatMap((one) => one.flags))],
  }
}

/** The id itself when nobody remembers a name: a record outlives whatever it points to. */
export function nameOf(id: string | null, names: Names): string | null {
  return id === null ? null : (names.get(id) ?? id)
}
