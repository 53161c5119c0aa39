/** One log line for each request, after its response. */
import { findHint } from '../domain/failure-hints.ts'
import type { FailureReason } from '../domain/failure-reason.ts'
import type { Logger } from '../platform/logger.ts'

export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  /** The route's pattern, never the path as sent: it may hold ids, codes or another person's text. */
  readonly route: string
  readonly status: number
  readonly elapsedMs: number
  readonly caller: string
  /** Only message routes give one. */
  readonly reason: FailureReason | undefined
}

export function logRequest(log: Logger, answered: AnsweredRequest): void {
  const { id, method, route, status, elapsedMs, caller, reason } = answered
  const fields = { id, method, route, status, ms: Math.round(elapsedMs * 10) / 10, caller }
  log.info(reason === undefined ? fields : { ...fields, ...reasonFields(reason) }, 'request')
}

function reasonFields(reason: FailureReason): Readonly<Record<string, string>> {
  const { kind, code, message } = reason
  const words = message === null ? {} : { reason_message: message }
  return { reason: kind, reason_code: code, ...words, hint: findHint(reason, 'admin').text }
}
