/** A gateway with calls of a few days in October, and bills for them in the three forms that AWS makes. */

import { seedMappings, seedPrices } from '../../src/foundation/domain/model-seed.ts'
import { costAt, type Rates } from '../../src/foundation/domain/price.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import type { Usage } from '../../src/foundation/domain/usage.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createModelMappingStore } from '../../src/modules/models/model-mappings.store.ts'
import { createModelPriceStore } from '../../src/modules/models/model-prices.store.ts'
import seed from '../../src/modules/models/model-seed.json' with { type: 'json' }
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { anEndpoint, aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

export const ACCOUNT = '111122223333'
export const PROFILE = `arn:aws:bedrock:us-east-1:${ACCOUNT}:application-inference-profile/teamplatform`
/** A morning long after the days that are billed. */
export const NOW_MS = Date.UTC(2026, 9, 20, 9)

/** USD per million tokens of the geographic profiles. */
export const opusRates: Rates = { input: 4.4, output: 22, cacheRead: 0.22, cacheWrite5m: 5.5, cacheWrite1h: 8.8 }

export const usage: Usage = {
  inputTokens: 1_000_000,
  outputTokens: 200_000,
  cacheReadTokens: 5_000_000,
  cacheWrite5mTokens: 400_000,
  cacheWrite1hTokens: 0,
}

export interface BillWorld {
  readonly app: ApiApp
  readonly admin: string
  readonly endpointId: string
  /** Replaces every call that the gateway has recorded. */
  readonly record: (...records: readonly Partial<SpendRecord>[]) => Promise<void>
  readonly send: (report: string | Buffer, query?: string, headers?: Record<string, string>) => Promise<Answer>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the harness checks the shape by its schema.
  readonly body: any
}

export async function startBillWorld(): Promise<BillWorld> {
  const app = await startApiApp()
  app.advance(NOW_MS - Date.now())
  const admin = app.sessionOf(app.adminUser)
  const { kysely } = app.database
  const endpoint = await createEndpointStore(kysely).insert(
    anEndpoint({ name: 'primary', roleArn: `arn:aws:iam::${ACCOUNT}:role/gateway`, inferenceProfileArn: PROFILE }),
  )
  await createModelPriceStore(kysely).put(seedPrices(seed, '2026-01-01T00:00:00Z'))
  await createModelMappingStore(kysely).insertUnlessPresent(seedMappings(seed, '2026-01-01T00:00:00Z'))
  await app.database.pool.query(
    `insert into cache_versions (section, version) values ('endpoints', 1), ('prices', 1), ('mappings', 1)
     on conflict (section) do update set version = cache_versions.version + 1`,
  )
  await app.reload()
  return {
    app,
    admin,
    endpointId: endpoint.id,
    record: async (...records) => {
      await app.database.pool.query('truncate spend_log')
      await createSpendLog(kysely).appendBatch(
        records.map((values) => opusCall({ endpointId: endpoint.id, ...values })),
      )
    },
    send: async (report, query = '', headers = {}) => {
      if (typeof report === 'string')
        return app.call('POST', `/admin/analytics/reconciliation${query}`, {
          as: admin,
          text: report,
          headers: { 'content-type': 'text/csv', ...headers },
        })
      const response = await fetch(`${app.url}/admin/analytics/reconciliation${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/gzip', ...headers },
        body: new Uint8Array(report),
      })
      return { status: response.status, body: await response.json() }
    },
  }
}

function opusCall(values: Partial<SpendRecord>): SpendRecord {
  const record = aSpendRecord({
    atMs: Date.UTC(2026, 9, 10, 12),
    model: 'claude-opus-5-5',
    hostedModel: 'us.anthropic.claude-opus-5-5',
    rates: opusRates,
    usage,
    ...values,
  })
  const cost = record.rates === null ? 0 : costAt(record.usage, record.rates)
  return { ...record, costNanoUsd: values.costNanoUsd ?? cost }
}

export interface Charge {
  readonly start?: string
  readonly end?: string
  readonly type?: string
  readonly product?: string
  readonly usageType?: string
  readonly amount?: number | string
  readonly unit?: string
  readonly usd?: number | string
  readonly account?: string
  readonly region?: string
  readonly resource?: string
  readonly currency?: string
  readonly productCode?: string
}

export const OPUS = 'Claude Opus 5.5 (Amazon Bedrock Edition)'

const columns: readonly (readonly [old: string, recent: string, read: (charge: Required<Charge>) => unknown])[] = [
  ['identity/LineItemId', 'identity_line_item_id', () => 'x7c2'],
  ['bill/BillingEntity', 'bill_billing_entity', () => 'AWS Marketplace'],
  ['lineItem/UsageAccountId', 'line_item_usage_account_id', ({ account }) => account],
  ['lineItem/LineItemType', 'line_item_line_item_type', ({ type }) => type],
  ['lineItem/UsageStartDate', 'line_item_usage_start_date', ({ start }) => start],
  ['lineItem/UsageEndDate', 'line_item_usage_end_date', ({ end }) => end],
  ['lineItem/ProductCode', 'line_item_product_code', ({ productCode }) => productCode],
  ['lineItem/UsageType', 'line_item_usage_type', ({ usageType }) => usageType],
  ['lineItem/ResourceId', 'line_item_resource_id', ({ resource }) => resource],
  ['lineItem/UsageAmount', 'line_item_usage_amount', ({ amount }) => amount],
  ['lineItem/CurrencyCode', 'line_item_currency_code', ({ currency }) => currency],
  ['lineItem/UnblendedCost', 'line_item_unblended_cost', ({ usd }) => usd],
  ['pricing/unit', 'pricing_unit', ({ unit }) => unit],
  ['product/region', 'product_region_code', ({ region }) => region],
]

const usual: Required<Charge> = {
  start: '2026-10-10T00:00:00Z',
  end: '2026-10-11T00:00:00Z',
  type: 'Usage',
  product: OPUS,
  usageType: 'USE1-MP:USE1_input_tokens_standard-Units',
  amount: 1,
  unit: '1M tokens',
  usd: 4.4,
  account: ACCOUNT,
  region: 'us-east-1',
  resource: '',
  currency: 'USD',
  productCode: 'prod-4nkqu2otpv7fe',
}

/** The old form, whose columns are called `lineItem/UsageType`; the new one when `isNew`. */
export function lineItems(charges: readonly Charge[], isNew = false): string {
  const cell = (value: unknown): string =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
  const product = (charge: Required<Charge>): string =>
    isNew && charge.product !== ''
      ? JSON.stringify({ product_name: charge.product, operation: 'InvokeModel' })
      : charge.product
  const header = [...columns.map(([old, recent]) => (isNew ? recent : old)), isNew ? 'product' : 'product/ProductName']
  const rows = charges
    .map((charge) => ({ ...usual, ...charge }))
    .map((charge) => [...columns.map(([, , read]) => read(charge)), product(charge)])
  return `${[header, ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`
}

/** What AWS charges for `usage` at these rates. */
export function opusCharges(values: Charge = {}, rates: Rates = opusRates, tokens: Usage = usage): readonly Charge[] {
  const parts: readonly (readonly [string, number, number])[] = [
    ['input_tokens', tokens.inputTokens, rates.input],
    ['output_tokens', tokens.outputTokens, rates.output],
    ['cache_read_tokens', tokens.cacheReadTokens, rates.cacheRead],
    ['cache_write_tokens', tokens.cacheWrite5mTokens, rates.cacheWrite5m],
  ]
  return parts
    .filter(([, count]) => count > 0)
    .map(([name, count, rate]) => ({
      usageType: `USE1-MP:USE1_${name}_standard-Units`,
      amount: count / 1_000_000,
      usd: ((count / 1_000_000) * rate).toFixed(10),
      ...values,
    }))
}
