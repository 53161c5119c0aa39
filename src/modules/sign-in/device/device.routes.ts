/** The client's own sign-in to gateways: discovery (RFC 8414), device authorization (RFC 8628), tokens that renew themselves. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { appendAudit } from '../../../foundation/database/audit.ts'
import { type Change, change } from '../../../foundation/database/change.ts'
import type { Database } from '../../../foundation/database/database.ts'
import type { User } from '../../../foundation/domain/user.ts'
import { createAttemptLimit, createPollLimit } from '../../../foundation/http/attempt-limit.ts'
import { shellPage } from '../../../foundation/http/page.ts'
import type { FindPortalFiles } from '../../../foundation/http/portal-files.ts'
import { apiRoute, ok, type Route, rawRoute } from '../../../foundation/http/route.ts'
import type { Clock } from '../../../foundation/platform/clock.ts'
import { newId } from '../../../foundation/platform/ids.ts'
import type { Logger } from '../../../foundation/platform/logger.ts'
import { createUserStore } from '../../people/users.store.ts'
import type { BaseUrlFinder } from '../base-url.ts'
import { nameClient } from '../client-name.ts'
import { type Approval, approvalAnswers, approvalBody } from '../login-approval.service.ts'
import { hashSecretCode, makeSecretCode, showUserCode, withFreshUserCode } from '../login-codes.service.ts'
import { createLoginRequestStore } from '../login-requests.store.ts'
import { toSource } from '../login-throttle.memory.ts'
import { createRefreshTokenStore } from '../refresh-tokens.store.ts'
import type { SessionTokens } from '../session-token.ts'
import { createSignInStore } from '../sign-ins.store.ts'
import { answerOAuth, OAuthError, readForm } from './oauth-answer.service.ts'

export interface DevicePorts {
  readonly database: () => Database
  readonly findBaseUrl: BaseUrlFinder
  readonly approval: Approval
  readonly sessionTokens: SessionTokens
  /** As far as this instance knows. */
  readonly findKnownUser: (userId: string) => User | undefined
  readonly clock: Clock
  readonly log: Logger
  /** After a committed write: this instance knows it at once. */
  readonly changed: () => Promise<void>
  readonly findPortalFiles: FindPortalFiles
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
      const base = ports.findBaseUrl(call)
      return ok({
        issuer: base,
        device_authorization_endpoint: `${base}/oauth/device_authorization`,
        token_endpoint: `${base}/oauth/token`,
        revocation_endpoint: `${base}/oauth/revoke`,
        revocation_endpoint_auth_methods_supported: ['none'],
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
          const base = ports.findBaseUrl({ headers: request.headers, scheme: readScheme(request) })
          limit.requireRoom(toSource(sourceAddress))
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
  const limit = createPollLimit(ports.clock)
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
      429: { text: 'Too many from this address' },
    },
    handle: (request, response, { sourceAddress, requestId }) =>
      answerOAuth(
        response,
        async () => {
          const form = await readForm(request)
          limit.requireRoom(toSource(sourceAddress))
          const grant = form.get('grant_type')
          const grantee = { client: nameClient(request.headers['user-agent']), sourceAddress, requestId }
          if (grant === DEVICE_GRANT) return await takeDeviceGrant(ports, form.get('device_code') ?? '', grantee)
          if (grant === 'refresh_token') return await refresh(ports, form.get('refresh_token') ?? '', grantee)
          throw new OAuthError('unsupported_grant_type', 400, 'Use the device code or the refresh token grant.')
        },
        (error) => ports.log.error({ id: requestId, err: error }, 'a token request failed'),
      ),
  })
}

/** Taken only with its tokens: after a fault of the database the client polls again. */
async function takeDeviceGrant(ports: DevicePorts, code: string, grantee: Grantee): Promise<object> {
  const work = async (tx: Change['tx']) => {
    // A second less than announced: the client's own timer is not exact.
    const poll = await createLoginRequestStore(tx).poll('device', hashSecretCode(code), INTERVAL_SECONDS - 1)
    if (poll.kind !== 'taken') return poll
    const user = await createUserStore(tx).find(poll.userId)
    if (user?.active !== true) return { kind: 'inactive' } as const
    return await storeTokens(ports, tx, user, { ...grantee, family: newId(), isFirst: true })
  }
  const outcome = await ports.database().kysely.transaction().execute(work)
  // Thrown after the transaction: inside, it would undo what the poll has noted.
  switch (outcome.kind) {
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
    case 'inactive':
      throw new OAuthError('access_denied', 400, 'This account may not sign in.')
    case 'ended':
      throw signInAgain()
    case 'stored':
      return await answerTokens(ports, outcome)
  }
}

/**
 * The moment at which somebody who has left is turned away for good. The token is used only with its successor: after a
 * fault of the database the client comes again with it, which must not look like a theft.
 */
async function refresh(ports: DevicePorts, token: string, grantee: Grantee): Promise<object> {
  const work = async (tx: Change['tx']) => {
    const store = createRefreshTokenStore(tx)
    const used = await store.use(hashSecretCode(token))
    if (used.kind !== 'used') return used
    // Not from the snapshot, which may have to be read on a second connection while this one waits.
    const user = await createUserStore(tx).find(used.userId)
    if (user?.active === true && user.sessionEpoch === used.sessionEpoch)
      return await storeTokens(ports, tx, user, { ...grantee, family: used.family, isFirst: false })
    await store.removeFamily(used.family)
    return { kind: 'ended' } as const
  }
  const outcome = await ports.database().kysely.transaction().execute(work)
  if (outcome.kind === 'stored') return await answerTokens(ports, outcome)
  if (outcome.kind === 'replayed') await endStolen(ports, outcome, grantee)
  throw signInAgain()
}

function signInAgain(): OAuthError {
  return new OAuthError('invalid_grant', 401, 'Sign in again.')
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

interface StoredTokens {
  readonly kind: 'stored'
  readonly user: User
  readonly accessToken: string
  readonly refreshToken: string
}

/** `ended`: somebody has signed this session out meanwhile. */
async function storeTokens(
  ports: DevicePorts,
  tx: Change['tx'],
  user: User,
  grant: Grant,
): Promise<StoredTokens | { readonly kind: 'ended' }> {
  const refreshToken = `rt-${randomBytes(32).toString('base64url')}`
  const { token, session } = ports.sessionTokens.issue(user, 'cli', ACCESS_HOURS, grant.family)
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
  if (!(await createSignInStore(tx).keep(signIn))) return { kind: 'ended' }
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
  return { kind: 'stored', user, accessToken: token, refreshToken }
}

async function answerTokens(ports: DevicePorts, { user, accessToken, refreshToken }: StoredTokens): Promise<object> {
  // Another instance may have changed the account a moment ago; the first call with the token comes to this one.
  if (ports.findKnownUser(user.id)?.sessionEpoch !== user.sessionEpoch) await ports.changed()
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: ACCESS_HOURS * 3600,
    refresh_token: refreshToken,
  }
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
      handle: () => shellPage(ports.findPortalFiles),
    }),
    apiRoute({
      method: 'POST',
      path: '/device',
      access: 'person',
      tag,
      summary: 'Confirm or refuse a sign-in of the client',
      body: approvalBody,
      answers: approvalAnswers,
      handle: async (call) => ok(await ports.approval.answer(call, 'device', call.body)),
    }),
  ]
}

function readScheme(request: IncomingMessage): 'http' | 'https' {
  return 'encrypted' in request.socket ? 'https' : 'http'
}
