/** Reads what the gateway must know of a request body, and leaves the rest as bytes. */
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import {
  findMember,
  type JsonMember,
  type JsonObject,
  JsonScanError,
  scanObject,
  skipSpace,
} from '../../foundation/platform/json-spans.ts'
import {
  elementsAt,
  isArrayAt,
  isObjectAt,
  isStringAt,
  readString,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'
import { marksByKey, mayHaveTypedTools, requestWatch } from './request-watch.ts'

export interface MessagesRequest {
  readonly bytes: Buffer
  readonly document: JsonObject
  readonly marksByKey: ReadonlyMap<string, number>
  /** As the client sent it. */
  readonly model: string
  readonly stream: boolean
  /** Null only where the route does not ask for it. */
  readonly maxTokens: number | null
  /** `anthropic_beta` and `betas` of the body. */
  readonly bodyBetas: readonly string[]
  readonly thinkingType: string | undefined
  /** `tool_choice` asks for a call of some tool, or of one by name. */
  readonly forcesToolChoice: boolean
  /** Types of the tools that have one, in order. */
  readonly toolTypes: readonly string[]
}

const MAX_MODEL_CHARACTERS = 256
const MAX_ARN_CHARACTERS = 2048

/** A body of `POST /v1/messages`. Throws the public problem. */
export function readMessagesRequest(bytes: Buffer): MessagesRequest {
  const document = scanBody(bytes)
  requireNoThread(bytes, document)
  requireOwnBill(bytes, document)
  return {
    ...readShared(bytes, document),
    model: requireModel(bytes, document),
    stream: readStream(bytes, document),
    maxTokens: requireMaxTokens(bytes, document),
  }
}

/** A body of `POST /v1/messages/count_tokens`: no `max_tokens` is asked for and none is used. */
export function readCountTokensRequest(bytes: Buffer): MessagesRequest {
  const document = scanBody(bytes)
  return { ...readShared(bytes, document), model: requireModel(bytes, document), stream: false, maxTokens: null }
}

/** A body in the hosted service's form: model and streaming stand in the path. */
export function readBedrockRequest(
  bytes: Buffer,
  path: { readonly model: string; readonly stream: boolean },
): MessagesRequest {
  const document = scanBody(bytes)
  requireOwnBill(bytes, document)
  return {
    ...readShared(bytes, document),
    model: requireModelLength(path.model),
    stream: path.stream,
    maxTokens: requireMaxTokens(bytes, document),
  }
}

/** A request to be counted in the hosted service's form; like every count it needs no `max_tokens`. */
export function readBedrockCountRequest(bytes: Buffer, model: string): MessagesRequest {
  const document = scanBody(bytes)
  return { ...readShared(bytes, document), model: requireModelLength(model), stream: false, maxTokens: null }
}

function scanBody(bytes: Buffer): JsonObject {
  try {
    return scanObject(bytes, requestWatch)
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error
    throw problem('invalid_json', { reason: error.message }, { cause: error })
  }
}

function readShared(bytes: Buffer, document: JsonObject) {
  requireMessages(bytes, document)
  const thinking = findMember(document, 'thinking')
  const choice = findMember(document, 'tool_choice')
  const choiceType = choice && stringMemberAt(bytes, choice.valueStart, 'type')
  return {
    bytes,
    document,
    marksByKey: marksByKey(document),
    bodyBetas: [...readBetas(bytes, document, 'anthropic_beta'), ...readBetas(bytes, document, 'betas')],
    thinkingType: thinking && stringMemberAt(bytes, thinking.valueStart, 'type'),
    forcesToolChoice: choiceType === 'any' || choiceType === 'tool',
    toolTypes: readToolTypes(bytes, document),
  }
}

function requireMessages(bytes: Buffer, document: JsonObject): void {
  const messages = findMember(document, 'messages')
  if (messages === undefined) throw invalidField('messages', 'Field required')
  if (!isArrayAt(bytes, messages.valueStart)) throw invalidField('messages', 'Input should be a valid list')
  const first = findFirstElement(bytes, messages)
  if (first === undefined) throw invalidField('messages', 'at least one message is required')
  if (!isObjectAt(bytes, first)) throw invalidField('messages.0', 'Input should be an object')
}

/** Where the first element begins; the others are not looked at. */
function findFirstElement(bytes: Buffer, array: JsonMember): number | undefined {
  const at = skipSpace(bytes, array.valueStart + 1)
  return at < array.end - 1 ? at : undefined
}

function requireModel(bytes: Buffer, document: JsonObject): string {
  const member = findMember(document, 'model')
  if (member === undefined) throw invalidField('model', 'Field required')
  if (!isStringAt(bytes, member.valueStart)) throw invalidField('model', 'Input should be a valid string')
  const model = readString(bytes, member.valueStart, member.end)
  if (model === undefined) throw invalidField('model', 'Input should be a valid string')
  return requireModelLength(model)
}

function requireModelLength(model: string): string {
  if (model === '') throw invalidField('model', 'String should have at least 1 character')
  const limit = model.startsWith('arn:') ? MAX_ARN_CHARACTERS : MAX_MODEL_CHARACTERS
  if (model.length > limit) throw invalidField('model', `String should have at most ${limit} characters`)
  return model
}

function readStream(bytes: Buffer, document: JsonObject): boolean {
  const text = scalarText(bytes, findMember(document, 'stream'))
  if (text === 'true') return true
  if (text === undefined || text === 'false' || text === 'null') return false
  throw invalidField('stream', 'Input should be a valid boolean')
}

function requireMaxTokens(bytes: Buffer, document: JsonObject): number {
  const text = scalarText(bytes, findMember(document, 'max_tokens'))
  if (text === undefined) throw invalidField('max_tokens', 'Field required')
  const maxTokens = /^[-\d]/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(maxTokens)) throw invalidField('max_tokens', 'Input should be a valid integer')
  // None at all fills the prompt cache without an answer. Whether a model can do that is for the hosted service to say.
  if (maxTokens < 0) throw invalidField('max_tokens', 'Input should be greater than or equal to 0')
  return maxTokens
}

/** A conversation that the vendor's service keeps. Left out like any unknown field, the model would answer without it. */
function requireNoThread(bytes: Buffer, document: JsonObject): void {
  const thread = findMember(document, 'thread')
  if (thread !== undefined && scalarText(bytes, thread) !== 'null') throw problem('thread_unsupported_request')
}

/** Whoever wants somebody else to pay wants a refusal rather than a bill of their own, and here no one else can. */
function requireOwnBill(bytes: Buffer, document: JsonObject): void {
  const policy = findMember(document, 'billing_policy')
  if (policy === undefined || stringMemberAt(bytes, policy.valueStart, 'bill_to') !== 'user_profile') return
  throw invalidField(
    'billing_policy.bill_to',
    'calls are paid by the AWS account behind this gateway, not by a user profile',
  )
}

function readBetas(bytes: Buffer, document: JsonObject, key: string): string[] {
  const member = findMember(document, key)
  if (member === undefined || scalarText(bytes, member) === 'null') return []
  if (!isArrayAt(bytes, member.valueStart)) throw invalidField(key, 'Input should be a valid list')
  return elementsAt(bytes, member.valueStart).map((element, index) => {
    const beta = isStringAt(bytes, element.start) ? readString(bytes, element.start, element.end) : undefined
    if (beta === undefined) throw invalidField(`${key}.${index}`, 'Input should be a valid string')
    return beta
  })
}

function readToolTypes(bytes: Buffer, document: JsonObject): string[] {
  const tools = findMember(document, 'tools')
  if (tools === undefined || !mayHaveTypedTools(tools)) return []
  return elementsAt(bytes, tools.valueStart).flatMap((tool) => stringMemberAt(bytes, tool.start, 'type') ?? [])
}

/** Enough for numbers and literals; anything longer is no such thing. */
function scalarText(bytes: Buffer, member: JsonMember | undefined): string | undefined {
  return member && bytes.toString('latin1', member.valueStart, Math.min(member.end, member.valueStart + 40))
}
