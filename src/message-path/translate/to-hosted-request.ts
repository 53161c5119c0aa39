/** Writes a Messages request in the hosted service's form, as edits on the client's own bytes. */
import { findMember, scanObject } from '../../foundation/platform/json-spans.ts'
import { applyEdits, insertAt, type JsonEdit, removeSpans } from '../../foundation/platform/json-spans-edit.ts'
import { buildFieldTree, fieldEdits } from '../../foundation/platform/json-spans-fields.ts'
import { isObjectAt, memberAt } from '../../foundation/platform/json-spans-read.ts'
import { findAnswerSchema, type ToldFormat, tellFormat } from './answer-format.ts'
import { breakpointEdits } from './end-breakpoint.ts'
import { EFFORT_OF_TURN, TOOL_EXAMPLES_BETA, TOOL_SEARCH_BETA, TOOL_STREAMING_BETA } from './feature-table.ts'
import { thinkingBudget } from './output-limit.ts'
import type { RequestPlan } from './plan-request.ts'
import type { MessagesRequest } from './read-request.ts'
import { marksByKey, requestWatch } from './request-watch.ts'
import { serverToolTextEdits } from './server-tool-blocks.ts'
import { contentlessSystemMessages, systemMessagesAsUserText } from './system-messages.ts'
import { isToolChange, toolChangeEdits } from './tool-changes.ts'
import { toolEdits } from './tool-edits.ts'
import { toolReferenceEdits } from './tool-references.ts'

export interface HostedBody {
  readonly body: readonly Buffer[]
  readonly bytes: number
}

/** The client's own `anthropic-version` is never copied: the hosted service has versions of its own. */
const HOSTED_VERSION = 'bedrock-2023-05-31'

/** Leave every body: they travel in the path, or are written anew. */
const replacedFields: ReadonlySet<string> = new Set(['model', 'stream', 'anthropic_version', 'anthropic_beta', 'betas'])

export function toHostedRequest(request: MessagesRequest, plan: RequestPlan): HostedBody {
  const source = withPlainMessages(request, plan)
  return sized(applyEdits(source.bytes, hostedEdits(source, plan)))
}

/** Fields and betas about tools that the hosted service's counter does not know; they hardly change the count. */
const uncountedToolFields = ['defer_loading', 'eager_input_streaming', 'strict', 'input_examples', 'allowed_callers']
const uncountedBetas = new Set([TOOL_SEARCH_BETA, TOOL_EXAMPLES_BETA, TOOL_STREAMING_BETA])

/** The body of the hosted service's CountTokens, which wants a whole request in base64. */
export function toCountTokensRequest(request: MessagesRequest, plan: RequestPlan): HostedBody {
  const source = withPlainMessages(request, plan)
  const counted: RequestPlan = {
    ...plan,
    betas: plan.betas.filter((beta) => !uncountedBetas.has(beta)),
    changes: [...plan.changes, ...uncountedToolFields.map((field) => [`tools.${field}`, { kind: 'remove' }] as const)],
  }
  // A budget for thinking may be named without `max_tokens`, which must be above it all the same.
  const needsMaxTokens = findMember(source.document, 'max_tokens') === undefined
  const additions = needsMaxTokens ? `,"max_tokens":${thinkingBudget(source) + 1}` : ''
  const body = Buffer.concat(applyEdits(source.bytes, hostedEdits(source, counted, additions)))
  return sized([Buffer.from(`{"input":{"invokeModel":{"body":"${body.toString('base64')}"}}}`)])
}

/** Every change to the body but those that write messages anew, which come first. */
function hostedEdits(request: MessagesRequest, plan: RequestPlan, additions = ''): JsonEdit[] {
  const { bytes, document } = request
  const tools = toolEdits(request, plan.droppedTools, plan.input.webSearchTool)
  const fields = plan.changes.length === 0 ? noChange : fieldEdits(bytes, document, buildFieldTree(plan.changes))
  const moved = plan.outputFormat === 'into-output-config' ? outputFormatMove(request, fields.leaving) : noMove
  const schema = losesFormat(plan) ? findAnswerSchema(request) : undefined
  const told = schema === undefined ? nothingTold : tellFormat(request, schema)
  const leaving = document.members.map(
    ({ key }, index) =>
      replacedFields.has(key) ||
      fields.leaving.has(index) ||
      tools.leavingFields.includes(key) ||
      moved.leavingFields.includes(key),
  )
  return [
    insertAt(document.start + 1, headText(plan.betas, moved.head + told.head + additions, leaving.includes(false))),
    ...removeSpans(document.members, (index) => leaving[index] === true),
    ...fields.edits,
    ...tools.edits,
    ...moved.edits,
    ...told.edits,
    ...(plan.toolReferences === 'as-text' ? toolReferenceEdits(request) : []),
  ]
}

const noChange: ReturnType<typeof fieldEdits> = { edits: [], leaving: new Set() }
const nothingTold: ToldFormat = { edits: [], head: '' }
const placesOfFormat: ReadonlySet<string> = new Set(['output_config', 'output_config.format', 'output_format'])

function losesFormat({ changes, outputFormat }: RequestPlan): boolean {
  return outputFormat === 'keep' && changes.some(([path, { kind }]) => kind === 'remove' && placesOfFormat.has(path))
}

function headText(betas: readonly string[], more: string, survivors: boolean): string {
  const beta = betas.length === 0 ? '' : `,"anthropic_beta":${JSON.stringify(betas)}`
  return `"anthropic_version":"${HOSTED_VERSION}"${beta}${more}${survivors ? ',' : ''}`
}

interface Move {
  readonly edits: readonly JsonEdit[]
  readonly leavingFields: readonly string[]
  /** Further members for the head of the document. */
  readonly head: string
}

const noMove: Move = { edits: [], leavingFields: [], head: '' }

/** A format that stands in `output_config` already is the newer spelling, and wins. */
function outputFormatMove({ bytes, document }: MessagesRequest, leaving: ReadonlySet<number>): Move {
  const format = findMember(document, 'output_format')
  if (format === undefined) return noMove
  const json = bytes.toString('utf8', format.valueStart, format.end)
  const config = findMember(document, 'output_config')
  const leavingFields = ['output_format']
  // One that loses everything else leaves, and would take with it what is put there.
  if (config === undefined || leaving.has(document.members.indexOf(config)))
    return { edits: [], leavingFields, head: `,"output_config":{"format":${json}}` }
  const inside = isObjectAt(bytes, config.valueStart) && memberAt(bytes, config.valueStart, 'format') === undefined
  const empty = /^\{\s*\}$/.test(bytes.toString('latin1', config.valueStart, config.end))
  const edits = inside ? [insertAt(config.valueStart + 1, `"format":${json}${empty ? '' : ','}`)] : []
  return { edits, leavingFields, head: '' }
}

/** Nearly every request as it is: this is for what a model does not take. */
function withPlainMessages(request: MessagesRequest, plan: RequestPlan): MessagesRequest {
  let plain = request
  if (plan.changes.some(([path]) => path === EFFORT_OF_TURN)) plain = edited(plain, contentlessSystemMessages(plain))
  if (plan.blocksAsText.some(isToolChange)) plain = edited(plain, toolChangeEdits(plain))
  if (plan.systemMessages === 'as-user-text') plain = edited(plain, systemMessagesAsUserText(plain))
  if (plan.blocksAsText.length > 0) plain = edited(plain, serverToolTextEdits(plain, plan.blocksAsText))
  if (plan.breakpoint !== undefined) plain = edited(plain, breakpointEdits(plain, plan.breakpoint))
  return plain
}

export function edited(request: MessagesRequest, edits: readonly JsonEdit[]): MessagesRequest {
  if (edits.length === 0) return request
  const bytes = Buffer.concat(applyEdits(request.bytes, edits))
  const document = scanObject(bytes, requestWatch)
  return { ...request, bytes, document, marksByKey: marksByKey(document) }
}

export function sized(body: readonly Buffer[]): HostedBody {
  return { body, bytes: body.reduce((sum, piece) => sum + piece.length, 0) }
}
