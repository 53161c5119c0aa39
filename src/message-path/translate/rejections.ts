/**
 * Reads from a validation error of the hosted service which feature it refuses, and decides the smallest change for
 * one more try. Only sentences that begin as the hosted service begins them are read: errors echo parts of prompts,
 * and a prompt must not be able to talk a feature out of anybody's requests.
 */
import { findMember } from '../../foundation/platform/json-spans.ts'
import { elementsAt, someKey, stringMemberAt } from '../../foundation/platform/json-spans-read.ts'
import {
  AUTO_MODE_BETA,
  dependedOnBetas,
  type Feature,
  features,
  findFeature,
  findToolFeature,
} from './feature-table.ts'
import { withoutVariants } from './field-paths.ts'
import { isOnlySaidBy } from './message-blocks.ts'
import { refusedOutput } from './output-limit.ts'
import { BLOCK_TYPE_KEY, decidePlan, essentialFields, type RequestPlan, TOOL_TYPE_KEY } from './plan-request.ts'
import type { MessagesRequest } from './read-request.ts'
import { mayContain } from './request-watch.ts'
import { isServerToolBlock } from './server-tool-blocks.ts'
import { toHostedRequest } from './to-hosted-request.ts'
import { isToolChange } from './tool-changes.ts'

export type Rejection =
  | { readonly kind: 'features'; readonly features: readonly string[] }
  | { readonly kind: 'unnamed-beta' }

export interface Repair {
  readonly plan: RequestPlan
  /** What was refused: equal for refusals of the same. */
  readonly about: string
  /** To be remembered for this profile. */
  readonly unsupported: readonly string[]
  /** May be to blame: a probe must settle it. */
  readonly suspected: readonly string[]
}

const PREFIX = /^(?:(?:the model returned the following errors:|validation ?exception:|malformed input request:)\s*)+/i
const MAX_READ_CHARACTERS = 2000

/** The beginning of the hosted service's own words, however they were passed on. */
export function withoutPrefix(message: string): string {
  return message.slice(0, MAX_READ_CHARACTERS).trim().replace(PREFIX, '')
}

export function readRejection(message: string): Rejection | undefined {
  const text = withoutPrefix(message)
  const isWhole = message.length <= MAX_READ_CHARACTERS
  const quoted = isWhole ? (extraneousKeys(text) ?? refusedType(text) ?? refusedOutput(text)) : undefined
  const named = extraInputs(text) ?? quoted ?? wordedRefusal(text)
  if (named !== undefined) return { kind: 'features', features: named }
  return readBetaRefusal(text)
}

const EXTRA_INPUT = /^#?\/?([a-z_][\w.-]*): extra inputs are not permitted\.?$/i

/** One or several `path: Extra inputs are not permitted`; each part must be just that. */
function extraInputs(text: string): string[] | undefined {
  const found: string[] = []
  for (const part of text.split(/\s*(?:[\n;]|,\s+(?=[\w.-]+: extra inputs))\s*/i)) {
    const path = EXTRA_INPUT.exec(part)?.[1]
    if (path !== undefined) found.push(featureOfPath(path))
    else if (found.length === 0) return undefined
  }
  return [...new Set(found)]
}

const EXTRANEOUS_KEYS =
  /^(?:#[\w/-]*: extraneous key \[[\w-]+\] is not permitted(?:[,;\s]+|$))+(?:please reformat [\w ]+\.?)?$/i
const EXTRANEOUS_KEY = /#([\w/-]*): extraneous key \[([\w-]+)\]/gi

/**
 * The wording of the check against a schema that stands before some models: `#/thinking: extraneous key [display] is not
 * permitted`. Believed only when the whole text is nothing else: other lines of that check quote values of the request.
 */
function extraneousKeys(text: string): string[] | undefined {
  if (!EXTRANEOUS_KEYS.test(text)) return undefined
  const paths = [...text.matchAll(EXTRANEOUS_KEY)].map(([, where = '', key = '']) => [...where.split('/'), key])
  return [...new Set(paths.map((path) => featureOfPath(path.filter((segment) => segment !== '').join('.'))))]
}

const TOOL_REFUSED = /^(?:[\w.]+: )?tool type ['"`]([\w.-]+)['"`] is not supported[^'"`]*$/i
const UNKNOWN_TYPE =
  /^([\w.]+): input tag '([\w.-]+)' found using 'type' does not match any of the expected tags: '[\w.-]+'(?:, '[\w.-]+')*\.?$/i

/**
 * A type that the model does not know. The words quote what the request says: believed only to their very end, or the
 * type of one tool could be written so that the refusal seems to be about another one.
 */
function refusedType(text: string): string[] | undefined {
  const tool = TOOL_REFUSED.exec(text)?.[1]
  if (tool !== undefined) return [featureOfTool(tool)]
  const [, path = '', type = ''] = UNKNOWN_TYPE.exec(text) ?? []
  const place = path.replace(/\.\d+$/, '')
  if (place === 'tools') return [featureOfTool(type)]
  if (place === 'context_management.edits') return [`${place}.${type}.type`]
  const isTold = isServerToolBlock(type) || isToolChange(type)
  if (/^messages\.\d+\.content$/.test(place) && isTold) return [`${BLOCK_TYPE_KEY}${type}`]
  const isKnownThinking = /^thinking(?:\.type)?$/.test(place) && findFeature(`thinking.type.${type}`) !== undefined
  return isKnownThinking ? [`thinking.type.${type}`] : undefined
}

function featureOfTool(type: string): string {
  return findToolFeature(type)?.name ?? `${TOOL_TYPE_KEY}${type}`
}

const REFUSED_INPUT = ': extra inputs are not permitted'
const REFUSED_KEY = ': extraneous key ['
const PLAIN_KEY = /^[\w-]*$/

/**
 * Whether an error names a key of the request that reads like a path, such as `{"messages.0.content": 1}`, or that holds
 * such an error itself. Believed, it would take the field of that path from everybody's requests.
 */
export function namesForgedPath(message: string, { bytes }: Pick<MessagesRequest, 'bytes'>): boolean {
  const text = message.slice(0, MAX_READ_CHARACTERS).toLowerCase()
  const before = text.split(REFUSED_INPUT).slice(0, -1)
  const namesKeys = text.includes(REFUSED_KEY)
  if (before.length === 0 && !namesKeys) return false
  return someKey(bytes, (key) => {
    if (PLAIN_KEY.test(key)) return false
    const lower = key.toLowerCase()
    if (namesKeys && text.includes(lower)) return true
    return lower.includes(REFUSED_INPUT) || before.some((words) => words.endsWith(lower))
  })
}

/**
 * The row of the table that knows the field, whatever its variant. A field that no row knows keeps its variant: what is
 * refused in one kind of block may be needed in another, and would be taken from everybody's requests. So does one
 * inside the field of a row: others use the row without it.
 */
function featureOfPath(path: string): string {
  const segments = path.split('.').filter((segment) => !/^\d+$/.test(segment))
  const plain = withoutVariants(segments)
  const feature = findFeature(plain)
  if (feature !== undefined && (plain.includes('.') || feature.name === plain)) return feature.name
  const cacheField = /(?:^|\.)cache_control\.(\w+)$/.exec(plain)
  return (cacheField && findFeature(`cache_control.${cacheField[1]}`)?.name) || segments.join('.')
}

const SYSTEM_ROLE = 'messages.role.system'

const wordings: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /^(?:messages(?:\.\d+)?(?:\.role)?: )?(?:unexpected role ['"`]system['"`]|role ['"`]system['"`] (?:is|are) not supported)/i,
    () => SYSTEM_ROLE,
  ],
  [/^messages(?:\.\d+\.role)?: [^\n]{0,200}mid-conversation-system-2026-04-07/i, () => SYSTEM_ROLE],
  [/^messages\.\d+\.role: input should be ['"`]user['"`] or ['"`]assistant['"`]/i, () => SYSTEM_ROLE],
  [/^(?:thinking[\w.]*: )?adaptive thinking is not supported/i, () => 'thinking.type.adaptive'],
  [
    /^#\/thinking\/type: (adaptive|enabled|disabled) is not a valid enum value(?:$|, please reformat)/i,
    ([, type = '']) => `thinking.type.${type.toLowerCase()}`,
  ],
  [
    /^['"`]?thinking\.type(?:\.|: ?)['"`]?(adaptive|enabled|disabled)['"`]? (?:is|are) not supported/i,
    ([, type = '']) => `thinking.type.${type.toLowerCase()}`,
  ],
  [/^tool_choice: ?['"`]?(?:any|tool)['"`]? is not supported/i, () => 'tool_choice.forced'],
  [
    /^['"`]?(temperature|top_p|top_k)['"`]?:? (?:is|are) (?:deprecated|not supported|no longer supported)/i,
    ([, name = '']) => name.toLowerCase(),
  ],
]

function wordedRefusal(text: string): string[] | undefined {
  for (const [wording, featureIn] of wordings) {
    const match = wording.exec(text)
    if (match !== null) return [featureIn(match)]
  }
  return undefined
}

const betaOpenings = [
  /^(?:invalid|unsupported|unknown|unrecognized|unexpected|disallowed)(?: [\w-]+){0,2} betas?\b/i,
  /^unexpected value\(s\) .{0,1000} for the ['"`]?anthropic[-_]beta['"`]? header/is,
  /^['"`]?anthropic[-_]beta['"`]?(?:\.\d+)?:/i,
  /^(?:the )?(?:anthropic[- _])?beta (?:flags?|features?|headers?|names?|values?)\b/i,
  /^(?:the )?beta ['"`]?[\w-]+['"`]? is not/i,
  /^['"`]?[a-z][\w-]*-\d{4}-?\d{2}-?\d{2}['"`]? is not (?:a |an )?(?:\w+ )?(?:beta|supported)/i,
]
const BETA_NAME = /\b[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{4}-?\d{2}-?\d{2}\b/gi

function readBetaRefusal(text: string): Rejection | undefined {
  if (!betaOpenings.some((opening) => opening.test(text))) return undefined
  const names = text.match(BETA_NAME) ?? []
  const index = /^anthropic_beta\.(\d+):/.exec(text)?.[1]
  const blamed = [...new Set([...names, ...(index === undefined ? [] : [`${BETA_INDEX}${index}`])])]
  return blamed.length > 0 ? { kind: 'features', features: blamed } : { kind: 'unnamed-beta' }
}

const BETA_INDEX = 'anthropic_beta.'

/** The plan for the one more try; undefined when it would send the same again. */
export function decideRepair(
  plan: RequestPlan,
  rejection: Rejection,
  knownGoodBetas: Iterable<string>,
): Repair | undefined {
  const blamed = rejection.kind === 'features' ? blamedFeatures(plan, rejection.features) : []
  const isAboutBetas = rejection.kind === 'unnamed-beta' || rejection.features.every(isBetaName)
  const suspected = blamed.length === 0 && isAboutBetas ? findSuspects(plan.betas, new Set(knownGoodBetas)) : []
  const refused = new Set([...blamed, ...suspected])
  if (refused.size === 0) return undefined
  const repaired = decidePlan({
    ...plan.input,
    verdict: (feature) => (refused.has(feature) ? 'unsupported' : plan.input.verdict(feature)),
    refusedFields: [...(plan.input.refusedFields ?? []), ...blamed],
  })
  if (sendsTheSame(plan, repaired)) return undefined
  // The hosted service names what it refuses one by one: a new client may bring several, and each is worth a try.
  const about = blamed.join() || (suspected.some((beta) => dependedOnBetas.has(beta)) ? suspected.join() : 'betas')
  return { plan: repaired, about, unsupported: blamed, suspected }
}

/** What the client depends on comes last, and what its safeguards need comes last of all. */
function findSuspects(betas: readonly string[], good: ReadonlySet<string>): readonly string[] {
  const unproven = betas.filter((beta) => !good.has(beta))
  const others = unproven.filter((beta) => !dependedOnBetas.has(beta))
  if (others.length > 0) return others
  return unproven.includes(AUTO_MODE_BETA) ? [AUTO_MODE_BETA] : unproven
}

function blamedFeatures(plan: RequestPlan, features: readonly string[]): string[] {
  return features.flatMap((feature) => {
    if (feature.startsWith(BETA_INDEX)) return plan.betas[Number(feature.slice(BETA_INDEX.length))] ?? []
    const longer = isBetaName(feature) ? plan.betas.filter((beta) => beta !== feature && beta.includes(feature)) : []
    // A name that only looks like a known one with something around it must not take that one from everybody.
    if (longer.length > 0) return longer
    if (plan.betas.includes(feature)) return feature
    const { request } = plan.input
    if (feature === SYSTEM_ROLE && hasUnknownRole(request)) return []
    if (feature.startsWith(BLOCK_TYPE_KEY) && !isInPlace(feature.slice(BLOCK_TYPE_KEY.length), request)) return []
    // A beta that was not sent cannot be to blame: then the text names something else.
    if (isBetaName(feature) || essentialFields.has(feature)) return []
    const isNestedName = !feature.includes('.') && !mayContain(request, feature)
    return (isNestedName && findFeatureOfNestedField(feature)?.name) || feature
  })
}

function isInPlace(type: string, request: MessagesRequest): boolean {
  return isOnlySaidBy(isToolChange(type) ? 'system' : 'assistant', type, request)
}

const knownRoles: ReadonlySet<string | undefined> = new Set(['user', 'assistant', 'system'])

/** Then the refusal may be about that one, and quote it: a role can be written so that it reads like `system`. */
function hasUnknownRole({ bytes, document }: MessagesRequest): boolean {
  const messages = findMember(document, 'messages')
  if (messages === undefined) return true
  return elementsAt(bytes, messages.valueStart).some(
    ({ start }) => !knownRoles.has(stringMemberAt(bytes, start, 'role')),
  )
}

/** Some errors give only the last segment of a path. */
function findFeatureOfNestedField(name: string): Feature | undefined {
  return features.find((feature) => feature.fields.some((path) => path.endsWith(`.${name}`)))
}

function isBetaName(feature: string): boolean {
  return feature.startsWith(BETA_INDEX) || /^[a-z][\w-]*-\d{4}-?\d{2}-?\d{2}$/i.test(feature)
}

function sendsTheSame(before: RequestPlan, after: RequestPlan): boolean {
  const [first, second] = [before, after].map((plan) => Buffer.concat(toHostedRequest(plan.input.request, plan).body))
  return first !== undefined && second !== undefined && first.equals(second)
}
