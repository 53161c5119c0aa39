/** Signing out of the client (RFC 7009): either of its two tokens ends the whole session. */

import type { Database } from '../../../foundation/database/database.ts'
import type { Snapshot } from '../../../foundation/domain/snapshot.ts'
import type { User } from '../../../foundation/domain/user.ts'
import { createPollLimit } from '../../../foundation/http/attempt-limit.ts'
import { type Route, rawRoute } from '../../../foundation/http/route.ts'
import type { Clock } from '../../../foundation/platform/clock.ts'
import type { Logger } from '../../../foundation/platform/logger.ts'
import type { EndedSession } from '../ended-session.ts'
import { hashSecretCode } from '../login-codes.service.ts'
import { toSource } from '../login-throttle.memory.ts'
import { createRefreshTokenStore } from '../refresh-tokens.store.ts'
import { SESSION_TOKEN_PREFIX, type SessionTokens } from '../session-token.ts'
import { answerOAuth, OAuthError, readForm } from './oauth-answer.service.ts'

export interface RevokePorts {
  readonly database: () => Database
  readonly sessionTokens: SessionTokens
  readonly snapshot: () => Pick<Snapshot, 'revokedSessions'>
  /** As stored now, also when this instance has not heard of them yet. */
  readonly findUser: (userId: string) => Promise<User | undefined>
  readonly revokeSession: (ended: EndedSession) => Promise<void>
  readonly clock: Clock
  readonly log: Logger
}

interface FoundSession {
  readonly id: string
  readonly userId: string
}

export function revokeRoute(ports: RevokePorts): Route {
  const limit = createPollLimit(ports.clock)
  return rawRoute({
    method: 'POST',
    path: '/oauth/revoke',
    access: 'open',
    tag: 'Sign-in of the client',
    summary: 'Sign out: end the session of an access or refresh token (RFC 7009)',
    description: 'Takes a form with `token`. It answers the same for unknown tokens. `token_type_hint` is ignored.',
    answers: {
      200: { text: 'The token no longer works' },
      400: { text: 'There is no token, or the body is not a form' },
      429: { text: 'Too many from this address' },
      503: { text: 'The database does not answer. The session is still open, so try again' },
    },
    handle: (request, response, { sourceAddress, requestId }) =>
      answerOAuth(
        response,
        async () => {
          const token = (await readForm(request)).get('token') ?? ''
          if (token === '') throw new OAuthError('invalid_request', 400, 'The form has no token. Send it as `token`.')
          limit.requireRoom(toSource(sourceAddress))
          const session = await findSession(ports, token)
          if (session === undefined || ports.snapshot().revokedSessions.has(session.id)) return {}
          const user = await ports.findUser(session.userId)
          // A deleted user has no sessions left.
          if (user !== undefined) await ports.revokeSession({ sessionId: session.id, user, requestId, sourceAddress })
          return {}
        },
        (error) => ports.log.error({ id: requestId, err: error }, 'a token could not be revoked'),
      ),
  })
}

/** An expired access token counts too: its session might still have a refresh token. */
async function findSession(ports: RevokePorts, token: string): Promise<FoundSession | undefined> {
  if (token.startsWith(SESSION_TOKEN_PREFIX)) return ports.sessionTokens.findSession(token)
  const found = await createRefreshTokenStore(ports.database().kysely).find(hashSecretCode(token))
  return found && { id: found.family, userId: found.userId }
}
