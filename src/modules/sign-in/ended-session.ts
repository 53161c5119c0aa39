import type { User } from '../../foundation/domain/user.ts'

/** A session that its user signs out, and where the request came from. */
export interface EndedSession {
  readonly sessionId: string
  readonly user: User
  readonly requestId: string
  readonly sourceAddress: string
}
