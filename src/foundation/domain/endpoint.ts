/** A model-hosting deployment target: one account, one region, one cross-region scope. */
export const routingPrefixes = ['us', 'eu', 'apac', 'au', 'us-gov', 'global', 'jp', 'in'] as const
export type RoutingPrefix = (typeof routingPrefixes)[number]

export interface AipOverride {
  readonly endpointId: string
  readonly modelId: string
  readonly aipArn: string
  readonly reason: string | null
  readonly setBy: string
}

export interface Endpoint {
  readonly id: string
  readonly name: string
  readonly region: string
  readonly routingPrefix: RoutingPrefix
  /** Lower value means higher priority. */
  readonly priority: number
  readonly enabled: boolean
  readonly isDefault: boolean
  readonly roleArn: string | null
  readonly externalId: string | null
  /** Deprecated: from releases that sent every request through one profile. */
  readonly inferenceProfileArn: string | null
  readonly aipOverrides: readonly AipOverride[]
  readonly createdAt: string
}

/**
 * Where an endpoint's models come from. What was found in one location says nothing about another. None of the parts
 * can have a space.
 */
export function locationKey({ id, region, routingPrefix, roleArn, externalId }: Endpoint): string {
  return [id, region, routingPrefix, roleArn ?? '', externalId ?? ''].join(' ')
}

/** Every partition: `us-east-1`, `us-gov-west-1`, `cn-north-1`, `eusc-de-east-1`. It becomes part of a host name. */
export const regionPattern = /^[a-z]{2,5}(?:-[a-z]{2,12}){1,3}-[1-9]\d?$/

export type HealthStatus = 'healthy' | 'unhealthy' | 'unknown'

/** The scope that profiles of a region usually carry; the first health check says when none exists. */
export function routingPrefixOfRegion(region: string): RoutingPrefix {
  if (region.startsWith('us-gov-')) return 'us-gov'
  if (region.startsWith('us-')) return 'us'
  if (region.startsWith('eu-')) return 'eu'
  return prefixOfSingleRegion[region] ?? 'global'
}

const prefixOfSingleRegion: Readonly<Record<string, RoutingPrefix>> = {
  'ap-southeast-2': 'au',
  'ap-southeast-4': 'au',
  'ap-northeast-1': 'jp',
  'ap-northeast-3': 'jp',
  'ap-south-1': 'in',
  'ap-south-2': 'in',
}

/** The part of the cloud that ARNs of a region name first. */
export function partitionOfRegion(region: string): string {
  return partitionsByBeginning.find(([beginning]) => region.startsWith(beginning))?.[1] ?? 'aws'
}

const partitionsByBeginning: readonly (readonly [beginning: string, partition: string])[] = [
  ['us-gov-', 'aws-us-gov'],
  ['cn-', 'aws-cn'],
  ['eusc-', 'aws-eusc'],
  ['us-iso-', 'aws-iso'],
  ['us-isob-', 'aws-iso-b'],
  ['us-isof-', 'aws-iso-f'],
  ['eu-isoe-', 'aws-iso-e'],
]
