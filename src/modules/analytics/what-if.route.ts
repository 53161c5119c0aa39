/** What a range would have cost if a share of the calls to one model had gone to another one. */
import { z } from 'zod'
import { invalidParameter } from '../../foundation/domain/errors.ts'
import { findPriceIn } from '../../foundation/domain/find-price.ts'
import { modelIdForText } from '../../foundation/domain/model-id.ts'
import { usdFromNano } from '../../foundation/domain/money.ts'
import { type PriceScope, priceScopes, type Rates } from '../../foundation/domain/price.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Usage } from '../../foundation/domain/usage.ts'
import {
  type ChargedPart,
  costInstead,
  findHostedModel,
  findNextCheaper,
  type PricedModel,
  percentOf,
  pricedModels,
  ratesIn,
  scopeIn,
} from '../../foundation/domain/what-if.ts'
import { badInput, forAdmins } from '../../foundation/http/answers.ts'
import { text } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'
import { readUsage } from '../spend/usage/usage-reader.store.ts'
import { createUsageTotals, type NamedSums } from '../spend/usage/usage-totals.store.ts'
import { analyticsQuery, questionOf } from './analytics-route.service.ts'
import { type ChargedSums, createChargedUsage } from './charged-days.store.ts'
import { rangeBody, rangeSchema } from './usage-query.ts'
import { share } from './usage-records.ts'

const model = text(512).optional()

const whatIfQuery = analyticsQuery.extend({
  from_model: model.meta({ description: 'The model that was called; the one with the highest spend by default.' }),
  to_model: model.meta({
    description: 'The model whose prices are taken; by default that of the next cheaper family.',
  }),
  share: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(30)
    .meta({ description: 'Percent of the calls that would have gone to the other model.' }),
})
type WhatIfQuery = z.infer<typeof whatIfQuery>

const rates = z.object({
  input_usd_per_mtok: z.number(),
  output_usd_per_mtok: z.number(),
  cache_read_usd_per_mtok: z.number(),
  cache_write_5m_usd_per_mtok: z.number(),
  cache_write_1h_usd_per_mtok: z.number().nullable(),
})
const tokens = z.object({
  input: z.int(),
  output: z.int(),
  cache_read: z.int(),
  cache_write_5m: z.int(),
  cache_write_1h: z.int(),
})
const named = z.object({ model: z.string(), name: z.string() })

const part = z.object({
  scope: z.enum(priceScopes),
  /** Whether the other model has the prices of long prompts for these. */
  long_context: z.boolean(),
  calls: z.int(),
  spend_usd: z.number(),
  would_cost_usd: z.number(),
  tokens,
  from_rates: rates.nullable(),
  to_rates: rates,
})

const whatIf = z.object({
  from: named.extend({ calls: z.int(), unpriced_calls: z.int(), spend_usd: z.number() }),
  to: named,
  moved: z.object({ calls: z.int(), spend_usd: z.number(), would_cost_usd: z.number() }),
  would_spend_usd: z.number(),
  difference_usd: z.number(),
  /** Of what was spent; null when that was nothing. */
  difference_share: z.number().nullable(),
  tokens,
  parts: z.array(part),
})

const assumptions = [
  'The tokens are those that were recorded: the other model is taken to read and write as many of each kind.',
  'Models may count the tokens of the same text differently, and may need more or fewer turns for the same work.',
  'Nothing is said about the quality of the answers.',
  'The calls that move are average ones: the same share of every kind of token.',
  'The other model has the prices in force now, in the scope in which each call was made; what was spent stays as recorded, at the prices of its day.',
  'Web searches cost the same. Calls that had no price, and the probes of the gateway itself, do not move.',
]

export function whatIfRoute(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/analytics/what-if',
    access: 'admin',
    grants: ['billing:read'],
    tag: 'Analytics',
    summary: 'What the range would have cost with another model',
    description:
      '`share` percent of the calls to `from_model` are priced as calls to `to_model`, with the tokens that were recorded and the prices in force now. Without names, the model with the highest spend is compared with the next cheaper family. `spend_usd` is everything that the filter takes, `parts` all calls of the model by what makes a price. `what_if` is null when the range has no call to a model (`reason` no_calls) or no cheaper model has a price (no_other_model). `choices` has the models of the range and those with a price.',
    query: whatIfQuery,
    answers: {
      200: {
        text: 'What it was, and what it would have been',
        schema: z.object({
          range: rangeSchema,
          share: z.int(),
          spend_usd: z.number(),
          what_if: whatIf.nullable(),
          reason: z.enum(['no_calls', 'no_other_model']).nullable(),
          choices: z.object({ from: z.array(named), to: z.array(named) }),
          assumptions: z.array(z.string()),
        }),
      },
      ...badInput,
      ...forAdmins,
    },
    handle: ({ query }) => answer(ports, query),
    handleForLead: ({ query }, teamId) => answer(ports, query, teamId),
  })
}

async function answer(ports: RoutePorts, query: WhatIfQuery, onlyTeamId?: string) {
  const { from_model: wantedFrom, to_model: wantedTo, share: percent, ...rest } = query
  const known = ports.snapshot()
  const models = pricedModels(known.mappings, known.prices)
  const wanted = wantedTo === undefined ? undefined : requirePriced(known, models, wantedTo)
  const question = await questionOf(ports, rest, onlyTeamId)
  const { database, range, filter } = question
  return readUsage(database.kysely, async (reader) => {
    const used = await createUsageTotals(reader).breakdown(range, filter, ['model'])
    const spent = used.reduce((sum, row) => sum + row.cost_nano_usd, 0)
    const from = wantedFrom ?? used.find(({ name }) => isModel(name))?.name
    const hosted = from === undefined ? undefined : findHostedModel(known.mappings, from)
    const to = wanted ?? (hosted === undefined ? undefined : findNextCheaper(models, known.prices, hosted))
    const body = {
      range: rangeBody(range),
      share: percent,
      spend_usd: usdFromNano(spent),
      choices: {
        from: used.filter(({ name }) => isModel(name)).map(({ name }) => nameOf(known, name)),
        to: models.map(shown),
      },
      assumptions,
    }
    if (from === undefined || to === undefined)
      return ok({
        ...body,
        what_if: null,
        reason: from === undefined ? ('no_calls' as const) : ('no_other_model' as const),
      })
    if (to.hostedModelId === hosted)
      throw invalidParameter(
        'to_model',
        `must be another model than ${modelIdForText(from)}. Leave it out for the next cheaper family.`,
      )
    const lengths = lengthsOf(known, [to.hostedModelId, hosted])
    const chosen = filter.models === undefined || filter.models.includes(from) ? [from] : []
    const sums = await createChargedUsage(reader).read(range, { ...filter, models: chosen }, lengths)
    const priced = partsOf(known, sums).map((one) => pricedPart(known, one, { from: hosted, to, lengths }))
    const own = used.find(({ name }) => name === from)
    return ok({
      ...body,
      what_if: { ...compared(priced, spent, percent), from: fromBody(known, from, own, priced), to: shown(to) },
      reason: null,
    })
  })
}

/** Calls whose body could not be read have no model, and the rarest of many names stand together. */
function isModel(name: string): boolean {
  return name !== '' && name !== '(other)'
}

function shown({ model: id, name }: PricedModel): z.infer<typeof named> {
  return { model: id, name }
}

/** With the mark for long context, when the name has it. */
function nameOf({ mappings }: Snapshot, id: string): z.infer<typeof named> {
  const [, plain = id, mark = ''] = /^(.*?)(\[1m\])?$/i.exec(id) ?? []
  const known = mappings.get(plain)?.displayName
  return { model: id, name: known === undefined ? id : [known, mark].join(' ').trim() }
}

function requirePriced(known: Snapshot, models: readonly PricedModel[], id: string): PricedModel {
  const hostedModelId = findHostedModel(known.mappings, id)
  if (hostedModelId === undefined)
    throw invalidParameter(
      'to_model',
      `${modelIdForText(id)} is no model that the gateway knows. Take one of GET /admin/pricing, or map the name to a hosted model first.`,
    )
  const found = models.find((one) => one.hostedModelId === hostedModelId)
  if (found !== undefined) return { ...found, ...nameOf(known, id) }
  if (priceScopes.some((scope) => findPriceIn(known.prices, scope, hostedModelId) !== undefined))
    return { ...nameOf(known, id), hostedModelId }
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
function lengthsOf({ prices }: Snapshot, hosted: readonly (string | undefined)[]): readonly number[] {
  const lengths = hosted.flatMap((id) =>
    id === undefined
      ? []
      : priceScopes.flatMap((scope) => prices.get(`${scope}:${id}`)?.longContext?.abovePromptTokens ?? []),
  )
  return [...new Set(lengths)].sort((a, b) => a - b)
}

function partsOf({ endpoints }: Snapshot, sums: readonly ChargedSums[]): readonly ChargedPart[] {
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

interface Pair {
  readonly from: string | undefined
  readonly to: PricedModel
  readonly lengths: readonly number[]
}

interface PricedPart extends ChargedPart {
  readonly wouldCostNanoUsd: number
  readonly isLong: boolean
  readonly fromRates: Rates | null
  readonly toRates: Rates
}

function pricedPart({ prices }: Snapshot, charged: ChargedPart, { from, to, lengths }: Pair): PricedPart {
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

function compared(parts: readonly PricedPart[], spent: number, percent: number) {
  const total = (read: (one: PricedPart) => number): number => parts.reduce((sum, one) => sum + read(one), 0)
  const [moved, instead] = [
    percentOf(
      total(({ costNanoUsd }) => costNanoUsd),
      percent,
    ),
    percentOf(
      total(({ wouldCostNanoUsd }) => wouldCostNanoUsd),
      percent,
    ),
  ]
  const kind = (name: keyof Usage): number => total(({ usage }) => usage[name])
  return {
    moved: {
      calls: Math.round((total(({ calls }) => calls) * percent) / 100),
      spend_usd: usdFromNano(moved),
      would_cost_usd: usdFromNano(instead),
    },
    would_spend_usd: usdFromNano(spent - moved + instead),
    difference_usd: usdFromNano(instead - moved),
    difference_share: spent === 0 ? null : share(instead - moved, spent),
    tokens: {
      input: kind('inputTokens'),
      output: kind('outputTokens'),
      cache_read: kind('cacheReadTokens'),
      cache_write_5m: kind('cacheWrite5mTokens'),
      cache_write_1h: kind('cacheWrite1hTokens'),
    },
    parts: parts.map(partBody),
  }
}

function fromBody(known: Snapshot, id: string, own: NamedSums | undefined, parts: readonly PricedPart[]) {
  return {
    ...nameOf(known, id),
    calls: parts.reduce((sum, { calls }) => sum + calls, 0),
    unpriced_calls: own?.unpriced ?? 0,
    spend_usd: usdFromNano(parts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)),
  }
}

function partBody(one: PricedPart): z.infer<typeof part> {
  const { usage } = one
  return {
    scope: one.scope,
    long_context: one.isLong,
    calls: one.calls,
    spend_usd: usdFromNano(one.costNanoUsd),
    would_cost_usd: usdFromNano(one.wouldCostNanoUsd),
    tokens: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cache_read: usage.cacheReadTokens,
      cache_write_5m: usage.cacheWrite5mTokens,
      cache_write_1h: usage.cacheWrite1hTokens,
    },
    from_rates: one.fromRates === null ? null : ratesBody(one.fromRates),
    to_rates: ratesBody(one.toRates),
  }
}

function ratesBody(table: Rates): z.infer<typeof rates> {
  return {
    input_usd_per_mtok: table.input,
    output_usd_per_mtok: table.output,
    cache_read_usd_per_mtok: table.cacheRead,
    cache_write_5m_usd_per_mtok: table.cacheWrite5m,
    cache_write_1h_usd_per_mtok: table.cacheWrite1h,
  }
}
