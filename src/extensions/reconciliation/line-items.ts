/** The Cost and Usage Report, of the old form and of the new: one line for each charge. Their columns have the same names but for the spelling. */
import {
  findMarketplaceUsage,
  findNamedUsage,
  findRegionOfCode,
  isOtherTier,
  toModelKey,
} from '../../foundation/domain/usage-type.ts'
import {
  type BilledKey,
  type BilledSums,
  type LeftOutReason,
  numberIn,
  type ReportForm,
  unreadable,
} from './billed-usage.ts'

/** In the spelling of the new form. */
export const neededColumns = [
  'line_item_usage_start_date',
  'line_item_line_item_type',
  'line_item_usage_type',
  'line_item_unblended_cost',
] as const

const otherColumns = [
  'line_item_usage_end_date',
  'line_item_usage_amount',
  'line_item_usage_account_id',
  'line_item_resource_id',
  'line_item_product_code',
  'line_item_currency_code',
  'line_item_line_item_description',
  'pricing_unit',
  'product',
  'product_product_name',
  'product_servicename',
  'product_region',
  'product_region_code',
] as const

type ColumnName = (typeof neededColumns)[number] | (typeof otherColumns)[number]

/** `lineItem/UsageStartDate` and `line_item_usage_start_date` are one column. */
export function toColumnName(header: string): string {
  return header
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[/: ]/g, '_')
    .toLowerCase()
}

/** Undefined when the needed columns are not there. Of two columns with one name the first counts. */
export function findLineItemForm(headers: readonly string[]): ReportForm | undefined {
  const names = headers.map(toColumnName)
  const places = [...neededColumns, ...otherColumns]
    .map((name) => ({ name, place: names.indexOf(name) }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => a.place - b.place)
  const order = new Map<ColumnName, number>(places.map(({ name }, index) => [name, index]))
  if (!neededColumns.every((name) => order.has(name))) return undefined
  const wanted = places.map(({ place }) => place)
  const form = headers[names.indexOf('line_item_usage_type')]?.includes('/') === true ? 'cur' : 'cur2'
  return { form, wanted, row: (cells, line, sums) => readLine({ cells, order, line }, sums) }
}

interface Line {
  readonly cells: readonly string[]
  readonly order: ReadonlyMap<ColumnName, number>
  readonly line: number
}

function cell({ cells, order }: Line, name: ColumnName): string {
  const place = order.get(name)
  return place === undefined ? '' : (cells[place] ?? '')
}

const usageTypes: ReadonlySet<string> = new Set(['Usage', 'DiscountedUsage', 'SavingsPlanCoveredUsage'])

function readLine(line: Line, sums: BilledSums): void {
  const type = cell(line, 'line_item_line_item_type')
  const isUsage = usageTypes.has(type)
  const usage = findUsage(line, cell(line, 'line_item_usage_type'))
  const usd = numberIn(cell(line, 'line_item_unblended_cost'), 'the unblended cost', line.line)
  // Taxes and fees stand at the first of a month, whatever days the report has.
  if (isUsage) cover(line, sums)
  if (usage !== undefined) checkCurrency(line)
  if (usage === undefined) sums.leaveOut('other_service', usd)
  else if (!isUsage) sums.leaveOut(findReason(type), usd)
  else if (usage === 'other-model') sums.leaveOut('other_model', usd)
  else sums.use(usage, readAmount(line), usd)
}

function readAmount(line: Line): number {
  if (!line.order.has('line_item_usage_amount')) return Number.NaN
  return numberIn(cell(line, 'line_item_usage_amount'), 'the usage amount', line.line)
}

/** Every other currency would be compared with dollars. */
function checkCurrency(line: Line): void {
  const currency = cell(line, 'line_item_currency_code')
  if (currency !== '' && currency !== 'USD')
    throw unreadable(
      `line ${line.line} is in ${currency.slice(0, 10)}, and the gateway counts US dollars; send a report in USD`,
    )
}

const timePattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}))?/
const DAY_MS = 86_400_000

function cover(line: Line, sums: BilledSums): void {
  const start = parseHour(cell(line, 'line_item_usage_start_date'), line.line)
  const endText = cell(line, 'line_item_usage_end_date')
  sums.cover(start, endText === '' ? undefined : parseHour(endText, line.line))
}

function parseHour(text: string, line: number): string {
  const match = timePattern.exec(text)
  if (match === null) throw unreadable(`line ${line}: the time of usage is not a date such as 2026-10-31T00:00:00Z`)
  return `${match[1]}T${match[2] ?? '00'}`
}

/** Of a line that is about Bedrock: its model, or that it is about something else there. */
function findUsage(line: Line, usageType: string): BilledKey | 'other-model' | undefined {
  const marketplace = findMarketplaceUsage(usageType)
  const product = findProduct(line)
  if (marketplace !== undefined && product !== undefined)
    return toKey(line, {
      modelName: product,
      dimension: marketplace.dimension,
      tier: marketplace.name,
      regionCode: marketplace.regionCode,
    })
  const isBedrock = product !== undefined || /^AmazonBedrock/.test(cell(line, 'line_item_product_code'))
  const named = findNamedUsage(usageType)
  if (named !== undefined && /claude/i.test(named.model))
    return toKey(line, {
      modelName: named.model,
      dimension: named.dimension,
      tier: named.rest,
      regionCode: named.regionCode,
    })
  if (!isBedrock) return undefined
  // A charge for a model of ours in a form that is not known yet is told as one, and not hidden among others.
  if (product !== undefined)
    return toKey(line, { modelName: product, dimension: undefined, tier: usageType, regionCode: '' })
  if (marketplace !== undefined)
    return toKey(line, {
      modelName: '',
      dimension: marketplace.dimension,
      tier: marketplace.name,
      regionCode: marketplace.regionCode,
    })
  return 'other-model'
}

const productPattern = /Claude[^"|(]{0,60}\(Amazon Bedrock Edition\)/

/** The old form has a column for it, the new one a map; the description has it where both are left out. */
function findProduct(line: Line): string | undefined {
  for (const name of [
    'product_product_name',
    'product',
    'product_servicename',
    'line_item_line_item_description',
  ] as const) {
    const text = cell(line, name)
    const found = text.includes('Bedrock Edition') ? productPattern.exec(text)?.[0] : undefined
    if (found !== undefined) return found
  }
  return undefined
}

interface Found {
  readonly modelName: string
  readonly dimension: BilledKey['dimension']
  readonly tier: string
  readonly regionCode: string
}

function toKey(line: Line, { modelName, dimension, tier, regionCode }: Found): BilledKey {
  const startText = cell(line, 'line_item_usage_start_date')
  const day = parseHour(startText, line.line).slice(0, 10)
  const endText = cell(line, 'line_item_usage_end_date')
  if (
    Date.parse(endText.slice(0, 10)) - Date.parse(day) > DAY_MS &&
    usageTypes.has(cell(line, 'line_item_line_item_type'))
  )
    throw unreadable(`line ${line.line} covers more than a day; have the report made by the hour or by the day`)
  const resource = cell(line, 'line_item_resource_id')
  return {
    day,
    model: modelName === '' ? '' : toModelKey(modelName),
    modelName: modelName.replace(' (Amazon Bedrock Edition)', ''),
    dimension,
    isOtherTier: dimension === undefined && isOtherTier(tier),
    account: cell(line, 'line_item_usage_account_id') || null,
    region: cell(line, 'product_region_code') || cell(line, 'product_region') || (findRegionOfCode(regionCode) ?? null),
    profile: resource.includes(':application-inference-profile/') ? resource.slice(0, 512) : null,
    unit: cell(line, 'pricing_unit'),
  }
}

function findReason(type: string): LeftOutReason {
  if (type === 'Tax') return 'tax'
  if (type === 'Credit') return 'credit'
  if (type === 'Refund') return 'refund'
  if (type.endsWith('Discount')) return 'discount'
  return type.endsWith('Fee') ? 'fee' : 'other_type'
}
