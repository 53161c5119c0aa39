/** What the gateway counted, in the terms of the bill: day, model, profile, kind of token, and where it was called. */
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { findBedrockArnParts, findFoundationModelId, findPriceScope } from '../../foundation/domain/model-id.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { type Reach, type TokenKind, toModelKey } from '../../foundation/domain/usage-type.ts'
import type { ChargedCalls } from './charged-calls.store.ts'

export type Known = Pick<Snapshot, 'endpoints' | 'mappings' | 'prices'>

export interface Place {
  readonly account: string | null
  readonly region: string | null
}

export interface CountedKind {
  readonly kind: TokenKind
  readonly tokens: number
  /** As charged: 0 when no price was known. */
  readonly nanoUsd: number
}

export interface Counted {
  readonly day: string
  readonly model: string
  /** The hosted id of the model. */
  readonly modelName: string
  readonly reach: Reach
  readonly isLong: boolean
  /** False for requests to a model without a price, also when they were charged an estimate. */
  readonly isPriced: boolean
  readonly isUnsure: boolean
  /** ARN of the application inference profile that was called. */
  readonly profile: string | null
  /** Undefined for an endpoint that was deleted since. */
  readonly endpoint: Endpoint | undefined
  readonly place: Place
  readonly calls: number
  readonly kinds: readonly CountedKind[]
  readonly nanoUsd: number
  /** Web searches, which no line of the cloud bill has. */
  readonly searchNanoUsd: number
}

/** Lengths of a prompt from which on a model costs more, in ascending order. */
export function listPromptLengths(known: Known): readonly number[] {
  const lengths = [...known.prices.values()].flatMap(({ longContext }) => longContext?.abovePromptTokens ?? [])
  return [...new Set(lengths)].sort((a, b) => a - b)
}

export function toCounted(rows: readonly ChargedCalls[], known: Known): readonly Counted[] {
  const lengths = listPromptLengths(known)
  const modelOfArn = new Map(
    [...known.endpoints.values()].flatMap(({ aipOverrides }) =>
      aipOverrides.map(({ aipArn, modelId }) => [aipArn, modelId]),
    ),
  )
  return rows.map((row): Counted => {
    const arn = findBedrockArnParts(row.hosted_model)
    const isProfile = arn?.kind === 'application-inference-profile'
    const modelName = findHostedModel(row, known, modelOfArn)
    const endpoint = row.endpoint_id === null ? undefined : known.endpoints.get(row.endpoint_id)
    const region = endpoint?.region ?? arn?.region ?? null
    const scope = findPriceScope(row.hosted_model, region)
    const tier = known.prices.get(`${scope}:${modelName}`)?.longContext
    const kinds = listKinds(row)
    const nanoUsd = Math.round(kinds.reduce((sum, kind) => sum + kind.nanoUsd, 0))
    return {
      day: row.day,
      model: toModelKey(modelName),
      modelName,
      reach: scope === 'global' ? 'global' : 'local',
      isLong: tier != null && row.tier > lengths.indexOf(tier.abovePromptTokens),
      isPriced: row.rate_input !== null && !row.is_price_estimated,
      isUnsure: row.is_unsure,
      profile: isProfile ? row.hosted_model : null,
      endpoint,
      place: { account: readAccountId(endpoint) ?? (arn?.accountId || null), region },
      calls: row.calls,
      kinds,
      nanoUsd,
      // Each call is rounded on its own: less than a nano-dollar a call is no search.
      searchNanoUsd: row.cost_nano_usd - nanoUsd > row.calls ? row.cost_nano_usd - nanoUsd : 0,
    }
  })
}

function findHostedModel(row: ChargedCalls, known: Known, modelOfArn: ReadonlyMap<string, string>): string {
  const named = findFoundationModelId(row.hosted_model)
  if (named !== undefined) return named
  const name = modelOfArn.get(row.hosted_model) ?? row.model ?? row.hosted_model
  return known.mappings.get(name)?.hostedModelId ?? name
}

/** Of the role that the endpoint takes; the gateway's own account is nowhere written down. */
export function readAccountId(endpoint: Endpoint | undefined): string | null {
  const arns = [endpoint?.roleArn, endpoint?.inferenceProfileArn]
  for (const arn of arns) {
    const account = /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):/.exec(arn ?? '')?.[1]
    if (account !== undefined) return account
  }
  return null
}

/** A rate of 1 USD per million tokens is 1,000 nano-dollars a token. */
const NANO_PER_TOKEN_AT_ONE_USD = 1_000

function listKinds(row: ChargedCalls): readonly CountedKind[] {
  const kinds: readonly (readonly [TokenKind, tokens: number, rate: number | null])[] = [
    ['input', row.input_tokens, row.rate_input],
    ['output', row.output_tokens, row.rate_output],
    ['cacheRead', row.cache_read_tokens, row.rate_cache_read],
    ['cacheWrite5m', row.cache_write_5m_tokens, row.rate_cache_write_5m],
    ['cacheWrite1h', row.cache_write_1h_tokens, row.rate_cache_write_1h ?? row.rate_cache_write_5m],
  ]
  return kinds
    .filter(([, tokens]) => tokens > 0)
    .map(([kind, tokens, rate]) => ({ kind, tokens, nanoUsd: tokens * (rate ?? 0) * NANO_PER_TOKEN_AT_ONE_USD }))
}
