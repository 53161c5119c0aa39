/** What a hosted model id says about itself: its form, its scope, the foundation model behind it. Equality is all it offers; nothing here compares beginnings of names. */
import type { RoutingPrefix } from './endpoint.ts'
import type { PriceScope } from './price.ts'

export interface ProfileParts {
  readonly prefix: RoutingPrefix
  /** Foundation model id, such as `anthropic.claude-sonnet-5`. */
  readonly hostedModelId: string
}

export type BedrockArnKind = 'inference-profile' | 'application-inference-profile' | 'foundation-model'

export interface BedrockArnParts {
  readonly partition: string
  readonly region: string
  /** Empty in foundation model ARNs. */
  readonly accountId: string
  readonly kind: BedrockArnKind
  /** What stands after the slash: a profile id, a foundation model id, or the opaque id of an application profile. */
  readonly resourceId: string
}

/** ARNs are the longest ids; anything longer is no model id and is not worth a look-up. */
export const MODEL_ID_MAX_LENGTH = 512

const profilePattern = /^(us-gov|global|apac|us|eu|au|jp|in)\.(anthropic\..+)$/
const foundationPattern = /^anthropic\.[a-z0-9]+(?:[-.:][a-z0-9]+)*$/
const arnPattern =
  /^arn:(aws(?:-[a-z]+)*):bedrock:([a-z0-9-]+):(\d{12})?:(inference-profile|application-inference-profile|foundation-model)\/([A-Za-z0-9]+(?:[-.:][A-Za-z0-9]+)*)$/

/** Undefined for ids with a scope that is not known: such a scope may mean anything, so it is never cut off. */
export function findProfileParts(id: string): ProfileParts | undefined {
  const match = profilePattern.exec(id)
  if (match === null) return undefined
  return { prefix: match[1] as RoutingPrefix, hostedModelId: match[2] as string }
}

/** Model ARNs of every partition: `aws`, `aws-us-gov`, `aws-cn` and those to come. */
export function findBedrockArnParts(id: string): BedrockArnParts | undefined {
  const match = arnPattern.exec(id)
  if (match === null) return undefined
  return {
    partition: match[1] as string,
    region: match[2] as string,
    accountId: match[3] ?? '',
    kind: match[4] as BedrockArnKind,
    resourceId: match[5] as string,
  }
}

/** Account numbers are for administrators; to everybody else they say nothing. */
export const HIDDEN_ACCOUNT = '000000000000'

export function withoutAccount(id: string): string {
  const arn = findBedrockArnParts(id)
  if (arn === undefined || arn.accountId === '') return id
  return `arn:${arn.partition}:bedrock:${arn.region}:${HIDDEN_ACCOUNT}:${arn.kind}/${arn.resourceId}`
}

export function isFoundationModelId(id: string): boolean {
  return foundationPattern.test(id)
}

/** The id of the cross-region profile of a foundation model in a scope. */
export function toProfileId(prefix: RoutingPrefix, hostedModelId: string): string {
  return `${prefix}.${hostedModelId}`
}

/** The foundation model that an id names by itself; undefined for application profiles, whose model only the hosted service knows. */
export function findFoundationModelId(id: string): string | undefined {
  if (isFoundationModelId(id)) return id
  const parts = findProfileParts(id)
  if (parts !== undefined) return isFoundationModelId(parts.hostedModelId) ? parts.hostedModelId : undefined
  const arn = findBedrockArnParts(id)
  if (arn === undefined || arn.kind === 'application-inference-profile') return undefined
  return findFoundationModelId(arn.resourceId)
}

/**
 * Which price an invoked id is billed at. An application profile does not tell its scope, so it counts as `geo`, the
 * dearer one: spend is then never shown too low.
 */
export function findPriceScope(invokedId: string, region: string | null = null): PriceScope {
  if (isGovCloud(region)) return 'us-gov'
  const arn = findBedrockArnParts(invokedId)
  const prefix = findProfileParts(arn?.resourceId ?? invokedId)?.prefix
  if (prefix === 'us-gov' || arn?.partition === 'aws-us-gov') return 'us-gov'
  return prefix === 'global' ? 'global' : 'geo'
}

export function isGovCloud(region: string | null): boolean {
  return region?.startsWith('us-gov-') === true
}

/** An id that the hosted service could have given out, as opposed to a client id such as `claude-sonnet-5`. */
export function isHostedForm(id: string): boolean {
  return profilePattern.test(id) || foundationPattern.test(id) || arnPattern.test(id)
}

const SHOWN_LENGTH = 120

/** A requested id as it may stand in an error or a log line: clients send ids of any length and content. */
export function modelIdForText(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  const clean = id.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
  return clean.length > SHOWN_LENGTH ? `${clean.slice(0, SHOWN_LENGTH)}…` : clean
}
