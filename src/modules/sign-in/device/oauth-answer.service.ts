/**
 * The form and the errors of OAuth endpoints, which have a shape of their own (RFC 6749).
 * A few lines around `URLSearchParams`; a dependency would be larger.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../../foundation/domain/errors.ts'
import { readBody } from '../../../foundation/http/read-body.ts'
import { bodyLimit } from './body-limit.ts'

const MAX_FORM_BYTES = 16_384

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable'
  | 'server_error'

export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(code: OAuthErrorCode, status: number, description: string, retryAfterSeconds?: number) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    // RFC 6749 5.1: answers with tokens are never kept by anything in between.
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(text)
}

/** Runs an endpoint; whatever it throws becomes an OAuth error. `onFault` hears about what should not happen. */
export function answerOAuth(
  response: ServerResponse,
  work: () => Promise<object>,
  onFault: (error: unknown) => void,
): void {
  work()
    .then((body) => sendJson(response, 200, body))
    .catch((error: unknown) => {
      const failure = toOAuthError(error)
      if (failure.code === 'server_error') onFault(error)
      const retry: Record<string, string> =
        failure.retryAfterSeconds === undefined ? {} : { 'retry-after': String(failure.retryAfterSeconds) }
      sendJson(response, failure.status, { error: failure.code, error_description: failure.message }, retry)
    })
}

function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  const isUnavailable = error instanceof Error && error.name === 'DatabaseUnavailableError'
  if (isUnavailable) return new OAuthError('temporarily_unavailable', 503, 'The database does not answer.', 5)
  if (!(error instanceof Problem))
    return new OAuthError('server_error', 500, 'Something went wrong inside the gateway.')
  if (error.status === 429)
    return new OAuthError('slow_down', 429, error.message, Number(error.headers['retry-after'] ?? 60))
  if (error.status === 503) return new OAuthError('temporarily_unavailable', 503, error.message, 5)
  return new OAuthError('invalid_request', error.status, error.message)
}

/** Each name once, as the standard asks; JSON is refused, so that there is one way to read a request. */
export async function readForm(request: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  const bytes = await readBody(request, bodyLimit(MAX_FORM_BYTES))
  if (type !== 'application/x-www-form-urlencoded' && bytes.length > 0)
    throw new OAuthError('invalid_request', 400, 'Send application/x-www-form-urlencoded.')
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (form.has(name)) throw new OAuthError('invalid_request', 400, 'A parameter stands twice.')
    form.set(name, value)
  }
  return form
}
