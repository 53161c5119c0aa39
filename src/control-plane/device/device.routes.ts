/** The client's own sign-in to gateways: discovery (RFC 8414), device authorization (RFC 8628), tokens that renew themselves. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { User } from '../../domain/user.ts'
import { apiRoute, ok, type Route, rawRoute } from '../../http/route.ts'
import type { SessionTokens } from '../../identity/session-token.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/logger.ts'
import { appendAudit } from '../../stores/audit.ts'
import { change } from '../../stores/change.ts'
import type { Database } from '../../stores/database.ts'
import { createLoginRequestStore } from '../../stores/login-requests.ts'
import { createRefreshTokenStore } from '../../stores/refresh-tokens.ts'
import { createSignInStore } from '../../stores/sign-ins.ts'
import { badInput, forPersons, unknownId } from '../answers.ts'
import { createAttemptLimit } from '../attempt-limit.ts'
import type { BaseUrlOf } from '../base-url.ts'
import { nameClient } from '../client-name.ts'
import { type Approval, approvalAnswer, approvalBody } from '../login-approval.ts'
import { hashSecretCode, makeSecretCode, showUserCode, withFreshUserCode } from '../login-codes.ts'
import { shellPage } from '../page.ts'
import { answerOAuth, OAuthError, readForm } from './oauth-answer.ts'

export interface DevicePorts {
  readonly database: () => Database
  readonly baseUrlOf: BaseUrlOf
  readonly approval: Approval
  readonly sessionTokens: SessionTokens
  readonly findUser: (userId: string) => Promise<User | undefined>
  readonly clock: Clock
  readonly log: Logger
  /** After a committed write: this instance knows it at once. */
  readonly changed: () => Promise<void>
}

const tag = 'Sign-in of the client'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 5
const ACCESS_HOURS = 1
/** Without a refresh for this long the person signs in again. */
const REFRESH_SECONDS = 30 * 24 * 3600
const STARTS_PER_MINUTE = 30

export function deviceRoutes(ports: DevicePorts): Route[] {
  return [metadataRoute(ports), authorizationRoute(ports), tokenRoute(ports), ...pageRoutes(ports)]
}

function metadataRoute(ports: DevicePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    access: 'open',
    tag,
    summary: 'Where the client signs in',
    answers: { 200: { text: 'RFC 8414 metadata' }, 400: { text: 'The Host header cannot be used' } },
    handle: (call) => {
      const base = ports.baseUrlOf(call)
      return ok({
        issuer: base,
        device_authorization_endpoint: `${base}/oauth/device_authorization`,
        token_endpoint: `${base}/oauth/token`,
        grant_types_supported: [DEVICE_GRANT, 'refresh_token'],
        response_types_supported: [],
        token_endpoint_auth_methods_supported: ['none'],
        gateway_protocol_version: 1,
      })
    },
  })
}

function authorizationRoute(ports: DevicePorts): Route {
  const limit = createAttemptLimit(ports.clock, STARTS_PER_MINUTE)
  return rawRoute({
    method: 'POST',
    path: '/oauth/device_authorization',
    access: 'open',
    tag,
    summary: 'Begin a sign-in (RFC 8628)',
    answers: { 200: { text: 'The codes' }, 429: { text: 'Too many from this address' } },
    handle: (request, response, { sourceAddress, requestId }) =>
      answerOAuth(
        response,
        async () => {
          await readForm(request)
          const base = ports.baseUrlOf({ headers: request.headers, scheme: schemeOf(request) })
          limit.requireRoom(sourceAddress)
          const { code, hash } = makeSecretCode()
          const store = createLoginRequestStore(ports.database().kysely)
          const userCode = showUserCode(
            await withFreshUserCode((candidate) =>
              store.insert({
                kind: 'device',
                secretHash: hash,
                userCode: candidate,
                askedFrom: sourceAddress,
                client: request.headers['user-agent']?.replace(/[^\w ./;:()+-]/g, '').slice(0, 100) || null,
                lifetimeSeconds: LIFETIME_SECONDS,
              }),
            ),
          )
          return {
            device_code: code,
            user_code: userCode,
            verification_uri: `${base}/device`,
            verification_uri_complete: `${base}/device?user_code=${userCode}`,
            expires_in: LIFETIME_SECONDS,
            interval: INTERVAL_SECONDS,
          }
        },
        (error) => ports.log.error({ id: requestId, err: error }, 'a device authorization failed'),
      ),
  })
}

function tokenRoute(ports: DevicePorts): Route {
  return rawRoute({
    method: 'POST',
    path: '/oauth/token',
    access: 'open',
    tag,
    summary: 'Poll for tokens, or renew them',
    answers: {
      200: { text: 'Tokens' },
      400: { text: 'Pending, refused, expired or not understood; see `error`' },
      401: { text: '`invalid_grant`: sign in again' },
    },
    handle: (request, response, { sourceAddress, requestId }) =>
      answerOAuth(
        response,
        async () => {
          const form = await readForm(request)
          const grant = form.get('grant_type')
          const grantee = { client: nameClient(request.headers['user-agent']), sourceAddress, requestId }
          if (grant === DEVICE_GRANT) {
            const user = await takeDeviceGrant(ports, form.get('device_code') ?? '')
            return await issueTokens(ports, user, { ...grantee, family: newId(), isFirst: true })
          }
          if (grant === 'refresh_token') return await refresh(ports, form.get('refresh_token') ?? '', grantee)
          throw new OAuthError('unsupported_grant_type', 400, 'Use the device code or the refresh token grant.')
        },
        (error) => ports.log.error({ id: requestId, err: error }, 'a token request failed'),
      ),
  })
}

async function takeDeviceGrant(ports: DevicePorts, code: string): Promise<User> {
  const store = createLoginRequestStore(ports.database().kysely)
  // A second less than announced: the client's own timer is not exact.
  const poll = await store.poll('device', hashSecretCode(code), INTERVAL_SECONDS - 1)
  switch (poll.kind) {
    case 'pending':
      throw new OAuthError('authorization_pending', 400, 'Nobody has confirmed the sign-in yet.')
    case 'early':
      throw new OAuthError('slow_down', 400, 'Wait longer between two polls.')
    case 'denied':
      throw new OAuthError('access_denied', 400, 'The sign-in was refused.')
    case 'expired':
      throw new OAuthError('expired_token', 400, 'The sign-in took too long.')
    case 'unknown':
      throw new OAuthError('invalid_grant', 400, 'The code is unknown or was used.')
    case 'taken': {
      const user = await ports.findUser(poll.userId)
      if (user?.active !== true) throw new OAuthError('access_denied', 400, 'This account may not sign in.')
      return user
    }
  }
}

/** The moment at which somebody who has left is turned away for good. */
async function refresh(ports: DevicePorts, token: string, grantee: Grantee): Promise<object> {
  const store = createRefreshTokenStore(ports.database().kysely)
  const used = await store.use(hashSecretCode(token))
  const user = used.kind === 'used' ? await ports.findUser(used.userId) : undefined
  if (used.kind === 'used' && user?.active === true && user.sessionEpoch === used.sessionEpoch)
    return await issueTokens(ports, user, { ...grantee, family: used.family, isFirst: false })
  if (used.kind === 'used') await store.removeFamily(used.family)
  if (used.kind === 'replayed') await endStolen(ports, used, grantee)
  throw new OAuthError('invalid_grant', 401, 'Sign in again.')
}

interface StolenFamily {
  readonly family: string
  readonly userId: string
}

/** Nobody knows which of the two is the thief, so the tokens that both of them hold end with the renewal. */
async function endStolen(ports: DevicePorts, { family, userId }: StolenFamily, grantee: Grantee): Promise<void> {
  const actor = { name: 'sign-in', sourceAddress: grantee.sourceAddress, requestId: grantee.requestId }
  await change(ports.database(), { sections: ['sessions'], actor }, async ({ tx, audit }) => {
    await createSignInStore(tx).end(family, ports.clock.nowMs())
    // Also those of a sign-in that is in no list.
    await createRefreshTokenStore(tx).removeFamily(family)
    const after = { reason: 'a refresh token was used a second time' }
    audit({ action: 'session.end', target: `user:${userId}`, before: { session_id: family }, after })
  })
  await ports.changed()
}

interface Grantee {
  readonly client: string | null
  readonly sourceAddress: string
  readonly requestId: string
}

interface Grant extends Grantee {
  readonly family: string
  readonly isFirst: boolean
}

async function issueTokens(ports: DevicePorts, user: User, grant: Grant): Promise<object> {
  const refreshToken = `rt-${randomBytes(32).toString('base64url')}`
  const { token, session } = ports.sessionTokens.issue(user, 'cli', ACCESS_HOURS, grant.family)
  const isKept = await ports
    .database()
    .kysely.transaction()
    .execute(async (tx) => {
      const signIn = {
        id: grant.family,
        userId: user.id,
        via: 'device',
        sessionEpoch: user.sessionEpoch,
        client: grant.client,
        sourceAddress: grant.sourceAddress,
        createdAtMs: session.issuedAtMs,
        expiresAtMs: session.issuedAtMs + REFRESH_SECONDS * 1000,
      } as const
      // First, and in the same transaction: who signs this session out meanwhile also removes the token made here.
      if (!(await createSignInStore(tx).keep(signIn))) return false
      await createRefreshTokenStore(tx).insert({
        hash: hashSecretCode(refreshToken),
        family: grant.family,
        userId: user.id,
        sessionEpoch: user.sessionEpoch,
        lifetimeSeconds: REFRESH_SECONDS,
      })
      const actor = { name: user.subject, sourceAddress: grant.sourceAddress, requestId: grant.requestId }
      if (grant.isFirst)
        await appendAudit(tx, actor, [{ action: 'sign-in', target: `user:${user.id}`, after: { via: 'cli' } }])
      return true
    })
  if (!isKept) throw new OAuthError('invalid_grant', 401, 'Sign in again.')
  return { access_token: token, token_type: 'Bearer', expires_in: ACCESS_HOURS * 3600, refresh_token: refreshToken }
}

function pageRoutes(ports: DevicePorts): Route[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/device',
      access: 'open',
      tag,
      summary: 'The page on which a person compares the code and confirms',
      description: 'With `user_code` in the query the code is filled in; it is never confirmed by opening the page.',
      answers: { 200: { text: 'A page' } },
      handle: () => shellPage(),
    }),
    apiRoute({
      method: 'POST',
      path: '/device',
      access: 'person',
      tag,
      summary: 'Confirm or refuse a sign-in of the client',
      body: approvalBody,
      answers: {
        200: { text: 'Answered', schema: approvalAnswer },
        ...badInput,
        ...unknownId,
        ...forPersons,
        429: { text: 'Too many codes were tried' },
      },
      handle: async (call) => ok(await ports.approval.answer(call, 'device', call.body)),
    }),
  ]
}

function schemeOf(request: IncomingMessage): 'http' | 'https' {
  return 'encrypted' in request.socket ? 'https' : 'http'
}
