import rows from './model-catalog.json' with { type: 'json' }

export type TokenPrices = {
  readonly input: number
  readonly output: number
  readonly cacheWrite5m: number
  readonly cacheWrite1h: number | null
  readonly cacheRead: number
}

export type CatalogModel = {
  readonly foundationModelId: string
  /** The name the model gives itself in answers. */
  readonly apiModelId: string
  readonly displayName: string
  readonly contextWindow: number
  readonly maxOutput: number
  readonly prefixes: readonly string[]
  /** Null for a model that the price list does not name. */
  readonly usdPerMtok: TokenPrices | null
  readonly longContextUsdPerMtok: TokenPrices | null
  readonly geoPriceFactor: number
}

export const catalogModels: readonly CatalogModel[] = rows

/** Other vendors' models are listed beside Claude's, as in a real account, so that discovery has something to skip. */
export const foreignModels: readonly { readonly id: string; readonly name: string; readonly provider: string }[] = [
  { id: 'amazon.nova-lite-v1:0', name: 'Nova Lite', provider: 'Amazon' },
  { id: 'amazon.nova-pro-v1:0', name: 'Nova Pro', provider: 'Amazon' },
  { id: 'meta.llama3-3-70b-instruct-v1:0', name: 'Llama 3.3 70B Instruct', provider: 'Meta' },
]

const AUSTRALIA = ['ap-southeast-2', 'ap-southeast-4']
const JAPAN = ['ap-northeast-1', 'ap-northeast-3']
const INDIA = ['ap-south-1', 'ap-south-2']

/** The profile prefixes that can be called from a region. */
export function prefixesOfRegion(region: string): readonly string[] {
  if (region.startsWith('us-gov-')) return ['us-gov']
  if (region.startsWith('us-')) return ['us', 'global']
  if (region.startsWith('eu-')) return ['eu', 'global']
  if (AUSTRALIA.includes(region)) return ['au', 'apac', 'global']
  if (JAPAN.includes(region)) return ['jp', 'apac', 'global']
  if (INDIA.includes(region)) return ['in', 'apac', 'global']
  if (region.startsWith('ap-')) return ['apac', 'global']
  return ['global']
}

/** Where a profile may send a request; only the shape matters to a caller, so a few regions each are enough. */
export const destinationRegions: Readonly<Record<string, readonly string[]>> = {
  us: ['us-east-1', 'us-east-2', 'us-west-2'],
  'us-gov': ['us-gov-east-1', 'us-gov-west-1'],
  eu: ['eu-central-1', 'eu-north-1', 'eu-west-1', 'eu-west-3'],
  au: ['ap-southeast-2', 'ap-southeast-4'],
  jp: ['ap-northeast-1', 'ap-northeast-3'],
  in: ['ap-south-1', 'ap-south-2'],
  apac: ['ap-northeast-1', 'ap-south-1', 'ap-southeast-1', 'ap-southeast-2'],
}
