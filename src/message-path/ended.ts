/** What the pipeline keeps of a hosted call that has been answered or has failed: not its request, which may be large. */
import type { Attempt, RequestChanges } from '../foundation/domain/spend-record.ts'
import { neverSent } from './call-provider/attempt.ts'
import type { Called } from './call-provider/call-provider.ts'
import type { Candidate } from './context.ts'
import type { AnswerHead } from './ports.ts'
import type { PreparedRequest } from './prepare-request.ts'

/** What is left of a call to the hosted service once it has begun to answer. */
export interface Ended {
  readonly candidate: Candidate
  /** Not the plan that they come from, which holds its request. */
  readonly changes: RequestChanges
  readonly attempts: readonly Attempt[]
  /** Of an answer that broke later. */
  readonly head?: AnswerHead | undefined
  /** Given up before any of it was sent. */
  readonly isUnsent: boolean
}

export function toEnded({ candidate, request, attempts, result }: Called<PreparedRequest, unknown>): Ended {
  const { betas, strippedBetas, repairs } = request.plan
  const { head, failure } = result.kind === 'failed' ? result : {}
  const changes = { betasSent: betas, betasStripped: strippedBetas, repairs }
  return { candidate, changes, attempts, head, isUnsent: failure === neverSent }
}
