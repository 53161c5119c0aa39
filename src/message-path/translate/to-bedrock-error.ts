/** The same failures for clients that speak the hosted service's own form. */
import { errorHeaders, type Problem } from '../../foundation/domain/errors.ts'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { publicWords } from '../../foundation/domain/provider-words.ts'
import { publicStatus, retryAfter } from './to-messages-error.ts'

export interface BedrockError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body: string
}

const nameByStatus: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'AccessDeniedException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
}

export function toBedrockError(failure: ProviderFailure): BedrockError {
  const status = publicStatus(failure)
  // The name comes from a header of the hosted service and goes into one of ours.
  const name = /^\w{1,64}$/.test(failure.name) ? failure.name : exceptionName(status)
  return bedrockError(status, name, publicWords(failure), retryAfter(failure))
}

/** A refusal of the gateway itself. */
export function problemToBedrockError(refusal: Problem): BedrockError {
  return bedrockError(refusal.status, exceptionName(refusal.status), refusal.message, errorHeaders(refusal))
}

export function exceptionName(status: number): string {
  return nameByStatus[status] ?? (status >= 500 ? 'InternalServerException' : 'ValidationException')
}

function bedrockError(
  status: number,
  name: string,
  message: string,
  headers: Readonly<Record<string, string>>,
): BedrockError {
  return { status, headers: { ...headers, 'x-amzn-errortype': name }, body: JSON.stringify({ message }) }
}
