import { createHash } from 'node:crypto'
import { sendJson } from '../exchange.ts'
import { AwsError } from './aws-error.ts'
import type { Call } from './call.ts'
import { type CatalogModel, prefixesOfRegion, type TokenPrices } from './model-catalog.ts'

const PATH = /\/offers\/v1\.0\/aws\/AmazonBedrockFoundationModels\/current\/([a-z0-9-]+)\/index\.json$/

/** Billing codes are not derived from region names; unknown regions get none and so have no price file. */
const BILLING_CODES: Readonly<Record<string, string>> = {
  'us-east-1': 'USE1',
  'us-east-2': 'USE2',
  'us-west-2': 'USW2',
  'eu-central-1': 'EUC1',
  'eu-west-1': 'EUW1',
  'eu-west-3': 'EUW3',
  'eu-north-1': 'EUN1',
  'ap-northeast-1': 'APN1',
  'ap-south-1': 'APS3',
  'ap-southeast-1': 'APS1',
  'ap-southeast-2': 'APS2',
  'ca-central-1': 'CAN1',
  'us-gov-west-1': 'UGW1',
}

/** Models up to 4.6 are billed under the first spelling, later ones under the second. */
const OLD_DIMENSIONS: Readonly<Record<keyof TokenPrices, string>> = {
  input: 'InputTokenCount',
  output: 'OutputTokenCount',
  cacheRead: 'CacheReadInputTokenCount',
  cacheWrite5m: 'CacheWriteInputTokenCount',
  cacheWrite1h: 'CacheWrite1hInputTokenCount',
}
const NEW_DIMENSIONS: Readonly<Record<keyof TokenPrices, string>> = {
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_tokens',
  cacheWrite5m: 'cache_write_tokens',
  cacheWrite1h: 'cache_write_tokens_1h',
}
const OLD_GENERATION = /4-20250514|4-1-|4-5-|4-6/

type Row = { readonly serviceName: string; readonly dimension: string; readonly unit: string; readonly usd: number }

export function isPriceListPath(rawPath: string): boolean {
  return PATH.test(rawPath)
}

export function priceListRegion(rawPath: string): string {
  return PATH.exec(rawPath)?.[1] ?? ''
}

export function sendPriceList(call: Call): void {
  const { region } = call.caller
  const code = BILLING_CODES[region]
  if (code === undefined) throw new AwsError({ status: 404, type: 'NoSuchKey', message: `No price file for ${region}` })
  call.entry.status = 200
  call.entry.completed = true
  call.entry.region = region
  sendJson(call.exchange.response, 200, toPriceFile(call, region, code))
}

function toPriceFile(call: Call, region: string, code: string): Record<string, unknown> {
  const models = call.state.profiles
    .models()
    .filter((model) => model.prefixes.some((p) => prefixesOfRegion(region).includes(p)))
  const products: Record<string, unknown> = {}
  const onDemand: Record<string, unknown> = {}
  for (const row of models.flatMap((model) =>
    listRows(model, call.state.settings.prices[model.foundationModelId] ?? {}, region),
  )) {
    const usagetype = `${code}-MP:${code}_${row.dimension}-Units`
    const sku = createHash('sha256').update(`${row.serviceName} ${usagetype}`).digest('hex').slice(0, 16).toUpperCase()
    products[sku] = {
      sku,
      productFamily: 'Amazon Bedrock',
      attributes: {
        servicecode: 'AmazonBedrockFoundationModels',
        servicename: row.serviceName,
        regionCode: region,
        usagetype,
      },
    }
    const term = `${sku}.JRTCKXETXF`
    const rate = `${term}.6YS6EN2CT7`
    const dimension = {
      rateCode: rate,
      unit: row.unit,
      beginRange: '0',
      endRange: 'Inf',
      description: usagetype,
      pricePerUnit: { USD: row.usd.toFixed(10) },
    }
    onDemand[sku] = { [term]: { offerTermCode: 'JRTCKXETXF', sku, priceDimensions: { [rate]: dimension } } }
  }
  return {
    formatVersion: 'v1.0',
    offerCode: 'AmazonBedrockFoundationModels',
    version: '20261115000000',
    publicationDate: '2026-11-15T00:00:00Z',
    products,
    terms: { OnDemand: onDemand },
  }
}

/** GovCloud has prices of its own, and no profile that leads out of it. */
const US_GOV_PRICE_FACTOR = 1.2

function listRows(model: CatalogModel, replaced: Partial<TokenPrices>, region: string): readonly Row[] {
  const isGovCloud = region.startsWith('us-gov-')
  const factor = isGovCloud ? US_GOV_PRICE_FACTOR : model.geoPriceFactor
  const hasGlobal = !isGovCloud && model.prefixes.includes('global')
  const serviceName = `${model.displayName} (Amazon Bedrock Edition)`
  const prices: Partial<TokenPrices> = { ...model.usdPerMtok, ...replaced }
  const isOld = OLD_GENERATION.test(model.foundationModelId)
  const names = isOld ? OLD_DIMENSIONS : NEW_DIMENSIONS
  const rows: Row[] = []
  for (const kind of Object.keys(names) as (keyof TokenPrices)[]) {
    const price = prices[kind]
    if (typeof price !== 'number') continue
    const geoUsd = price * factor
    const local = isOld ? names[kind] : `${names[kind]}_standard`
    const global = isOld ? `${names[kind]}_Global` : `${names[kind]}_global_standard`
    rows.push({ serviceName, dimension: local, unit: '1M tokens', usd: geoUsd })
    if (hasGlobal) rows.push({ serviceName, dimension: global, unit: '1M tokens', usd: price })
    const long = model.longContextUsdPerMtok?.[kind]
    if (typeof long === 'number') {
      rows.push({
        serviceName,
        dimension: `${names[kind]}_long_ctx_standard`,
        unit: '1M tokens',
        usd: long * factor,
      })
      const longGlobal = `${names[kind]}_long_ctx_global_standard`
      if (hasGlobal) rows.push({ serviceName, dimension: longGlobal, unit: '1M tokens', usd: long })
    }
  }
  if (prices.input === undefined) return rows
  return [...rows.map((row) => convertUnit(model, row)), ...distractors(serviceName, isOld, prices.input)]
}

/** One model is quoted per thousand tokens, so that a reader has to look at the unit. */
function convertUnit(model: CatalogModel, row: Row): Row {
  return model.foundationModelId.includes('opus-4-1-') ? { ...row, unit: '1K tokens', usd: row.usd / 1000 } : row
}

/** Other ways to buy the same tokens, at prices that would be wrong: a reader must skip these rows. */
function distractors(serviceName: string, isOld: boolean, input: number): readonly Row[] {
  const dimensions = isOld
    ? ['InputTokenCount_Batch', 'InputTokenCount_LatencyOptimized', 'ProvisionedThroughput_ModelUnits']
    : ['input_tokens_batch', 'input_tokens_flex', 'input_tokens_priority', 'Reserved_1Month_input_tokens']
  return dimensions.map((dimension) => ({
    serviceName,
    dimension,
    unit: dimension.includes('Provisioned') ? 'hour' : '1M tokens',
    usd: input * 0.5,
  }))
}
