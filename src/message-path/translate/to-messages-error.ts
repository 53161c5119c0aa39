/** Tells a client of the Messages form what went wrong at the hosted service: its status, its words, the vendor's types. */
import type { ErrorType } from '../../foundation/domain/errors.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { publicWords } from '../../foundation/domain/provider-words.ts'

export interface MessagesError {
  readonly status: number
  readonly type: ErrorType
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * 503 is `api_error` on purpose: on `overloaded_error` the client gives up on its large models after three tries,
 * on `api_error` it goes on with its full back-off.
 */
const typeByStatus: Readonly<Record<number, ErrorType>> = {
  400: 'invalid_request_error',
  401: 'permission_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'api_error',
  409: 'conflict_error',
  413: 'request_too_large',
  424: 'api_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

export function toMessagesError(failure: ProviderFailure): MessagesError {
  const status = publicStatus(failure)
  return {
    status,
    type: typeByStatus[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
    message: publicMessage(failure),
    headers: { ...retryAfter(failure), ...retryHint(status) },
  }
}

/** What a program tells the failures apart by; the page of errors has all three. */
export function upstreamCode({ kind }: ProviderFailure): string {
  if (kind === 'unreachable') return 'upstream_unreachable'
  return kind === 'broken' ? 'upstream_broken' : 'upstream_error'
}

/** The last thing in a stream that broke: one whole server-sent event. */
export function errorEvent(failure: ProviderFailure, requestId: string): Buffer {
  const { type, message } = toMessagesError(failure)
  const body = JSON.stringify({
    type: 'error',
    error: { type, message, code: upstreamCode(failure) },
    request_id: requestId,
  })
  return Buffer.from(`event: error\ndata: ${body}\n\n`)
}

export function publicStatus({ status }: ProviderFailure): number {
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 502
}

const TOO_LONG = /input is too long for requested model/i

function publicMessage(failure: ProviderFailure): string {
  const words = publicWords(failure)
  // Clients compact the conversation when they read "prompt is too long"; not all know the hosted service's wording.
  return TOO_LONG.test(words) && !words.startsWith('prompt is too long') ? `prompt is too long: ${words}` : words
}

export function retryAfter({ retryAfterSeconds }: ProviderFailure): Record<string, string> {
  if (retryAfterSeconds === null || !Number.isFinite(retryAfterSeconds) || retryAfterSeconds < 0) return {}
  return { 'retry-after': String(Math.ceil(retryAfterSeconds)) }
}

/**
 * 401 and 403 are about the gateway's own access: asking the client's credential helper again cannot help.
 * 424 (the model failed) is worth another try, which clients do not give it by themselves.
 */
function retryHint(status: number): Record<string, string> {
  if (status === 401 || status === 403) return { 'x-should-retry': 'false' }
  return status === 424 ? { 'x-should-retry': 'true' } : {}
}
