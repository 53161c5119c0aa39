/** What went wrong with a call, in the gateway's own words: the one error that pages and forms know how to show. */
export interface FieldProblem {
  readonly path: string
  readonly message: string
}

export class ApiError extends Error {
  /** 0 when no answer came. */
  readonly status: number
  readonly code: string
  readonly details: readonly FieldProblem[]
  readonly requestId: string | undefined

  constructor(
    message: string,
    parts: { status: number; code: string; details?: readonly FieldProblem[]; requestId?: string | undefined },
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = parts.status
    this.code = parts.code
    this.details = parts.details ?? []
    this.requestId = parts.requestId
  }
}

interface ErrorBody {
  readonly error?: { message?: unknown; code?: unknown; details?: unknown }
  readonly request_id?: unknown
}

/** The gateway speaks to programs here, of headers; a person in a browser has lost the session. */
const sessionCodes: ReadonlySet<string> = new Set(['missing_credential', 'invalid_credential'])
const SESSION_ENDED = 'Your session has ended. Sign in again to go on.'

export function errorOfAnswer(response: Response, body: unknown): ApiError {
  const { error, request_id: requestId } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
  const code = typeof error?.code === 'string' ? error.code : `http_${response.status}`
  const message = typeof error?.message === 'string' ? error.message : fallbackText(response.status)
  return new ApiError(sessionCodes.has(code) ? SESSION_ENDED : message, {
    status: response.status,
    code,
    details: Array.isArray(error?.details) ? (error.details as FieldProblem[]) : [],
    requestId: typeof requestId === 'string' ? requestId : (response.headers.get('request-id') ?? undefined),
  })
}

function fallbackText(status: number): string {
  if (status === 502 || status === 503 || status === 504)
    return 'The gateway, or a proxy in front of it, cannot answer right now. Try again in a moment.'
  return `The gateway answered with status ${status} and no explanation.`
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new ApiError(
      'The gateway did not answer in time. Nothing is known about what it did: look before you try again.',
      {
        status: 0,
        code: 'timeout',
      },
    )
  if (error instanceof TypeError)
    return new ApiError('The gateway cannot be reached. Check your connection and try again.', {
      status: 0,
      code: 'unreachable',
    })
  return new ApiError(error instanceof Error ? error.message : 'Something unexpected happened.', {
    status: 0,
    code: 'unexpected',
  })
}
