/** What tokens cost: the price in force for each model and scope, and an administrator's own prices. */
import { z } from 'zod'
import { invalidParameter, problem } from '../../foundation/domain/errors.ts'
import { findPriceIn } from '../../foundation/domain/find-price.ts'
import { findFoundationModelId, isFoundationModelId, MODEL_ID_MAX_LENGTH } from '../../foundation/domain/model-id.ts'
import { type Price, type PriceScope, priceScopes, type Rates } from '../../foundation/domain/price.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { badInput, forAdmins, forAdminsFromMemory, unknownId } from '../../foundation/http/answers.ts'
import { nothing } from '../../foundation/http/fields.ts'
import { describePage, listQuery } from '../../foundation/http/lists.ts'
import { pageInMemory } from '../../foundation/http/memory-page.ts'
import { apiRoute, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, write } from '../../foundation/http/write-change.ts'
import { createModelPriceStore, type ModelPriceStore } from './model-prices.store.ts'

export interface PricingPorts extends Pick<RoutePorts, 'database' | 'changed' | 'snapshot'> {
  /** Reads the provider's price lists now; a region whose list cannot be read says why. */
  readonly refreshPrices: () => Promise<PriceRefreshResult>
}

export interface PriceRefreshResult {
  readonly listed: number
  readonly changed: number
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  readonly regions: readonly { readonly region: string; readonly listed: number; readonly error: string | null }[]
}

const tag = 'Pricing'
const path = '/admin/pricing/{model_id}'
const params = z.object({ model_id: z.string() })
/** Every model has these two; GovCloud has prices of its own for the few models that are there. */
const scopes: readonly PriceScope[] = ['global', 'geo']
const scope = z.enum([...priceScopes, 'both'])

const usd = z.number().min(0).max(1_000_000)
const rateFields = {
  input_usd_per_mtok: usd,
  output_usd_per_mtok: usd,
  cache_read_usd_per_mtok: usd,
  cache_write_5m_usd_per_mtok: usd,
  cache_write_1h_usd_per_mtok: usd.nullable(),
}
const longContext = { above_prompt_tokens: z.int().min(1).max(100_000_000), ...rateFields }

const unpricedFields = Object.fromEntries(
  Object.entries(rateFields).map(([name, field]) => [name, field.nullable()]),
) as unknown as { [K in keyof typeof rateFields]: z.ZodNullable<typeof usd> }

const priceSchema = z.object({
  model_id: z.string(),
  scope: z.enum(priceScopes),
  ...unpricedFields,
  long_context: z.object(longContext).nullable(),
  source: z.enum(['seed', 'price_list', 'admin']).nullable(),
  updated_at: z.iso.datetime().nullable(),
})

const newPrice = z.strictObject({
  ...rateFields,
  cache_write_1h_usd_per_mtok: usd.nullable().optional(),
  long_context: z
    .strictObject({ ...longContext, cache_write_1h_usd_per_mtok: usd.nullable().optional() })
    .nullable()
    .optional(),
  scope: scope.optional(),
})

export function pricingRoutes(ports: PricingPorts): Route[] {
  return [listPrices(ports), putPrice(ports), removePrice(ports), refresh(ports)]
}

function rateBody(rates: Rates) {
  return {
    input_usd_per_mtok: rates.input,
    output_usd_per_mtok: rates.output,
    cache_read_usd_per_mtok: rates.cacheRead,
    cache_write_5m_usd_per_mtok: rates.cacheWrite5m,
    cache_write_1h_usd_per_mtok: rates.cacheWrite1h,
  }
}

function priceBody(price: Price) {
  const tier = price.longContext
  return {
    model_id: price.modelId,
    scope: price.scope,
    ...rateBody(price.rates),
    long_context: tier === null ? null : { above_prompt_tokens: tier.abovePromptTokens, ...rateBody(tier.rates) },
    source: price.source,
    updated_at: price.updatedAt,
  }
}

type ShownPrice = z.infer<typeof priceSchema>

/** Their requests are charged at an estimate. They come first because an administrator should set a price. */
function unpricedModels({ mappings, prices }: Snapshot): readonly ShownPrice[] {
  const hosted = new Set(
    [...mappings.values()].flatMap(({ hostedModelId }) => findFoundationModelId(hostedModelId) ?? []),
  )
  return [...hosted].flatMap((modelId) =>
    scopes
      .filter((one) => findPriceIn(prices, one, modelId) === undefined)
      .map((one) => ({
        model_id: modelId,
        scope: one,
        input_usd_per_mtok: null,
        output_usd_per_mtok: null,
        cache_read_usd_per_mtok: null,
        cache_write_5m_usd_per_mtok: null,
        cache_write_1h_usd_per_mtok: null,
        long_context: null,
        source: null,
        updated_at: null,
      })),
  )
}

function listPrices(ports: PricingPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/pricing',
    access: 'admin',
    grants: ['billing:read'],
    tag,
    summary: 'List the prices in force',
    description:
      'One row for each model and scope, from the source that wins: admin, then price_list, then seed. Models without a price come first, with `source` null. `q` looks in model ids. `sort`: unpriced_first (default), model_id, updated_at.',
    query: z.strictObject(listQuery),
    answers: { 200: { text: 'Prices', schema: describePage(priceSchema) }, ...badInput, ...forAdminsFromMemory },
    handle: async (call) => {
      const snapshot = ports.snapshot()
      const all: readonly ShownPrice[] = [...unpricedModels(snapshot), ...[...snapshot.prices.values()].map(priceBody)]
      const shape = {
        sorts: {
          unpriced_first: (one: ShownPrice) => (one.source === null ? 0 : 1),
          model_id: (one: ShownPrice) => one.model_id,
          updated_at: (one: ShownPrice) => one.updated_at ?? '',
        },
        defaultSort: 'unpriced_first',
        idOf: (one: ShownPrice) => `${one.model_id} ${one.scope}`,
        textsOf: (one: ShownPrice) => [one.model_id],
      }
      return ok(pageInMemory(all, shape, call.query))
    },
  })
}

function requireModelId(modelId: string): void {
  if (modelId.length <= MODEL_ID_MAX_LENGTH && isFoundationModelId(modelId)) return
  const reason = 'must be a hosted model id such as anthropic.claude-sonnet-5, without a prefix of regions.'
  throw invalidParameter('model_id', reason)
}

function readRates(body: Omit<z.infer<typeof newPrice>, 'long_context' | 'scope'>): Rates {
  return {
    input: body.input_usd_per_mtok,
    output: body.output_usd_per_mtok,
    cacheRead: body.cache_read_usd_per_mtok,
    cacheWrite5m: body.cache_write_5m_usd_per_mtok,
    cacheWrite1h: body.cache_write_1h_usd_per_mtok ?? null,
  }
}

function listScopes(wanted: z.infer<typeof scope> | undefined): readonly PriceScope[] {
  return wanted === undefined || wanted === 'both' ? scopes : [wanted]
}

/** Those that a change is about: the audit trail must not say that the others changed too. */
async function adminPrices(store: ModelPriceStore, modelId: string, chosen: readonly PriceScope[]) {
  const all = await store.list()
  return all
    .filter((price) => price.modelId === modelId && price.source === 'admin' && chosen.includes(price.scope))
    .map(priceBody)
}

function putPrice(ports: PricingPorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'admin',
    tag,
    summary: 'Set the price of a model',
    description:
      'US dollars per million tokens, used as given and before every other source. `scope` is global, geo, us-gov or both (default: global and geo). In GovCloud the price of us-gov holds, else that of geo. Calls that are already recorded keep their cost.',
    params,
    body: newPrice,
    answers: {
      200: { text: 'The prices that were set', schema: z.object({ data: z.array(priceSchema) }) },
      ...badInput,
      ...forAdmins,
    },
    handle: async (call) => {
      const { model_id: modelId } = call.params
      requireModelId(modelId)
      const { long_context: tier, scope: wanted, ...body } = call.body
      const longContext =
        tier === null || tier === undefined
          ? null
          : { abovePromptTokens: tier.above_prompt_tokens, rates: readRates(tier) }
      const chosen = listScopes(wanted)
      const stored = await write(ports, call, ['prices'], async ({ tx, audit }) => {
        const store = createModelPriceStore(tx)
        const before = await adminPrices(store, modelId, chosen)
        const rates = readRates(body)
        await store.put(chosen.map((one) => ({ modelId, scope: one, rates, longContext, source: 'admin' as const })))
        const after = await adminPrices(store, modelId, chosen)
        audit({ action: 'price.put', target: `model:${modelId}`, before, after })
        return after
      })
      return ok({ data: stored })
    },
  })
}

function removePrice(ports: PricingPorts): Route {
  return apiRoute({
    method: 'DELETE',
    path,
    access: 'admin',
    tag,
    summary: "Remove an administrator's price",
    description:
      'The price list or the built-in price is in force again. Without `scope` every price that an administrator has set for the model goes.',
    params,
    query: z.strictObject({ scope: scope.optional() }),
    answers: { 204: { text: 'Removed' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { model_id: modelId } = call.params
      requireModelId(modelId)
      await write(ports, call, ['prices'], async ({ tx, audit }) => {
        const store = createModelPriceStore(tx)
        const chosen = call.query.scope === undefined ? priceScopes : listScopes(call.query.scope)
        const before = await adminPrices(store, modelId, chosen)
        if (before.length === 0) throw problem('not_found', { what: 'price of an administrator' })
        for (const one of chosen) await store.remove(modelId, 'admin', one)
        audit({ action: 'price.delete', target: `model:${modelId}`, before })
      })
      return noContent
    },
  })
}

const refreshSchema = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  listed: z.int(),
  changed: z.int(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  regions: z.array(z.object({ region: z.string(), listed: z.int(), error: z.string().nullable() })),
})

function refresh(ports: PricingPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/pricing/refresh',
    access: 'admin',
    tag,
    summary: 'Read the price list now',
    description:
      'One file for each region in which an enabled endpoint lies. A file that cannot be read changes nothing and stops no other; `regions` says what came of each, `error` names those that failed.',
    body: nothing,
    answers: { 200: { text: 'What came of it', schema: refreshSchema }, ...badInput, ...forAdmins },
    handle: async (call) => {
      ports.database()
      const result = await ports.refreshPrices()
      const failed = result.regions.filter(({ error }) => error !== null)
      const error = failed.length === 0 ? null : failed.map((one) => `${one.region}: ${one.error}`).join('; ')
      const { listed, changed, skipped, regions } = result
      await write(ports, call, [], async ({ audit }) =>
        audit({ action: 'price.refresh', target: 'prices', after: { listed, changed, error } }),
      )
      return ok({ success: error === null, error, listed, changed, skipped, regions })
    },
  })
}
