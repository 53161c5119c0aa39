/** Turns an exception or error frame inside a stream into the failure it would have been as an answer. */
import type { ProviderFailure } from '../foundation/domain/provider-failure.ts'
import { firstText, parseObject } from './failures.ts'

/** The HTTP statuses that the same exceptions carry before a stream starts. */
const statusOfException: Readonly<Record<string, number>> = {
  ThrottlingException: 429,
  ModelNotReadyException: 429,
  ValidationException: 400,
  AccessDeniedException: 403,
  ResourceNotFoundException: 404,
  ModelTimeoutException: 408,
  ModelStreamErrorException: 424,
  ModelErrorException: 424,
  InternalServerException: 500,
  ServiceUnavailableException: 503,
}

/** `type` comes from `:exception-type` or `:error-code`; frames write it with a small first letter. */
export function failureOfException(type: string, errorMessage: string, payload: string): ProviderFailure {
  const name = type.charAt(0).toUpperCase() + type.slice(1)
  const fields = parseObject(payload) ?? {}
  const words = [firstText(fields, ['message', 'Message']), errorMessage].find((text) => text !== '') ?? ''
  return {
    kind: 'answered',
    status: statusOfException[name] ?? 500,
    name,
    message: withOriginal(words, fields),
    retryAfterSeconds: null,
  }
}

/** A model stream error hides the model's own status and words in two more fields. */
function withOriginal(words: string, fields: Readonly<Record<string, unknown>>): string {
  const status = fields['originalStatusCode']
  const original = [typeof status === 'number' ? String(status) : '', firstText(fields, ['originalMessage'])]
    .filter((text) => text !== '')
    .join(' ')
  return original === '' ? words : `${words} (original: ${original})`.trim()
}
