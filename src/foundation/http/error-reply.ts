/** Turns anything thrown into the one error shape; only catalogue texts reach the client. */
import { errorBody, Problem, problem } from '../domain/errors.ts'

interface FrameworkError {
  readonly name?: string
  readonly code?: string
  readonly statusCode?: number
}

const MIB = 1024 * 1024

/** Errors of the HTTP framework that mean a bad request, by their stable codes. */
export function toProblem(error: unknown, bodyLimit = MIB): Problem {
  if (error instanceof Problem) return error
  const { name, code, statusCode } = (error ?? {}) as FrameworkError
  // Known by its name: this layer does not know the stores.
  if (name === 'DatabaseUnavailableError') return problem('database_unavailable', {}, { cause: error })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return problem('body_too_large', { limit: sizeText(bodyLimit) })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return problem('unsupported_media_type')
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return problem('invalid_request_line', { reason: 'the body does not have the announced length' })
  if (code === 'FST_ERR_BAD_URL') return problem('invalid_request_line', { reason: 'the path is not well encoded' })
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return problem('invalid_request_line', { reason: 'a part of the path is too long' })
  if (statusCode === 400) return problem('invalid_json', { reason: 'it could not be parsed' })
  return problem('internal', {}, { cause: error })
}

function sizeText(bytes: number): string {
  return bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`
}

export function errorJson(failure: Problem, requestId: string): string {
  return JSON.stringify(errorBody(failure, requestId))
}
