/** What a usage type of the cloud bill says: the kind of token, how far the call may go, the tier. Names are compared whole. */
import type { Rates } from './price.ts'

export type TokenKind = keyof Rates

/** For calls to anywhere, or for those that stay in the part of the world of their region. */
export type Reach = 'global' | 'local'

export interface Dimension {
  readonly kind: TokenKind
  readonly reach: Reach
  /** Every token of a call with a long prompt is billed apart, where a model has such a price. */
  readonly isLong: boolean
}

/** Models up to 4.6 and Haiku 4.5 are billed under the first spelling, later ones under the second. */
const spellings: readonly (readonly [TokenKind, old: string, recent: string])[] = [
  ['input', 'InputTokenCount', 'input_tokens'],
  ['output', 'OutputTokenCount', 'output_tokens'],
  ['cacheRead', 'CacheReadInputTokenCount', 'cache_read_tokens'],
  ['cacheWrite5m', 'CacheWriteInputTokenCount', 'cache_write_tokens'],
  ['cacheWrite1h', 'CacheWrite1hInputTokenCount', 'cache_write_tokens_1h'],
]

/** Compared whole: batch, flex, priority, reserved and every name still to come are simply not in it. */
const dimensions = new Map<string, Dimension>(
  spellings.flatMap(([kind, old, recent]): [string, Dimension][] => [
    [old, { kind, reach: 'local', isLong: false }],
    [`${old}_Global`, { kind, reach: 'global', isLong: false }],
    [`${recent}_standard`, { kind, reach: 'local', isLong: false }],
    [`${recent}_global_standard`, { kind, reach: 'global', isLong: false }],
    [`${recent}_long_ctx_standard`, { kind, reach: 'local', isLong: true }],
    [`${recent}_long_ctx_global_standard`, { kind, reach: 'global', isLong: true }],
  ]),
)

/** The code of the region stands twice and cannot be derived from its name. */
const marketplacePattern = /^([A-Z0-9]+)-MP:\1_(.+)-Units$/

/** Of a model that is sold through the Marketplace, whose product names it. Undefined for every other usage. */
export function findMarketplaceUsage(
  usageType: string,
): { readonly regionCode: string; readonly name: string; readonly dimension: Dimension | undefined } | undefined {
  const match = marketplacePattern.exec(usageType)
  if (match === null) return undefined
  const [, regionCode = '', name = ''] = match
  return { regionCode, name, dimension: dimensions.get(name) }
}

export interface NamedUsage {
  readonly regionCode: string
  /** As the bill writes it, such as `Claude4.6Sonnet`. */
  readonly model: string
  readonly dimension: Dimension | undefined
  /** What stands after the kind of token, such as `flex`. */
  readonly rest: string
}

const namedKinds: Readonly<Record<string, TokenKind>> = {
  'input-tokens': 'input',
  'output-tokens': 'output',
  'cache-read-input-token-count': 'cacheRead',
  'cache-write-input-token-count': 'cacheWrite5m',
  'cache-write-1h-input-token-count': 'cacheWrite1h',
}
const namedPattern =
  /^([A-Z0-9]+)-(.+?)-(?:mantle-)?(input-tokens|output-tokens|cache-read-input-token-count|cache-write(?:-1h)?-input-token-count)(?:-(.+))?$/
const namedReaches: Readonly<Record<string, Reach>> = {
  '': 'local',
  standard: 'local',
  'cross-region-global': 'global',
  'cross-region-global-standard': 'global',
}

/** The other form, in which the usage type names the model itself. */
export function findNamedUsage(usageType: string): NamedUsage | undefined {
  const match = namedPattern.exec(usageType)
  if (match === null) return undefined
  const [, regionCode = '', model = '', word = '', rest = ''] = match
  const kind = namedKinds[word]
  const reach = namedReaches[rest]
  const dimension = kind === undefined || reach === undefined ? undefined : { kind, reach, isLong: false }
  return { regionCode, model, dimension, rest }
}

const otherTiers = /batch|flex|priority|latency.?optimized|provisioned|reserved|custom.?model/i

/** Ways to call a model that the gateway never takes. */
export function isOtherTier(name: string): boolean {
  return otherTiers.test(name)
}

const regionsByCode: Readonly<Record<string, string>> = {
  USE1: 'us-east-1',
  USE2: 'us-east-2',
  USW1: 'us-west-1',
  USW2: 'us-west-2',
  UGE1: 'us-gov-east-1',
  UGW1: 'us-gov-west-1',
  CAN1: 'ca-central-1',
  CAN2: 'ca-west-1',
  SAE1: 'sa-east-1',
  EU: 'eu-west-1',
  EUW1: 'eu-west-1',
  EUW2: 'eu-west-2',
  EUW3: 'eu-west-3',
  EUC1: 'eu-central-1',
  EUC2: 'eu-central-2',
  EUN1: 'eu-north-1',
  EUS1: 'eu-south-1',
  EUS2: 'eu-south-2',
  APN1: 'ap-northeast-1',
  APN2: 'ap-northeast-2',
  APN3: 'ap-northeast-3',
  APS1: 'ap-southeast-1',
  APS2: 'ap-southeast-2',
  APS3: 'ap-south-1',
  APS4: 'ap-southeast-3',
  APS5: 'ap-south-2',
  APS6: 'ap-southeast-4',
  MES1: 'me-south-1',
  MEC1: 'me-central-1',
  ILC1: 'il-central-1',
  AFS1: 'af-south-1',
}

export function findRegionOfCode(code: string): string | undefined {
  return regionsByCode[code]
}

/**
 * The same for every spelling of a model's whole name: `Claude Opus 5.5 (Amazon Bedrock Edition)`, `Claude5.5Opus` and
 * `anthropic.claude-opus-5-5` are one. Nothing is compared by its beginning: another number is another model.
 */
export function toModelKey(name: string): string {
  const bare = name
    .toLowerCase()
    .replace(/\(amazon bedrock edition\)/, '')
    .replace(/^(?:[a-z-]+\.)?anthropic\./, '')
    .replace(/-v\d+(?::\d+)?$/, '')
    .replace(/-20\d{6}$/, '')
  const words = bare.match(/[a-z]+/g) ?? []
  const numbers = bare.match(/\d+/g) ?? []
  return [...words, ...numbers].join('-')
}
