/** Everything that is known about one call: why it went where it went, each try, and its price line by line. */
import { z } from 'zod'
import type { Database } from '../../../foundation/database/database.ts'
import { problem } from '../../../foundation/domain/errors.ts'
import type { HintReader } from '../../../foundation/domain/failure-hints.ts'
import { type NanoUsd, usdFromNano } from '../../../foundation/domain/money.ts'
import { costAt, type Rates } from '../../../foundation/domain/price.ts'
import type { SpendRecord } from '../../../foundation/domain/spend-record.ts'
import { createSpendLog } from '../../spend/spend-log.store.ts'
import type { RequestRounds } from '../../spend/spend-requests.store.ts'
import {
  findName,
  type Names,
  namesOfRequests,
  reasonBody,
  reasonSchema,
  requestBody,
  requestSchema,
} from './request-records.fields.ts'

const priceLine = z.object({
  kind: z.enum(['input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h']),
  tokens: z.int(),
  usd_per_mtok: z.number(),
  usd: z.number(),
})
type PriceLine = z.infer<typeof priceLine>

const attemptSchema = z.object({
  endpoint: z.string(),
  hosted_model: z.string(),
  status: z.int(),
  error: z.string().nullable(),
  reason: reasonSchema.nullable(),
  duration_ms: z.int(),
})

export const requestDetailSchema = requestSchema.extend({
  price: z.array(priceLine),
  web_search_cost_usd: z
    .number()
    .meta({ description: 'The part of `cost_usd` that its web searches cost; `price` holds the rest.' }),
  attempts: z.array(attemptSchema),
  routing: z.string().nullable(),
  betas: z.object({ sent: z.array(z.string()), stripped: z.array(z.string()) }),
  repairs: z.array(z.string()),
  rounds: z.array(
    z.object({
      round: z.int(),
      at: z.iso.datetime(),
      status: z.int(),
      endpoint: z.string().nullable(),
      hosted_model: z.string().nullable(),
      stop_reason: z.string().nullable(),
      tokens: requestSchema.shape.tokens,
      web_searches: z.int(),
      cost_usd: z.number(),
      duration_ms: z.int(),
    }),
  ),
})

/** A call that is not `mine` is as unknown as one that never was: its id is nobody else's business. */
export async function requireRequest(
  database: Database,
  requestId: string,
  reader: HintReader,
  isMine: (record: SpendRecord) => boolean = () => true,
): Promise<z.infer<typeof requestDetailSchema>> {
  const [first, ...others] = await createSpendLog(database.kysely).find(requestId)
  if (first === undefined || !isMine(first)) throw problem('not_found', { what: 'request' })
  const rounds = [first, ...others] as const
  return requestDetail(rounds, await namesOfRequests(database, [rounds]), reader)
}

function requestDetail(rounds: RequestRounds, names: Names, reader: HintReader): z.infer<typeof requestDetailSchema> {
  const distinct = (read: (record: SpendRecord) => readonly string[]): string[] => [...new Set(rounds.flatMap(read))]
  return {
    ...requestBody(rounds, names, reader),
    price: priceLines(rounds),
    web_search_cost_usd: usdFromNano(rounds.reduce((sum, round) => sum + searchCost(round), 0)),
    attempts: rounds.flatMap(({ attempts }) =>
      attempts.map((attempt) => ({
        endpoint: findName(attempt.endpointId, names) ?? '',
        hosted_model: attempt.hostedModel,
        status: attempt.status,
        error: attempt.error,
        reason: attempt.reason == null ? null : reasonBody(attempt.reason),
        duration_ms: attempt.durationMs,
      })),
    ),
    routing: describeRouting(rounds, names),
    betas: { sent: distinct((record) => record.betasSent), stripped: distinct((record) => record.betasStripped) },
    repairs: distinct((record) => record.repairs),
    rounds: rounds.map((record) => roundBody(record, names)),
  }
}

function roundBody(record: SpendRecord, names: Names) {
  const { tokens } = requestBody([record], names, 'admin')
  return {
    round: record.round,
    at: new Date(record.atMs).toISOString(),
    status: record.status,
    endpoint: findName(record.endpointId, names),
    hosted_model: record.hostedModel,
    stop_reason: record.stopReason,
    tokens,
    web_searches: record.webSearches,
    cost_usd: usdFromNano(record.costNanoUsd),
    duration_ms: record.durationMs,
  }
}

/** One line for each kind and rate: rounds may have met different prices. */
function priceLines(rounds: RequestRounds): PriceLine[] {
  const lines = new Map<string, { kind: PriceLine['kind']; tokens: number; rate: number }>()
  for (const { usage, rates } of rounds) {
    if (rates === null) continue
    for (const [kind, tokens, rate] of pricedKinds(usage, rates)) {
      if (tokens === 0) continue
      const line = lines.get(`${kind} ${rate}`) ?? { kind, tokens: 0, rate }
      line.tokens += tokens
      lines.set(`${kind} ${rate}`, line)
    }
  }
  return [...lines.values()].map(({ kind, tokens, rate }) => ({
    kind,
    tokens,
    usd_per_mtok: rate,
    // A rate in USD per million is micro-dollars a token; rounding takes away what only the binary form adds.
    usd: Math.round(tokens * rate * 1e6) / 1e12,
  }))
}

/** What the tokens leave of the whole: a record keeps the prices of its tokens, and not the one of a search. */
function searchCost({ webSearches, costNanoUsd, usage, rates }: SpendRecord): NanoUsd {
  if (webSearches === 0) return 0
  return Math.max(0, costNanoUsd - (rates === null ? 0 : costAt(usage, rates)))
}

function pricedKinds(
  usage: SpendRecord['usage'],
  rates: Rates,
): readonly (readonly [kind: PriceLine['kind'], tokens: number, rate: number])[] {
  return [
    ['input', usage.inputTokens, rates.input],
    ['output', usage.outputTokens, rates.output],
    ['cache_read', usage.cacheReadTokens, rates.cacheRead],
    ['cache_write_5m', usage.cacheWrite5mTokens, rates.cacheWrite5m],
    ['cache_write_1h', usage.cacheWrite1hTokens, rates.cacheWrite1h ?? rates.cacheWrite5m],
  ]
}

/** The choice as it was made, then what became of it. */
function describeRouting(rounds: RequestRounds, names: Names): string | null {
  const choices = [...new Set(rounds.flatMap(({ routing }) => routing ?? []))]
  const moves = rounds.flatMap(({ attempts }) =>
    attempts.flatMap((attempt, index) => {
      const next = attempts[index + 1]
      if (next === undefined || attempt.error === null) return []
      return [moveInWords(attempt, next, names)]
    }),
  )
  const sentences = [...choices, ...moves]
  return sentences.length === 0 ? null : sentences.join('; ')
}

function moveInWords(from: SpendRecord['attempts'][number], to: SpendRecord['attempts'][number], names: Names): string {
  const why = `${findName(from.endpointId, names)} answered ${from.status} (${from.error})`
  if (from.endpointId === to.endpointId) return `${why}, tried again there`
  const [before, after] = [findPrefix(from.hostedModel), findPrefix(to.hostedModel)]
  return `${why}, moved to ${findName(to.endpointId, names)}${before === after ? '' : `, prefix ${before} to ${after}`}`
}

function findPrefix(hostedModel: string): string {
  return hostedModel.startsWith('arn:') ? 'of its own profile' : `${hostedModel.split('.', 1)[0]}.`
}
