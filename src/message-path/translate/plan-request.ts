/** Decides how one request must change for one hosted model: betas to send, fields to leave out, rename or rewrite. */
import type { FieldChange } from '../../foundation/platform/json-spans-fields.ts'
import type { CapabilityVerdict } from '../ports.ts'
import { collectBetas } from './betas.ts'
import {
  deniedBetaPrefixes,
  deniedBetas,
  type Feature,
  features,
  findFeature,
  findTreatment,
  type Treatment,
} from './feature-table.ts'
import { findFeatureAround } from './field-paths.ts'
import { findOutputLimit, lowerOutput, OUTPUT_LIMIT_KEY } from './output-limit.ts'
import type { MessagesRequest } from './read-request.ts'
import { groupPaths, hasAnyField, hasField, surelyHasField, type WatchedGroup } from './request-watch.ts'
import { mayBeInMessages, type SubstituteDraft, substitute } from './substitutes.ts'

/** `replace` puts this JSON in the place of the tool, such as a client tool that the gateway answers itself. */
export type WebSearchTool =
  | { readonly kind: 'keep' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'replace'; readonly json: string }

export interface PlanInput {
  readonly request: MessagesRequest
  readonly headerBetas: readonly string[]
  /** Foundation model id; an id that the table does not know is treated as a new model. */
  readonly hostedModelId: string
  readonly longContext: boolean
  readonly verdict: (feature: string) => CapabilityVerdict
  readonly webSearchTool: WebSearchTool
  /** Learned field paths that no row of the table names, such as `tools.new_field`. */
  readonly refusedFields?: readonly string[]
}

export interface RequestPlan {
  readonly input: PlanInput
  /** In the order in which they are sent. */
  readonly betas: readonly string[]
  readonly strippedBetas: readonly string[]
  readonly changes: readonly (readonly [path: string, change: FieldChange])[]
  /** Whole types of the tools that leave. */
  readonly droppedTools: readonly string[]
  readonly systemMessages: 'keep' | 'as-user-text'
  readonly toolReferences: 'keep' | 'as-text'
  /** Types of blocks about tools that are told as text. */
  readonly blocksAsText: readonly string[]
  readonly outputFormat: 'keep' | 'into-output-config'
  /** A field that must leave although the client depends on it: the request is refused and names the field. */
  readonly unavailable: string | undefined
  /** To be written into the last block of the conversation. */
  readonly breakpoint: string | undefined
  /** What was changed and why, for the request log. */
  readonly repairs: readonly string[]
}

interface Draft extends SubstituteDraft {
  readonly input: PlanInput
  readonly betas: Set<string>
  readonly droppedTools: string[]
  readonly blocksAsText: string[]
  outputFormat: RequestPlan['outputFormat']
  unavailable: string | undefined
}

/** Never left out, whatever an error seems to say: without them it would be another request. */
export const essentialFields: ReadonlySet<string> = new Set([
  'messages',
  'system',
  'tools',
  'max_tokens',
  'model',
  'stream',
  'thread',
  'anthropic_version',
])
export const TOOL_TYPE_KEY = 'tools.type.'
export const BLOCK_TYPE_KEY = 'messages.content.type.'

export function decidePlan(input: PlanInput): RequestPlan {
  const asked = collectBetas(input.headerBetas, input.request.bodyBetas, input.longContext)
  const { isRowAsked, loneBetas } = readAsked(asked)
  const limit = findOutputLimit(input.request, asked, input.refusedFields)
  const draft: Draft = {
    input,
    betas: new Set(asked),
    changes: [],
    droppedTools: [],
    blocksAsText: [],
    repairs: [],
    maxTokens: limit ?? input.request.maxTokens,
    systemMessages: 'keep',
    toolReferences: 'keep',
    outputFormat: 'keep',
    thinkingType: undefined,
    breakpoint: undefined,
    unavailable: undefined,
  }
  for (const row of rows) if (isRowAsked[row.place] || isUsed(row, input.request)) applyFeature(row.feature, draft)
  for (const beta of loneBetas) judgeLoneBeta(beta, draft)
  leaveOutRefusedFields(draft)
  if (limit !== undefined) {
    draft.changes.push(...lowerOutput(limit, input.request, draft.thinkingType === undefined))
    draft.repairs.push(`lowered max_tokens to ${limit}: the model answers with no more`)
  }
  const searchTools = listToolTypes(input.request, ['web_search_'])
  if (input.webSearchTool.kind === 'drop' && searchTools.length > 0) {
    draft.droppedTools.push(...searchTools)
    draft.repairs.push('dropped the web search tool: switched off here')
  }
  return {
    input,
    betas: draft.betas.size === 0 ? [] : [...draft.betas],
    strippedBetas: asked.length === 0 ? [] : asked.filter((beta) => !draft.betas.has(beta)),
    changes: draft.changes,
    droppedTools: draft.droppedTools,
    systemMessages: draft.systemMessages,
    toolReferences: draft.toolReferences,
    blocksAsText: draft.blocksAsText,
    outputFormat: draft.outputFormat,
    breakpoint: draft.breakpoint,
    unavailable: draft.unavailable,
    repairs: draft.repairs,
  }
}

/**
 * What is asked of every feature for every call. All rows have all of it, in the same order: features leave out what they
 * do not have, and what comes in a dozen shapes is looked up slowly.
 */
interface Row {
  readonly place: number
  readonly feature: Feature
  readonly fields: readonly WatchedGroup[]
  readonly thinkingType: string | undefined
  readonly forcesToolChoice: boolean
  readonly toolTypes: readonly string[] | undefined
  /** Role-system messages show in no key; whether there are any is only looked up when they are refused. */
  readonly isEverywhere: boolean
}

const rows: readonly Row[] = features.map((feature, place) => ({
  place,
  feature,
  fields: groupPaths(feature.fields),
  thinkingType: feature.thinkingType,
  forcesToolChoice: feature.forcedToolChoice ?? false,
  toolTypes: feature.toolTypes,
  isEverywhere: feature.substitute === 'system-messages-as-user-text',
}))

interface Asked {
  /** By the places of the rows: whether one of the betas is a part of it. */
  readonly isRowAsked: readonly boolean[]
  /** Betas that belong to no row. */
  readonly loneBetas: readonly string[]
}

function readAsked(betas: readonly string[]): Asked {
  const isRowAsked = rows.map((row) => isAskedBy(row, betas))
  return { isRowAsked, loneBetas: betas.filter((beta) => findFeature(beta) === undefined) }
}

/** Where it is known by what stands in the body, a beta alone does not ask for it. */
function isAskedBy({ feature }: Row, betas: readonly string[]): boolean {
  if (feature.thinkingType !== undefined || feature.forcedToolChoice) return false
  return feature.betas.some((beta) => betas.includes(beta))
}

/** In plain loops: asked of every row for every call, closures would be most of what a plan costs. */
function isUsed(row: Row, request: MessagesRequest): boolean {
  if (row.thinkingType !== undefined) return row.thinkingType === request.thinkingType
  if (row.forcesToolChoice) return request.forcesToolChoice
  if (row.isEverywhere || hasAnyField(request, row.fields)) return true
  return row.toolTypes !== undefined && listToolTypes(request, row.toolTypes).length > 0
}

const noTypes: readonly string[] = []

function listToolTypes({ toolTypes }: MessagesRequest, prefixes: readonly string[]): readonly string[] {
  if (toolTypes.length === 0) return noTypes
  return toolTypes.filter((type) => prefixes.some((prefix) => type.startsWith(prefix)))
}

function applyFeature(feature: Feature, draft: Draft): void {
  const treatment = findTreatment(feature, draft.input.hostedModelId)
  const opinion = opinionOn(feature, treatment, draft.input.verdict)
  if (opinion === 'refused') leaveOut(feature, draft, 'refused by the hosted service before')
  else if (opinion === 'wanted' && !isSpelling(treatment)) return
  else if (treatment.kind === 'drop') leaveOut(feature, draft, 'not taken by the hosted model')
  else adapt(feature, treatment, draft)
}

/** No matter of support: what has worked before has worked under the hosted service's name, with its beta. */
function isSpelling({ kind }: Treatment): boolean {
  return kind === 'rename-beta' || kind === 'rename-field' || kind === 'accepted'
}

function adapt(feature: Feature, treatment: Exclude<Treatment, { kind: 'drop' }>, draft: Draft): void {
  const { request } = draft.input
  switch (treatment.kind) {
    case 'accepted':
      if (treatment.beta !== undefined && !feature.betas.some((beta) => draft.betas.has(beta))) {
        draft.betas.add(treatment.beta)
      }
      return
    case 'drop-beta':
      for (const beta of feature.betas) draft.betas.delete(beta)
      return
    case 'rename-beta':
      for (const beta of feature.betas) draft.betas.delete(beta)
      draft.betas.add(treatment.to)
      return
    case 'rename-field':
      if (hasField(request, treatment.path)) {
        draft.changes.push([treatment.path, { kind: 'rename', to: treatment.to }])
        draft.repairs.push(`renamed ${treatment.path} to ${treatment.to}`)
      }
      return
    case 'rewrite-as-beta':
      if (isRefused(draft.input.verdict(treatment.beta))) {
        leaveOut(feature, draft, 'the beta in its place was refused before')
        return
      }
      removeFields(feature, draft)
      draft.betas.add(treatment.beta)
      draft.repairs.push(`sent beta ${treatment.beta} instead of ${feature.name}`)
      return
    case 'move-into-output-config':
      for (const beta of feature.betas) draft.betas.delete(beta)
      if (!hasField(request, 'output_format')) return
      if (isRefused(draft.input.verdict('output_config.format'))) {
        leaveOut(feature, draft, 'output_config.format was refused before')
        return
      }
      draft.outputFormat = 'into-output-config'
      draft.repairs.push('moved output_format to output_config.format')
  }
}

type Opinion = 'refused' | 'wanted' | 'none'

/** Refusal of any part is refusal of the pair; where the beta is never sent, only what is said of the fields counts. */
function opinionOn(feature: Feature, treatment: Treatment, verdict: PlanInput['verdict']): Opinion {
  const named = verdict(feature.name)
  if (isRefused(named)) return 'refused'
  let wanted = named === 'supported'
  for (const path of feature.fields) {
    const said = verdict(path)
    if (isRefused(said)) return 'refused'
    if (said === 'supported') wanted = true
  }
  for (const beta of feature.betas) {
    const said = verdict(beta)
    if (isRefused(said) && treatment.kind !== 'drop-beta') return 'refused'
    if (said === 'supported') wanted = true
  }
  const renamed = treatment.kind === 'rename-beta' ? verdict(treatment.to) : 'unknown'
  if (isRefused(renamed)) return 'refused'
  return wanted || renamed === 'supported' ? 'wanted' : 'none'
}

/** A suspected feature stays away until a probe has settled it, else every request would pay for the doubt. */
export function isRefused(verdict: CapabilityVerdict): boolean {
  return verdict === 'unsupported' || verdict === 'suspected'
}

function leaveOut(feature: Feature, draft: Draft, why: string): void {
  const { request } = draft.input
  for (const beta of feature.betas) draft.betas.delete(beta)
  const before = draft.changes.length
  removeFields(feature, draft)
  const types = listToolTypes(request, feature.toolTypes ?? noTypes)
  draft.droppedTools.push(...types)
  if (feature.isDependedOn && draft.changes.length > before) draft.unavailable = feature.name
  if (draft.changes.length > before || types.length > 0) draft.repairs.push(`dropped ${feature.name}: ${why}`)
  if (feature.substitute !== undefined) substitute(feature.substitute, draft, () => isTaken('cache_control.ttl', draft))
}

function isTaken(name: string, { input }: Draft): boolean {
  const feature = findFeature(name)
  if (feature === undefined) return true
  const treatment = findTreatment(feature, input.hostedModelId)
  const opinion = opinionOn(feature, treatment, input.verdict)
  return opinion === 'wanted' || (opinion === 'none' && treatment.kind !== 'drop')
}

function removeFields(feature: Feature, { input, changes }: Draft): void {
  for (const path of feature.fields) {
    if (hasField(input.request, path)) changes.push([path, { kind: 'remove' }])
  }
}

/** A beta that belongs to no row: tried unless it is denied or was refused. */
function judgeLoneBeta(beta: string, { input, betas }: Draft): void {
  const said = input.verdict(beta)
  const denied = deniedBetas.has(beta) || deniedBetaPrefixes.some((prefix) => beta.startsWith(prefix))
  if (isRefused(said) || (denied && said !== 'supported')) betas.delete(beta)
}

/** Fields that no row names but that were refused before, at the top by their name, deeper ones by the learned list. */
function leaveOutRefusedFields(draft: Draft): void {
  const { input, changes, repairs } = draft
  const { request } = input
  const paths: string[] = []
  for (const key of request.marksByKey.keys()) if (isRefused(input.verdict(key))) paths.push(key)
  for (const known of input.refusedFields ?? []) {
    if (known.startsWith(OUTPUT_LIMIT_KEY)) continue
    const path = asWritten(known, draft)
    if (path.startsWith(TOOL_TYPE_KEY)) leaveOutToolType(path.slice(TOOL_TYPE_KEY.length), draft)
    else if (path.startsWith(BLOCK_TYPE_KEY)) tellBlocks(path.slice(BLOCK_TYPE_KEY.length), draft)
    else if (!paths.includes(path) && surelyHasField(request, path)) paths.push(path)
  }
  for (const path of paths) {
    if (essentialFields.has(path) || findFeature(path) !== undefined) continue
    const around = findFeatureAround(path)
    if (around !== undefined) {
      // What is left of a feature without one of its parts may mean something else, or nothing.
      if (!isLeftOut(around, draft)) leaveOut(around, draft, `${path} was refused by the hosted service before`)
      continue
    }
    changes.push([path, { kind: 'remove' }])
    repairs.push(`dropped ${path}: refused by the hosted service before`)
  }
}

/** A refusal names the type that was sent; the client has written the field under another one. */
function asWritten(path: string, { thinkingType }: Draft): string {
  const sent = `thinking.${thinkingType ?? ''}.`
  return path.startsWith(sent) ? `thinking.${path.slice(sent.length)}` : path
}

function isLeftOut({ fields }: Feature, { changes }: Draft): boolean {
  return changes.some(([path, { kind }]) => kind === 'remove' && fields.includes(path))
}

/** That very type: the name that somebody gave a tool may be the beginning of everybody's. */
function leaveOutToolType(type: string, { input, droppedTools, repairs }: Draft): void {
  if (!input.request.toolTypes.includes(type)) return
  droppedTools.push(type)
  repairs.push(`dropped tools of the type ${type}: refused by the hosted service before`)
}

function tellBlocks(type: string, { input, blocksAsText, repairs }: Draft): void {
  if (!mayBeInMessages(type, input.request)) return
  blocksAsText.push(type)
  repairs.push(`told blocks of the type ${type} as text: refused by the hosted service before`)
}
