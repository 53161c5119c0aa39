/** Signing in at a terminal with the help of a browser: the terminal asks and polls, the person compares a code and confirms. */
import { z } from 'zod'
import type { Database } from '../../../foundation/database/database.ts'
import { problem } from '../../../foundation/domain/errors.ts'
import type { User } from '../../../foundation/domain/user.ts'
import { badInput, forPersons, unknownId } from '../../../foundation/http/answers.ts'
import { createAttemptLimit, createPollLimit } from '../../../foundation/http/attempt-limit.ts'
import { shellPage } from '../../../foundation/http/page.ts'
import type { FindPortalFiles } from '../../../foundation/http/portal-files.ts'
import { apiRoute, ok, type Route } from '../../../foundation/http/route.ts'
import type { Clock } from '../../../foundation/platform/clock.ts'
import type { BaseUrlFinder } from '../base-url.ts'
import { nameClient } from '../client-name.ts'
import { type Approval, approvalAnswers, approvalBody, pendingRequest } from '../login-approval.service.ts'
import { hashSecretCode, makeSecretCode, showUserCode, withFreshUserCode } from '../login-codes.service.ts'
import { createLoginRequestStore } from '../login-requests.store.ts'
import { toSource } from '../login-throttle.memory.ts'
import type { SessionTokens } from '../session-token.ts'
import type { SignInEntry } from './password.routes.ts'

export interface CliLoginPorts {
  readonly database: () => Database
  readonly findBaseUrl: BaseUrlFinder
  readonly approval: Approval
  readonly sessionTokens: SessionTokens
  readonly ttlHours: () => number
  /** As stored now, also when this instance has not heard of them yet. */
  readonly findUser: (userId: string) => Promise<User | undefined>
  readonly recordSignIn: (entry: SignInEntry) => void
  readonly clock: Clock
  readonly findPortalFiles: FindPortalFiles
}

const tag = 'Sign-in from a terminal'
const LIFETIME_SECONDS = 300
const INTERVAL_SECONDS = 2
const STARTS_PER_MINUTE = 30

export function cliLoginRoutes(ports: CliLoginPorts): Route[] {
  return [beginRoute(ports), callbackPage(ports), lookRoute(ports), completeRoute(ports), pollRoute(ports)]
}

function beginRoute(ports: CliLoginPorts): Route {
  const limit = createAttemptLimit(ports.clock, STARTS_PER_MINUTE)
  return apiRoute({
    method: 'GET',
    path: '/auth/cli/login',
    access: 'open',
    tag,
    summary: 'Begin a sign-in: open `verification_url` in a browser, then poll with `session_code`',
    answers: {
      200: {
        text: 'The codes',
        schema: z.object({
          session_code: z.string(),
          user_code: z.string(),
          verification_url: z.string(),
          interval: z.int(),
          expires_in: z.int(),
        }),
      },
      400: { text: 'The Host header cannot be used' },
      429: { text: 'Too many sign-ins from this address' },
      503: { text: 'There is no database, or it does not answer' },
    },
    handle: async (call) => {
      const base = ports.findBaseUrl(call)
      limit.requireRoom(toSource(call.sourceAddress))
      const { code, hash } = makeSecretCode()
      const store = createLoginRequestStore(ports.database().kysely)
      const userCode = await withFreshUserCode((candidate) =>
        store.insert({
          kind: 'cli',
          secretHash: hash,
          userCode: candidate,
          askedFrom: call.sourceAddress,
          client: clientName(call.headers['user-agent']),
          lifetimeSeconds: LIFETIME_SECONDS,
        }),
      )
      return ok({
        session_code: code,
        user_code: showUserCode(userCode),
        verification_url: `${base}/auth/cli/callback?user_code=${showUserCode(userCode)}`,
        interval: INTERVAL_SECONDS,
        expires_in: LIFETIME_SECONDS,
      })
    },
  })
}

/** Shown to the person who confirms; anybody can write anything here, so only plain characters are kept. */
function clientName(userAgent: string | undefined): string | null {
  return userAgent?.replace(/[^\w ./;:()+-]/g, '').slice(0, 100) || null
}

function callbackPage(ports: CliLoginPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/auth/cli/callback',
    access: 'open',
    tag,
    summary: 'The page on which a person compares the code and confirms',
    description: 'It signs the person in first. Opening it never confirms anything.',
    answers: { 200: { text: 'A page' } },
    handle: () => shellPage(ports.findPortalFiles),
  })
}

function lookRoute(ports: CliLoginPorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/auth/cli/request',
    access: 'person',
    tag,
    summary: 'Look at a sign-in that waits for an answer',
    query: z.strictObject({ user_code: z.string().max(40) }),
    answers: {
      200: { text: 'Who asks', schema: pendingRequest },
      ...badInput,
      ...unknownId,
      ...forPersons,
      429: { text: 'Too many codes were tried' },
    },
    handle: async (call) => ok(await ports.approval.look(call, call.query.user_code)),
  })
}

function completeRoute(ports: CliLoginPorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/auth/cli/complete',
    access: 'person',
    tag,
    summary: 'Confirm or refuse a sign-in',
    description:
      'Only from a signed-in browser: the portal cookie and `x-csrf-token` are needed, bearer tokens are refused.',
    body: approvalBody,
    answers: approvalAnswers,
    handle: async (call) => ok(await ports.approval.answer(call, 'cli', call.body)),
  })
}

function pollRoute(ports: CliLoginPorts): Route {
  const limit = createPollLimit(ports.clock)
  return apiRoute({
    method: 'GET',
    path: '/auth/cli/poll',
    access: 'open',
    tag,
    summary: 'Ask whether the sign-in was confirmed; gives the token once',
    query: z.object({ session_code: z.string().max(200) }),
    answers: {
      200: {
        text: 'Signed in',
        schema: z.object({
          status: z.literal('complete'),
          token: z.string(),
          expires_at: z.iso.datetime(),
          expires_in: z.int(),
        }),
      },
      202: { text: 'Not answered yet', schema: z.object({ status: z.literal('pending') }) },
      ...badInput,
      403: { text: 'The person has been deactivated since' },
      404: { text: 'Unknown, or the token was already given' },
      410: { text: 'Too late, or refused', schema: z.object({ status: z.enum(['expired', 'denied']) }) },
      429: { text: 'Too many polls from this address' },
      503: { text: 'There is no database, or it does not answer' },
    },
    handle: async ({ query, headers, requestId, sourceAddress }) => {
      limit.requireRoom(toSource(sourceAddress))
      const poll = await createLoginRequestStore(ports.database().kysely).poll(
        'cli',
        hashSecretCode(query.session_code),
        0,
      )
      if (poll.kind === 'unknown') throw problem('not_found', { what: 'open sign-in' })
      if (poll.kind === 'expired' || poll.kind === 'denied') return { status: 410, body: { status: poll.kind } }
      if (poll.kind !== 'taken') return { status: 202, body: { status: 'pending' } }
      const user = await ports.findUser(poll.userId)
      if (user === undefined || !user.active) throw problem('user_inactive')
      const { token, session } = ports.sessionTokens.issue(user, 'cli', ports.ttlHours())
      ports.recordSignIn({ user, session, client: nameClient(headers['user-agent']), requestId, sourceAddress })
      return ok({
        status: 'complete',
        token,
        expires_at: new Date(session.expiresAtMs).toISOString(),
        expires_in: Math.floor((session.expiresAtMs - session.issuedAtMs) / 1000),
      })
    },
  })
}
