/** One call of the request log as the wire writes it; the rounds of a request are one call. */
import { z } from 'zod'
import type { Database } from '../../../foundation/database/database.ts'
import { findHint, type HintReader } from '../../../foundation/domain/failure-hints.ts'
import { type FailureReason, failureKinds, limitScopes, limitUnits } from '../../../foundation/domain/failure-reason.ts'
import { usdFromNano } from '../../../foundation/domain/money.ts'
import type { SpendRecord } from '../../../foundation/domain/spend-record.ts'
import type { RequestRounds } from '../../spend/spend-requests.store.ts'
import { findNames } from '../../spend/usage/usage-names.store.ts'

const tokensSchema = z.object({
  input: z.int(),
  output: z.int(),
  cache_read: z.int(),
  cache_write_5m: z.int(),
  cache_write_1h: z.int(),
})

export const reasonSchema = z.object({
  kind: z.enum(failureKinds),
  code: z.string().meta({ description: 'A code of the error catalogue, or the name of an AWS exception.' }),
  message: z.string().nullable().meta({
    description: 'The sentence that the client received. Null when `store_failure_messages` is false.',
  }),
  limit: z
    .object({
      scope: z.enum(limitScopes),
      id: z.string(),
      name: z.string(),
      limit: z.number(),
      used: z.number(),
      unit: z.enum(limitUnits),
      resets_at: z.iso.datetime(),
    })
    .nullable()
    .meta({ description: 'The limit that was reached, as it was then. Null for other causes.' }),
})

export function reasonBody({ kind, code, message, limit }: FailureReason): z.infer<typeof reasonSchema> {
  if (limit === null) return { kind, code, message, limit }
  const { resetsAtMs, ...amounts } = limit
  return { kind, code, message, limit: { ...amounts, resets_at: new Date(resetsAtMs).toISOString() } }
}

const hintSchema = z.object({
  text: z.string(),
  link: z.string().meta({ description: 'An address on this gateway.' }),
})

export const requestSchema = z.object({
  request_id: z.string(),
  at: z.iso.datetime(),
  status: z.int(),
  error_type: z.string().nullable(),
  reason: reasonSchema.nullable().meta({
    description:
      'Why the request was rejected or failed. Null for requests that succeeded, and for records from before reasons were kept.',
  }),
  hint: hintSchema.nullable().meta({ description: 'What to do about it.' }),
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

export async function requestBodies(
  database: Database,
  requests: readonly RequestRounds[],
  reader: HintReader,
): Promise<RequestBody[]> {
  const names = await namesOfRequests(database, requests)
  return requests.map((rounds) => requestBody(rounds, names, reader))
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
  return findNames(database.kysely, ids)
}

/** How a request ended is told by its last round, when it began by its first, what it took by all of them. */
export function requestBody(rounds: RequestRounds, names: Names, reader: HintReader): RequestBody {
  const [first] = rounds
  const last = rounds.at(-1) ?? first
  const sum = (read: (record: SpendRecord) => number): number => rounds.reduce((total, one) => total + read(one), 0)
  return {
    request_id: first.requestId,
    at: new Date(first.atMs).toISOString(),
    status: last.status,
    error_type: last.errorType,
    reason: last.reason && reasonBody(last.reason),
    hint: last.reason && findHint(last.reason, reader),
    user: findName(first.userId, names),
    user_id: first.userId,
    team: findName(first.teamId, names),
    team_id: first.teamId,
    key: findName(first.keyId, names),
    key_id: first.keyId,
    model: first.model,
    hosted_model: last.hostedModel,
    endpoint: findName(last.endpointId, names),
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
export function findName(id: string | null, names: Names): string | null {
  return id === null ? null : (names.get(id) ?? id)
}
