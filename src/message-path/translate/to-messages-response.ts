/** Gives a whole answer of the hosted service back as the Messages form, and reads from it what accounting needs. */
import {
  INVOCATION_METRICS,
  mergeAnswerUsage,
  type ReadUsage,
  readUsage,
  startUsageReading,
} from '../../foundation/domain/usage-reading.ts'
import { type JsonObject, JsonScanError, scanObject } from '../../foundation/platform/json-spans.ts'
import { applyEdits, removeSpans, replaceSpan } from '../../foundation/platform/json-spans-edit.ts'
import {
  elementsAt,
  isArrayAt,
  isStringAt,
  readString,
  stringMemberAt,
} from '../../foundation/platform/json-spans-read.ts'

/** Bedrock's own member of an answer, and of a stream's last event. */
export const GUARDRAIL_ACTION = 'amazon-bedrock-guardrailAction'
export const INTERVENED = 'INTERVENED'

export interface MessagesAnswer {
  readonly body: readonly Buffer[]
  readonly bytes: number
  readonly usage: ReadUsage
  readonly stopReason: string | null
  readonly guardrailIntervened: boolean
  /** Names of the tools that the model called, once per call. */
  readonly toolsCalled: readonly string[]
  /** Roughly the characters that the model wrote, where its usage does not tell how much that was. */
  readonly outputCharacters: number
}

/** Undefined when the bytes are no JSON object: the caller then reports a broken answer. */
export function toMessagesResponse(
  bytes: Buffer,
  requestedModel: string,
  headers: Readonly<Record<string, string>> = {},
): MessagesAnswer | undefined {
  const document = findDocument(bytes)
  if (document === undefined) return undefined
  const edits = removeSpans(document.members, (index) => document.members[index]?.key === INVOCATION_METRICS)
  for (const { key, valueStart, end } of document.members) {
    if (key === 'model') edits.push(replaceSpan({ start: valueStart, end }, JSON.stringify(requestedModel)))
  }
  const body = applyEdits(bytes, edits)
  return { ...readFacts(bytes, document, headers), body, bytes: body.reduce((sum, piece) => sum + piece.length, 0) }
}

export type AnswerReading = Omit<MessagesAnswer, 'body' | 'bytes'>

/** The same reading for a client in the hosted service's form, whose answer is passed on as it came. */
export function readHostedResponse(
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): AnswerReading | undefined {
  const document = findDocument(bytes)
  return document && readFacts(bytes, document, headers)
}

function findDocument(bytes: Buffer): JsonObject | undefined {
  try {
    return scanObject(bytes)
  } catch (error) {
    if (error instanceof JsonScanError) return undefined
    throw error
  }
}

/** Bytes of a content with one block of text around its text. */
const CONTENT_FRAME_BYTES = 27

function readFacts(bytes: Buffer, document: JsonObject, headers: Readonly<Record<string, string>>): AnswerReading {
  const reading = startUsageReading()
  let stopReason: string | null = null
  let guardrailIntervened = false
  const toolsCalled: string[] = []
  let reported: unknown
  let metrics: unknown
  let contentBytes = 0
  for (const { key, valueStart, end } of document.members) {
    if (key === 'usage') reported = findValue(bytes, valueStart, end)
    else if (key === INVOCATION_METRICS) metrics = findValue(bytes, valueStart, end)
    else if (key === 'stop_reason') stopReason = findString(bytes, valueStart, end)
    else if (key === GUARDRAIL_ACTION) guardrailIntervened = findString(bytes, valueStart, end) === INTERVENED
    else if (key === 'content' && isArrayAt(bytes, valueStart)) {
      toolsCalled.push(...toolNames(bytes, valueStart))
      contentBytes = end - valueStart
    }
  }
  mergeAnswerUsage(reading, { usage: reported, metrics }, headers)
  const usage = readUsage(reading)
  const outputCharacters = usage.usage.outputTokens > 0 ? 0 : Math.max(0, contentBytes - CONTENT_FRAME_BYTES)
  return { usage, stopReason, guardrailIntervened, toolsCalled, outputCharacters }
}

function toolNames(bytes: Buffer, contentStart: number): readonly string[] {
  // Most answers call no tool, and then nothing has to be taken apart.
  if (!bytes.includes(toolUse, contentStart) && !bytes.includes(unicodeEscape, contentStart)) return noNames
  return elementsAt(bytes, contentStart).flatMap((block) => {
    return isToolUse(stringMemberAt(bytes, block.start, 'type'))
      ? (stringMemberAt(bytes, block.start, 'name') ?? [])
      : []
  })
}

const noNames: readonly string[] = []
const toolUse = Buffer.from('tool_use')
const unicodeEscape = Buffer.from('\\u')

export function isToolUse(type: unknown): boolean {
  return type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use'
}

function findString(bytes: Buffer, start: number, end: number): string | null {
  return isStringAt(bytes, start) ? (readString(bytes, start, end) ?? null) : null
}

function findValue(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', start, end))
  } catch {
    // failure-modes: unreadable usage. The answer is passed on, and what it cost is estimated.
    return undefined
  }
}
