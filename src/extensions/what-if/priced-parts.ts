/** The calls to a model by what makes their price, each part priced as calls to another model. */
import { invalidParameter } from '../../foundation/domain/errors.ts'
import { findPriceIn } from '../../foundation/domain/find-price.ts'
import { modelIdForText } from '../../foundation/domain/model-id.ts'
import { type PriceScope, priceScopes, type Rates } from '../../foundation/domain/price.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { type ChargedPart, costInstead, findHostedModel, type PricedModel, ratesIn, scopeIn } from './other-model.ts'

/** Sums of charged calls, as they are stored. */
export interface ChargedSums {
  readonly endpoint_id: string
  /** As the invoked id says; the region of the endpoint may know better. */
  readonly scope: PriceScope
  /** How many of the given lengths the prompts exceed. */
  readonly tier: number
  readonly calls: number
  readonly cost_nano_usd: number
  /** Of the cost, what web searches made. */
  readonly search_nano_usd: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_5m_tokens: number
  readonly cache_write_1h_tokens: number
}

/** A model under the name that people know. */
export interface NamedModel {
  readonly model: string
  readonly name: string
}

/** Calls whose body could not be read have no model, and the rarest of many names stand together. */
export function isModel(name: string): boolean {
  return name !== '' && name !== '(other)'
}

/** With the mark for long context, when the name has it. */
export function findName({ mappings }: Snapshot, id: string): NamedModel {
  const [, plain = id, mark = ''] = /^(.*?)(\[1m\])?$/i.exec(id) ?? []
  const known = mappings.get(plain)?.displayName
  return { model: id, name: known === undefined ? id : [known, mark].join(' ').trim() }
}

export function requirePriced(known: Snapshot, models: readonly PricedModel[], id: string): PricedModel {
  const hostedModelId = findHostedModel(known.mappings, id)
  if (hostedModelId === undefined)
    throw invalidParameter(
      'to_model',
      `${modelIdForText(id)} is no model that the gateway knows. Take one of GET /admin/pricing, or map the name to a hosted model first.`,
    )
  const found = models.find((one) => one.hostedModelId === hostedModelId)
  if (found !== undefined) return { ...found, ...findName(known, id) }
  if (priceScopes.some((scope) => findPriceIn(known.prices, scope, hostedModelId) !== undefined))
    return { ...findName(known, id), hostedModelId }
  throw unpriced(id, hostedModelId)
}

function unpriced(id: string, hostedModelId: string, scope?: PriceScope) {
  const where = scope === undefined ? '' : ` for ${scope} profiles, which the calls went through`
  return invalidParameter(
    'to_model',
    `${modelIdForText(id)} has no price${where}, so nothing can be compared with it. Set one with PUT /admin/pricing/${hostedModelId}, read the price list with POST /admin/pricing/refresh, or choose another model.`,
  )
}

/** At which the price of one of the models changes, in rising order. */
export function listLengths({ prices }: Snapshot, hosted: readonly (string | undefined)[]): readonly number[] {
  const lengths = hosted.flatMap((id) =>
    id === undefined
      ? []
      : priceScopes.flatMap((scope) => prices.get(`${scope}:${id}`)?.longContext?.abovePromptTokens ?? []),
  )
  return [...new Set(lengths)].sort((a, b) => a - b)
}

export function buildParts({ endpoints }: Snapshot, sums: readonly ChargedSums[]): readonly ChargedPart[] {
  const scoped = sums.map((row) => ({
    ...row,
    scope: scopeIn(endpoints.get(row.endpoint_id)?.region ?? null, row.scope),
  }))
  const inOrder = scoped.toSorted(
    (a, b) => priceScopes.indexOf(a.scope) - priceScopes.indexOf(b.scope) || a.tier - b.tier,
  )
  return [...Map.groupBy(inOrder, ({ scope, tier }) => `${scope} ${tier}`).values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    const sum = (name: Exclude<keyof ChargedSums, 'endpoint_id' | 'scope'>): number =>
      rows.reduce((total, row) => total + row[name], 0)
    return {
      scope: first.scope,
      tier: first.tier,
      calls: sum('calls'),
      costNanoUsd: sum('cost_nano_usd'),
      searchNanoUsd: sum('search_nano_usd'),
      usage: {
        inputTokens: sum('input_tokens'),
        outputTokens: sum('output_tokens'),
        cacheReadTokens: sum('cache_read_tokens'),
        cacheWrite5mTokens: sum('cache_write_5m_tokens'),
        cacheWrite1hTokens: sum('cache_write_1h_tokens'),
      },
    }
  })
}

export interface Pair {
  readonly from: string | undefined
  readonly to: PricedModel
  readonly lengths: readonly number[]
}

export interface PricedPart extends ChargedPart {
  readonly wouldCostNanoUsd: number
  readonly isLong: boolean
  readonly fromRates: Rates | null
  readonly toRates: Rates
}

export function pricedPart({ prices }: Snapshot, charged: ChargedPart, { from, to, lengths }: Pair): PricedPart {
  const price = findPriceIn(prices, charged.scope, to.hostedModelId)
  if (price === undefined) throw unpriced(to.model, to.hostedModelId, charged.scope)
  const toRates = ratesIn(price, charged.tier, lengths)
  const own = from === undefined ? undefined : findPriceIn(prices, charged.scope, from)
  return {
    ...charged,
    wouldCostNanoUsd: costInstead(charged, toRates),
    isLong: toRates !== price.rates,
    fromRates: own === undefined ? null : ratesIn(own, charged.tier, lengths),
    toRates,
  }
}
