/** Signing in through an identity provider in the browser: leaving, coming back, and the portal's page itself. */
import { z } from 'zod'
import { Problem, problem } from '../../../foundation/domain/errors.ts'
import type { IdentityProvider } from '../../../foundation/domain/idp.ts'
import type { User } from '../../../foundation/domain/user.ts'
import { type AttemptLimit, createAttemptLimit } from '../../../foundation/http/attempt-limit.ts'
import { id } from '../../../foundation/http/fields.ts'
import { type Notice, noticePage, shellPage } from '../../../foundation/http/page.ts'
import type { FindPortalFiles } from '../../../foundation/http/portal-files.ts'
import { type Answer, apiRoute, type Call, type Route } from '../../../foundation/http/route.ts'
import { toPublicError } from '../../../foundation/http/store-problems.ts'
import type { Clock } from '../../../foundation/platform/clock.ts'
import type { Logger } from '../../../foundation/platform/logger.ts'
import type { BaseUrlFinder } from '../base-url.ts'
import { nameClient } from '../client-name.ts'
import { findUserCode } from '../login-codes.service.ts'
import { toSource } from '../login-throttle.memory.ts'
import { endedSessionCookies, type SchemeReader, sessionCookie } from '../portal-session.ts'
import type { ResolveUser, SignInOrigin } from '../resolve-user.ts'
import type { SessionTokens } from '../session-token.ts'
import { findEmail } from '../user-claim.ts'
import { type OidcClient, SignInFailure } from './oidc-client.service.ts'
import type { SignInEntry } from './password.routes.ts'
import type { ProviderSignOut } from './provider-sign-out.ts'
import type { SignInState, SignInStates } from './sign-in-states.memory.ts'

export interface SsoPorts {
  readonly providers: () => readonly IdentityProvider[]
  readonly findBaseUrl: BaseUrlFinder
  readonly readScheme: SchemeReader
  readonly states: SignInStates
  readonly oidc: OidcClient
  readonly providerSignOut: ProviderSignOut
  readonly resolveUser: ResolveUser
  /** As stored now; as given when the database does not answer. */
  readonly asStored: (user: User) => Promise<User>
  readonly sessionTokens: SessionTokens
  readonly ttlHours: () => number
  readonly recordSignIn: (entry: SignInEntry) => void
  /** Never fails. */
  readonly followEmail: (user: User, email: string, origin: SignInOrigin) => Promise<User>
  readonly log: Logger
  /** Throws the public error when people cannot be remembered: their sessions would name nobody. */
  readonly database: () => unknown
  readonly clock: Clock
  readonly findPortalFiles: FindPortalFiles
}

/**
 * Each begun sign-in can make us ask the provider twice, which counts our questions too and ends by refusing everybody.
 * As many as a large office behind one address needs in the morning.
 */
const STARTS_PER_MINUTE = 200

const page = { 200: { text: 'A page' } } as const

/** Where the person was going: the portal, or a code to confirm. Never an address that somebody sent along. */
const startQuery = z.object({ cli: z.string().optional(), device: z.string().optional(), hop: z.string().optional() })

export function ssoRoutes(ports: SsoPorts): Route[] {
  const limit = createAttemptLimit(ports.clock, STARTS_PER_MINUTE)
  return [
    apiRoute({
      method: 'GET',
      path: '/auth/sso/{idp_id}/start',
      access: 'open',
      tag: 'Sign-in',
      summary: 'Begin a sign-in through an identity provider',
      params: z.object({ idp_id: id }),
      query: startQuery,
      answers: {
        302: { text: 'To the provider' },
        404: { text: 'No such provider' },
        429: { text: 'A page: too many sign-ins from this address' },
        502: { text: 'A page' },
        503: { text: 'A page' },
      },
      handle: (call) => start(ports, limit, call, call.params.idp_id, call.query),
    }),
    apiRoute({
      method: 'GET',
      path: '/portal',
      access: 'open',
      tag: 'Portal',
      summary: 'The portal, and the way back from an identity provider',
      query: z.record(z.string(), z.unknown()),
      answers: { ...page, 303: { text: 'Signed in' }, 400: { text: 'A page: the sign-in cannot be finished' } },
      handle: (call) => (isReturn(call.query) ? finish(ports, call, call.query) : shellPage(ports.findPortalFiles)),
    }),
  ]
}

async function start(
  ports: SsoPorts,
  limit: AttemptLimit,
  call: Call<unknown, unknown, unknown>,
  idpId: string,
  query: z.infer<typeof startQuery>,
): Promise<Answer> {
  const idp = ports.providers().find((one) => one.id === idpId && one.enabled)
  if (idp === undefined) throw problem('not_found', { what: 'identity provider' })
  const base = ports.findBaseUrl(call, idp)
  const returnTo = returnPath(query)
  const scheme = ports.readScheme(call.headers, call.scheme)
  // The state's cookie must be set where the provider will send the browser; once, since a proxy may rewrite the host.
  if (base !== `${scheme}://${call.headers.host}` && query.hop === undefined)
    return redirect(302, `${base}/auth/sso/${idp.id}/start?${startAgain(query)}`, [])
  try {
    limit.requireRoom(toSource(call.sourceAddress))
    ports.database()
    const wishes = { idpId: idp.id, redirectUri: `${base}/portal`, returnTo }
    const { state, cookies } = ports.states.begin(wishes, call.headers, scheme)
    return redirect(302, await ports.oidc.authorizationUrl(idp, state), cookies)
  } catch (error) {
    return refusal(ports, call, error, returnTo)
  }
}

function startAgain({ cli, device }: z.infer<typeof startQuery>): string {
  const query = new URLSearchParams({ hop: '1' })
  const codes = { cli: findUserCode(cli ?? ''), device: findUserCode(device ?? '') }
  for (const [name, code] of Object.entries(codes)) if (code !== undefined) query.set(name, code)
  return query.toString()
}

function returnPath({ cli, device }: z.infer<typeof startQuery>): string {
  const cliCode = findUserCode(cli ?? '')
  if (cliCode !== undefined) return `/auth/cli/callback?user_code=${cliCode}`
  const deviceCode = findUserCode(device ?? '')
  return deviceCode === undefined ? '/portal#/' : `/device?user_code=${deviceCode}`
}

function isReturn(query: Readonly<Record<string, unknown>>): boolean {
  return query['state'] !== undefined || query['code'] !== undefined || query['error'] !== undefined
}

async function finish(
  ports: SsoPorts,
  call: Call<unknown, unknown, unknown>,
  query: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  const scheme = ports.readScheme(call.headers, call.scheme)
  const state = ports.states.take(text('state'), call.headers, scheme)
  if (state === undefined) return noticePage({ ...foreignState, requestId: call.requestId })
  const forget = [ports.states.ended(state.state, scheme)]
  try {
    if (text('error') !== '') return withCookies(refusedByProvider(text('error'), state, call.requestId), forget)
    const { requestId, sourceAddress } = call
    const answer = { code: text('code'), issuer: text('iss') }
    const { user, idp, idToken } = await identify(ports, state, answer, { requestId, sourceAddress })
    const ttlHours = ports.ttlHours()
    const { token, session } = ports.sessionTokens.issue(user, 'sso', ttlHours)
    ports.recordSignIn({ user, session, client: nameClient(call.headers['user-agent']), requestId, sourceAddress })
    const maxAgeSeconds = ttlHours * 3600
    const atProvider = ports.providerSignOut.begin({ idp, sessionId: session.id, idToken, scheme, maxAgeSeconds })
    return redirect(303, state.returnTo, [...forget, sessionCookie(token, scheme, maxAgeSeconds), ...atProvider])
  } catch (error) {
    // Whoever was signed in here before is not the person who has just failed to sign in.
    return withCookies(refusal(ports, call, error, state.returnTo), [...forget, ...endedSessionCookies(scheme)])
  }
}

interface ProviderAnswer {
  readonly code: string
  readonly issuer: string
}

interface Identified {
  readonly user: User
  readonly idp: IdentityProvider
  readonly idToken: string
}

async function identify(
  ports: SsoPorts,
  state: SignInState,
  { code, issuer }: ProviderAnswer,
  origin: SignInOrigin,
): Promise<Identified> {
  const idp = ports.providers().find((one) => one.id === state.idpId && one.enabled)
  if (idp === undefined) throw problem('not_found', { what: 'identity provider' })
  // RFC 9207: an answer that names another issuer was meant for another sign-in.
  if (issuer !== '' && issuer !== idp.issuerUrl) throw new SignInFailure('token-invalid', 'another issuer answered')
  const { claims, idToken } = await ports.oidc.exchange(idp, state, code)
  const user = await ports.asStored(await ports.resolveUser(claims, idp, origin))
  if (!user.active) throw problem('user_inactive')
  const email = findEmail(claims)
  return { user: email === undefined ? user : await ports.followEmail(user, email, origin), idp, idToken }
}

const again = { label: 'Try again', href: '/portal' } as const

const foreignState = {
  status: 400,
  title: 'This sign-in cannot be finished',
  text: 'It was begun in another browser, has been used already, or took longer than ten minutes. Begin again on this page.',
  next: again,
} as const

const failures = {
  'provider-unreachable': {
    status: 502,
    title: 'The identity provider does not answer',
    text: 'The gateway could not reach it. Try again in a minute; an administrator can still sign in with the password.',
  },
  'secret-unreadable': {
    status: 500,
    title: 'The gateway cannot use this identity provider',
    text: 'The client secret that it has stored was sealed with another SECRET_KEY. An administrator can sign in with the password and store it again.',
  },
  'code-refused': {
    status: 400,
    title: 'The identity provider refused this sign-in',
    text: 'The code has been used already or has expired. Begin again.',
  },
  'token-invalid': {
    status: 400,
    title: 'The answer of the identity provider does not fit',
    text: 'It is not meant for this gateway or for this sign-in. Begin again; if it happens twice, tell an administrator.',
  },
} as const

/** Known refusals become a page; everything else is a fault and goes up. */
function refusal(
  ports: SsoPorts,
  call: Pick<Call<unknown, unknown, unknown>, 'requestId'>,
  error: unknown,
  returnTo: string,
): Answer {
  const next = returnTo.startsWith('/portal') ? again : { label: 'Try again', href: returnTo }
  if (error instanceof SignInFailure) {
    ports.log.warn({ id: call.requestId, kind: error.kind, err: error }, 'a sign-in could not be finished')
    return noticePage({ ...failures[error.kind], next, requestId: call.requestId })
  }
  const known = toPublicError(error)
  if (!(known instanceof Problem)) throw error
  const title = known.status === 403 ? 'You cannot sign in here' : 'The sign-in did not work'
  return noticePage({ status: known.status, title, text: known.message, next, requestId: call.requestId })
}

/** Only codes that the standard names are shown; the rest of the answer is somebody else's text. */
function refusedByProvider(error: string, state: SignInState, requestId: string): Answer {
  const text =
    error === 'access_denied'
      ? 'You, or a rule of the identity provider, declined it.'
      : 'The identity provider reported an error. Begin again; if it happens twice, tell an administrator.'
  const notice: Notice = { status: 400, title: 'Not signed in', text, next: again, requestId }
  return noticePage(
    state.returnTo.startsWith('/portal') ? notice : { ...notice, next: { label: 'Try again', href: state.returnTo } },
  )
}

function redirect(status: number, location: string, cookies: string[]): Answer {
  return withCookies({ status, headers: { location } }, cookies)
}

function withCookies(answer: Answer, cookies: string[]): Answer {
  return cookies.length === 0 ? answer : { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } }
}
