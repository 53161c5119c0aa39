/** The person's side of a sign-in that a terminal asked for: look at it, compare the code, say yes or no. */
import { z } from 'zod'
import type { Database } from '../../foundation/database/database.ts'
import { problem } from '../../foundation/domain/errors.ts'
import { badInput, forPersons, unknownId } from '../../foundation/http/answers.ts'
import { type AttemptLimit, createAttemptLimit } from '../../foundation/http/attempt-limit.ts'
import type { Call } from '../../foundation/http/route.ts'
import { toPublicError } from '../../foundation/http/store-problems.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { findUserCode, showUserCode } from './login-codes.service.ts'
import { createLoginRequestStore, type LoginRequest, type LoginRequestKind } from './login-requests.store.ts'
import { findPortalToken, type SchemeReader } from './portal-session.ts'
import type { Session, SessionFacts, SessionTokens } from './session-token.ts'

export interface ApprovalPorts {
  readonly database: () => Database
  readonly clock: Clock
  readonly readScheme: SchemeReader
  readonly sessionTokens: SessionTokens
  readonly facts: () => SessionFacts
}

type AnyCall = Pick<Call<unknown, unknown, unknown>, 'headers' | 'scheme' | 'sourceAddress'>

export interface Approval {
  readonly look: (call: AnyCall, typedCode: string) => Promise<object>
  readonly answer: (call: AnyCall, kind: LoginRequestKind, body: ApprovalBody) => Promise<object>
}

export const approvalBody = z.strictObject({
  user_code: z.string().max(40),
  approve: z.boolean().default(true),
})
export type ApprovalBody = z.infer<typeof approvalBody>

export const approvalAnswers = {
  200: { text: 'Answered', schema: z.object({ status: z.enum(['approved', 'denied']), user_code: z.string() }) },
  ...badInput,
  ...unknownId,
  ...forPersons,
  429: { text: 'Too many codes were tried' },
}

export const pendingRequest = z.object({
  kind: z.enum(['cli', 'device']),
  user_code: z.string(),
  asked_from: z.string(),
  client: z.string().nullable(),
  asked_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
})

const GUESSES_PER_MINUTE = 20

export function createApproval(ports: ApprovalPorts): Approval {
  const limit = createAttemptLimit(ports.clock, GUESSES_PER_MINUTE)

  return {
    look: async (call, typedCode) => {
      const { userId } = requireSignedInBrowser(ports, call)
      const userCode = requireUserCode(limit, userId, typedCode)
      const request = await createLoginRequestStore(ports.database().kysely).findPending(userCode)
      return describe(requireRequest(request))
    },
    answer: async (call, kind, body) => {
      const session = requireSignedInBrowser(ports, call)
      const userCode = requireUserCode(limit, session.userId, body.user_code)
      const store = createLoginRequestStore(ports.database().kysely)
      const settled = await store
        .settle(kind, userCode, body.approve ? { approvedBy: session } : 'denied')
        .catch((error: unknown) => {
          throw toPublicError(error)
        })
      // It still waits, so the answer was refused for who gave it: signed out on another instance a moment ago.
      if (settled === undefined && (await store.findPending(userCode))?.kind === kind)
        throw problem('invalid_credential')
      return { status: requireRequest(settled).state, user_code: showUserCode(userCode) }
    },
  }
}

/**
 * Only a browser that a person has signed in may say yes: a bearer token proves no person at a screen, and a token that
 * came from a terminal must not be able to make others that outlive it.
 */
function requireSignedInBrowser(ports: ApprovalPorts, call: AnyCall): Session {
  const token = findPortalToken(call.headers, ports.readScheme(call.headers, call.scheme))
  const verdict = token === undefined ? undefined : ports.sessionTokens.verify(token, ports.facts())
  if (verdict?.kind !== 'valid' || verdict.session.via === 'cli') throw problem('csrf_rejected')
  return verdict.session
}

function requireUserCode(limit: AttemptLimit, userId: string, typedCode: string): string {
  limit.requireRoom(userId)
  const userCode = findUserCode(typedCode)
  if (userCode === undefined) throw problem('not_found', { what: 'sign-in request' })
  return userCode
}

function requireRequest(request: LoginRequest | undefined): LoginRequest {
  if (request === undefined) throw problem('not_found', { what: 'open sign-in request' })
  return request
}

function describe(request: LoginRequest): object {
  return {
    kind: request.kind,
    user_code: showUserCode(request.userCode),
    asked_from: request.askedFrom,
    client: request.client,
    asked_at: new Date(request.createdAtMs).toISOString(),
    expires_at: new Date(request.expiresAtMs).toISOString(),
  }
}
