/** What accounting and the request log want to know of a stream, read as its events pass. */

import type { AnswerHead } from '../../foundation/domain/model-host.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import {
  mergeEventUsage,
  mergeUsageHeaders,
  type ReadUsage,
  readUsage,
  startUsageReading,
  type UsageReading,
} from '../../foundation/domain/usage-reading.ts'
import type { AnswerFacts } from '../dialect.ts'
import { GUARDRAIL_ACTION, INTERVENED, isToolUse } from './to-messages-response.ts'

export interface StreamFacts {
  events: number
  /** `message_stop` has passed: the stream came to its proper end. */
  stopped: boolean
  stopReason: string | null
  guardrailIntervened: boolean
  readonly toolsCalled: string[]
  /** Roughly the characters that the model wrote so far, to estimate its tokens when the stream breaks. */
  outputCharacters: number
  readonly usage: UsageReading
}

export type StreamEvent = Readonly<Record<string, unknown>>

export function startStreamFacts(): StreamFacts {
  return {
    events: 0,
    stopped: false,
    stopReason: null,
    guardrailIntervened: false,
    toolsCalled: [],
    outputCharacters: 0,
    usage: startUsageReading(),
  }
}

/** Bytes of a text delta around its text; other deltas differ by a few. */
const DELTA_FRAME_BYTES = 78

export function noteDelta(facts: StreamFacts, jsonBytes: number): void {
  facts.events++
  if (jsonBytes > DELTA_FRAME_BYTES) facts.outputCharacters += jsonBytes - DELTA_FRAME_BYTES
}

export function noteEvent(facts: StreamFacts, event: StreamEvent): void {
  facts.events++
  mergeEventUsage(facts.usage, event)
  switch (event['type']) {
    case 'content_block_start': {
      const block = asEvent(event['content_block'])
      if (isToolUse(block['type']) && typeof block['name'] === 'string') facts.toolsCalled.push(block['name'])
      return
    }
    case 'message_delta': {
      const stopReason = asEvent(event['delta'])['stop_reason']
      if (typeof stopReason === 'string') facts.stopReason = stopReason
      return
    }
    case 'message_stop':
      facts.stopped = true
      facts.guardrailIntervened = event[GUARDRAIL_ACTION] === INTERVENED
  }
}

export function summarizeUsage(facts: StreamFacts): ReadUsage {
  return readUsage(facts.usage)
}

const statusByErrorType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 403,
  permission_error: 403,
  billing_error: 402,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** An error that the model sent as an event: the same to the caller as one that the hosted service answered with. */
export function toFailure(event: StreamEvent): ProviderFailure {
  const error = asEvent(event['error'])
  const { type, message } = error
  return {
    kind: 'answered',
    status: (typeof type === 'string' ? statusByErrorType[type] : undefined) ?? 500,
    name: '',
    message: typeof message === 'string' ? message : 'The model ended the answer with an error.',
    retryAfterSeconds: null,
  }
}

const errorMark = Buffer.from('"error"')
/** An error is short: what is longer is an answer, and not worth a look. */
const MAX_ERROR_BYTES = 64 * 1024

/** The same error as a whole answer, which the hosted service sends under the status of a success. */
function findFailureIn(answer: Buffer): ProviderFailure | undefined {
  if (answer.length > MAX_ERROR_BYTES || !answer.includes(errorMark)) return undefined
  try {
    const event = asEvent(JSON.parse(answer.toString()))
    return event['type'] === 'error' ? toFailure(event) : undefined
  } catch {
    // No JSON: whoever reads it as an answer says so.
    return undefined
  }
}

/** A whole message: its JSON has an end, and it says why the model stopped. */
function isCompleteAnswer(answer: Buffer): boolean {
  try {
    return typeof asEvent(JSON.parse(answer.toString()))['stop_reason'] === 'string'
  } catch {
    // The body was cut: the failure of its connection is reported.
    return false
  }
}

/** How a message that came as one body is read. */
export const wholeMessage = { findFailure: findFailureIn, isComplete: isCompleteAnswer } as const

export const unreadableEvent: ProviderFailure = {
  kind: 'broken',
  status: 502,
  name: '',
  message: 'an event of the stream is not base64 of a JSON object',
  retryAfterSeconds: null,
}

export function asEvent(value: unknown): StreamEvent {
  return typeof value === 'object' && value !== null ? (value as StreamEvent) : {}
}

/** What the head alone tells of an answer that was never seen whole; undefined when it does not tell the usage. */
export function factsOfHead(head: AnswerHead): AnswerFacts | undefined {
  const reading = startUsageReading()
  mergeUsageHeaders(reading, head)
  const { usage, webSearches, reported, clamped } = readUsage(reading)
  if (!reported) return undefined
  return {
    usage,
    webSearches,
    usageReported: true,
    usageClamped: clamped,
    stopReason: null,
    guardrailIntervened: false,
    toolsCalled: [],
    outputCharacters: 0,
  }
}
