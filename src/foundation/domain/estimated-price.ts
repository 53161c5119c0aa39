/** The price of a model that has none: the highest known rates. Its requests are then never free and never too cheap. */
import { timesDecimal } from './model-seed.ts'
import type { Price, PriceScope, Rates } from './price.ts'

/** What a request is charged at. */
export interface ChargedPrice extends Pick<Price, 'rates' | 'longContext'> {
  readonly source: Price['source'] | 'estimate'
}

type Prices = ReadonlyMap<string, Price>
type Table = Pick<Price, 'rates' | 'longContext'>

const families = ['opus', 'sonnet', 'haiku', 'fable', 'mythos']

/** What a model costs in a scope for which only its global price is known. Every published premium is at most this. */
const timesGlobal: Readonly<Record<PriceScope, number>> = { global: 1, geo: 1.1, 'us-gov': 1.2 }

/** From the other scopes of the model, else from its family, else from every model. Undefined when no price is known. */
export function estimatePrice(prices: Prices, scope: PriceScope, modelId: string): ChargedPrice | undefined {
  return findHighest(findComparable([...prices.values()], modelId), scope)
}

function findComparable(known: readonly Price[], modelId: string): readonly Price[] {
  const own = known.filter((price) => price.modelId === modelId)
  if (own.length > 0) return own
  const family = findFamily(modelId)
  const related = family === undefined ? [] : known.filter((price) => findFamily(price.modelId) === family)
  return related.length > 0 ? related : known
}

/** As a whole word of the id: a name that only contains `opus` is another family. */
function findFamily(modelId: string): string | undefined {
  const words = modelId.split(/[^a-z0-9]+/)
  return families.find((family) => words.includes(family))
}

function findHighest(prices: readonly Price[], scope: PriceScope): ChargedPrice | undefined {
  const models = Map.groupBy(prices, ({ modelId }) => modelId)
  const tables = [...models.values()].flatMap((rows) => tablesIn(scope, rows))
  const [first, ...others] = tables.map(({ rates }) => rates)
  if (first === undefined) return undefined
  const rates = others.reduce(higher, first)
  const tiers = tables.flatMap(({ longContext }) => longContext ?? [])
  if (tiers.length === 0) return { rates, longContext: null, source: 'estimate' }
  // The tier that begins first applies, and it never costs less than the rates below it.
  const abovePromptTokens = Math.min(...tiers.map((tier) => tier.abovePromptTokens))
  const longContext = { abovePromptTokens, rates: tiers.map((tier) => tier.rates).reduce(higher, rates) }
  return { rates, longContext, source: 'estimate' }
}

/** What one model costs in a scope: its own row, else what its other rows allow to expect. */
function tablesIn(scope: PriceScope, rows: readonly Price[]): readonly Table[] {
  const own = rows.find((price) => price.scope === scope)
  if (own !== undefined) return [own]
  return rows.map((price) => (price.scope === 'global' ? times(price, timesGlobal[scope]) : price))
}

function times({ rates, longContext }: Table, factor: number): Table {
  return {
    rates: ratesTimes(rates, factor),
    longContext: longContext && { ...longContext, rates: ratesTimes(longContext.rates, factor) },
  }
}

function ratesTimes(rates: Rates, factor: number): Rates {
  return {
    input: timesDecimal(rates.input, factor),
    output: timesDecimal(rates.output, factor),
    cacheRead: timesDecimal(rates.cacheRead, factor),
    cacheWrite5m: timesDecimal(rates.cacheWrite5m, factor),
    cacheWrite1h: rates.cacheWrite1h === null ? null : timesDecimal(rates.cacheWrite1h, factor),
  }
}

/** Each kind of token by itself: the model with the highest input rate need not have the highest cache rate. */
function higher(a: Rates, b: Rates): Rates {
  return {
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    cacheRead: Math.max(a.cacheRead, b.cacheRead),
    cacheWrite5m: Math.max(a.cacheWrite5m, b.cacheWrite5m),
    cacheWrite1h: Math.max(a.cacheWrite1h ?? a.cacheWrite5m, b.cacheWrite1h ?? b.cacheWrite5m),
  }
}
