/**
 * The cloud bill of the invented company: what its calls cost, and what a real bill has beside them. For Analytics →
 * Reconcile.
 * Writing its CSV takes a few lines; a dependency would be larger.
 */
import { findPriceScope } from '../../../src/foundation/domain/model-id.ts'
import type { ModelSeed } from '../../../src/foundation/domain/model-seed.ts'
import type { Rates } from '../../../src/foundation/domain/price.ts'
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { DAY_MS } from './rhythm.ts'

export interface SampleBill {
  readonly add: (record: SpendRecord) => void
  /** A Cost and Usage Report of the new form. */
  readonly csv: () => string
}

const BILLED_DAYS = 30
/** The account that the gateway itself is in, and one that somebody uses without it. */
const OWN_ACCOUNT = '111111111111'
const FOREIGN_ACCOUNT = '444444444444'
/** What the model without a price costs in truth. */
const previewRates: Rates = { input: 2.2, output: 11, cacheRead: 0.22, cacheWrite5m: 2.75, cacheWrite1h: 4.4 }
/** A price that was lowered a week ago, which nobody has told the gateway. */
const CHEAPER = { model: 'Claude Sonnet 5.5', days: 7, factor: 0.9 }

const accounts: Readonly<Record<string, string>> = { 'eu-central-1': '222222222222', 'ap-northeast-1': '333333333333' }
const codes: Readonly<Record<string, string>> = {
  'us-east-1': 'USE1',
  'eu-central-1': 'EUC1',
  'ap-northeast-1': 'APN1',
}
const kinds = [
  ['inputTokens', 'input', 'input_tokens'],
  ['outputTokens', 'output', 'output_tokens'],
  ['cacheReadTokens', 'cacheRead', 'cache_read_tokens'],
  ['cacheWrite5mTokens', 'cacheWrite5m', 'cache_write_tokens'],
  ['cacheWrite1hTokens', 'cacheWrite1h', 'cache_write_tokens_1h'],
] as const

interface Line {
  readonly day: string
  readonly product: string
  readonly usageType: string
  readonly account: string
  readonly region: string
  tokens: number
  usd: number
}

/** Of the thirty days before `nowMs`, whole ones. */
export function createSampleBill(seed: ModelSeed, endpoints: ReadonlyMap<string, string>, nowMs: number): SampleBill {
  const today = formatDay(nowMs)
  const first = formatDay(nowMs - BILLED_DAYS * DAY_MS)
  const regions = new Map([...endpoints].map(([name, id]) => [id, name]))
  const names = new Map(seed.models.map((model) => [model.hosted_model_id, model]))
  const lines = new Map<string, Line>()
  const addLine = (line: Line): void => {
    const key = `${line.day}|${line.product}|${line.usageType}|${line.account}`
    const known = lines.get(key)
    if (known === undefined) lines.set(key, line)
    else {
      known.tokens += line.tokens
      known.usd += line.usd
    }
  }
  return {
    add: ({ atMs, hostedModel, endpointId, usage, rates, flags }) => {
      const day = formatDay(atMs)
      if (rates === null || hostedModel === null || day < first || day >= today) return
      const region = regions.get(endpointId ?? '') ?? 'us-east-1'
      const code = codes[region] ?? 'USE1'
      const model = names.get(hostedModel.replace(/^[a-z-]+\./, ''))
      const product = model?.display_name ?? 'Claude Lab Preview'
      const long = model?.long_context?.above_prompt_tokens ?? Number.POSITIVE_INFINITY
      const { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = usage
      const isLong = inputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens > long
      const reach = findPriceScope(hostedModel, region) === 'global' ? '_global' : ''
      const billed = flags.includes('price_estimated') ? previewRates : rates
      const factor = product === CHEAPER.model && day >= formatDay(nowMs - CHEAPER.days * DAY_MS) ? CHEAPER.factor : 1
      for (const [field, rate, name] of kinds) {
        const tokens = usage[field]
        const usageType = `${code}-MP:${code}_${name}${isLong ? '_long_ctx' : ''}${reach}_standard-Units`
        const usd = ((tokens * (billed[rate] ?? 0)) / 1_000_000) * factor
        const place = { account: accounts[region] ?? OWN_ACCOUNT, region }
        if (tokens > 0)
          addLine({ day, product: `${product} (Amazon Bedrock Edition)`, usageType, ...place, tokens, usd })
      }
    },
    csv: () => {
      for (let dayMs = Date.parse(first); dayMs < Date.parse(today); dayMs += DAY_MS)
        addLine(foreignLine(formatDay(dayMs)))
      return [header, ...[...lines.values()].map(lineText), ...otherLines(first)].join('\n')
    },
  }
}

/** Somebody who has an account of their own. */
function foreignLine(day: string): Line {
  return {
    day,
    product: 'Claude Sonnet 5 (Amazon Bedrock Edition)',
    usageType: 'USW2-MP:USW2_input_tokens_standard-Units',
    account: FOREIGN_ACCOUNT,
    region: 'us-west-2',
    tokens: 900_000,
    usd: 1.98,
  }
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const header = [
  'line_item_line_item_type',
  'line_item_usage_account_id',
  'line_item_usage_start_date',
  'line_item_usage_end_date',
  'line_item_product_code',
  'line_item_usage_type',
  'line_item_resource_id',
  'line_item_usage_amount',
  'pricing_unit',
  'line_item_currency_code',
  'line_item_unblended_cost',
  'product_region_code',
  'product',
].join(',')

function lineText({ day, product, usageType, account, region, tokens, usd }: Line): string {
  const end = formatDay(Date.parse(day) + DAY_MS)
  const span = `${day}T00:00:00Z,${end}T00:00:00Z`
  const amount = (tokens / 1_000_000).toFixed(6)
  return `Usage,${account},${span},prod-demo,${usageType},,${amount},1M tokens,USD,${usd.toFixed(10)},${region},"{""product_name"":""${product}""}"`
}

/** Most of a bill is about something else. */
function otherLines(day: string): readonly string[] {
  const span = `${day}T00:00:00Z,${formatDay(Date.parse(day) + DAY_MS)}T00:00:00Z`
  return [
    `Usage,${OWN_ACCOUNT},${span},AmazonEC2,BoxUsage:m7g.large,i-0a1b2c3d4e5f60718,24,Hrs,USD,1.9584,us-east-1,{}`,
    `Usage,${OWN_ACCOUNT},${span},AmazonRDS,InstanceUsage:db.t4g.medium,arn:aws:rds:us-east-1:${OWN_ACCOUNT}:db:causeway,24,Hrs,USD,1.56,us-east-1,{}`,
    `Tax,${OWN_ACCOUNT},${span},prod-demo,USE1-MP:USE1_input_tokens_standard-Units,,1,,USD,41.27,,"{""product_name"":""Claude Opus 5.5 (Amazon Bedrock Edition)""}"`,
    '',
  ]
}
