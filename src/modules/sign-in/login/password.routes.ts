/** Signing in with the bootstrap administrator's password, signing out, and asking who one is. */
import { z } from 'zod'
import type { Caller } from '../../../foundation/domain/caller.ts'
import { type ErrorCode, Problem } from '../../../foundation/domain/errors.ts'
import type { IdentityProvider } from '../../../foundation/domain/idp.ts'
import type { User } from '../../../foundation/domain/user.ts'
import { grant, id, role } from '../../../foundation/http/fields.ts'
import { apiRoute, noContent, ok, type Route } from '../../../foundation/http/route.ts'
import type { Clock } from '../../../foundation/platform/clock.ts'
import { nameClient } from '../client-name.ts'
import type { EndedSession } from '../ended-session.ts'
import type { PasswordLogin } from '../password-login.ts'
import {
  deriveCsrfToken,
  endedSessionCookies,
  findPortalToken,
  type SchemeReader,
  sessionCookie,
} from '../portal-session.ts'
import { endOfSession, type Session, type SessionTokens } from '../session-token.ts'
import type { ProviderSignOut } from './provider-sign-out.ts'

export interface LoginPorts {
  readonly passwordLogin: PasswordLogin
  /** Throws the public error when this may be a page of another site that has led its name here. */
  readonly requireHost: (host: string | undefined) => void
  readonly sessionTokens: SessionTokens
  readonly bootstrapUser: () => User
  /** As stored now; as given when the database does not answer. */
  readonly asStored: (user: User) => Promise<User>
  readonly ttlHours: () => number
  readonly clock: Pick<Clock, 'nowMs'>
  readonly readScheme: SchemeReader
  readonly providers: () => readonly IdentityProvider[]
  readonly providerSignOut: ProviderSignOut
  readonly revokeSession: (ended: EndedSession) => Promise<void>
  readonly recordSignIn: (entry: SignInEntry) => void
  readonly recordFailedSignIn: (failed: FailedSignIn) => void
}

export interface SignInEntry {
  readonly user: User
  readonly session: Session
  /** What was signed in, in a few words. */
  readonly client: string | null
  readonly requestId: string
  readonly sourceAddress: string
}

export interface FailedSignIn {
  /** As typed. */
  readonly username: string
  readonly reason: ErrorCode
  readonly requestId: string
  readonly sourceAddress: string
}

const credentials = z.strictObject({ username: z.string().max(320), password: z.string().max(1024) })

const callerSchema = z.object({
  signed_in_with: z.enum(['key', 'session', 'jwt']),
  user: z.object({ id, subject: z.string(), email: z.string().nullable(), role }).nullable(),
  role,
  grants: z.array(grant),
  team: z.object({ id, name: z.string() }).nullable(),
  key: z.object({ id, name: z.string(), prefix: z.string() }).optional(),
  csrf_token: z.string().optional(),
  session_expires_in: z.int().optional(),
})

const providersSchema = z.object({
  providers: z.array(z.object({ id, name: z.string() })),
  admin_login_enabled: z.boolean(),
})

export function passwordRoutes(ports: LoginPorts): Route[] {
  return [
    apiRoute({
      method: 'POST',
      path: '/auth/login',
      access: 'open',
      tag: 'Sign-in',
      summary: 'Sign in with the admin user name and password',
      body: credentials,
      answers: {
        200: {
          text: 'A session token',
          schema: z.object({ token: z.string(), expires_at: z.iso.datetime(), role: z.enum(['member', 'admin']) }),
        },
        400: { text: 'The body is not valid, or the Host header cannot be used' },
        401: { text: 'Wrong user name or password' },
        403: { text: 'Password sign-in is off' },
        429: { text: 'Too many failures' },
      },
      handle: async ({ body, sourceAddress, requestId, headers, scheme }) => {
        ports.requireHost(headers.host)
        try {
          await ports.passwordLogin.requirePassword({ ...body, sourceAddress })
        } catch (error) {
          if (error instanceof Problem)
            ports.recordFailedSignIn({ username: body.username, reason: error.code, requestId, sourceAddress })
          throw error
        }
        const user = await ports.asStored(ports.bootstrapUser())
        const { token, session } = ports.sessionTokens.issue(user, 'password', ports.ttlHours())
        ports.recordSignIn({ user, session, client: nameClient(headers['user-agent']), requestId, sourceAddress })
        const kept = sessionCookie(token, ports.readScheme(headers, scheme), ports.ttlHours() * 3600)
        return ok(
          { token, expires_at: new Date(session.expiresAtMs).toISOString(), role: user.role },
          { 'set-cookie': kept },
        )
      },
    }),
    apiRoute({
      method: 'POST',
      path: '/auth/logout',
      access: 'person',
      tag: 'Sign-in',
      summary: 'End the presented session',
      description:
        'For a browser that signed in through a provider with `logout: provider`, the answer names the address where the browser signs out there too.',
      answers: {
        200: {
          text: 'Signed out here, but not yet at the provider',
          schema: z.object({ provider_logout_url: z.url() }),
        },
        204: { text: 'Signed out' },
      },
      handle: async (call) => {
        const scheme = ports.readScheme(call.headers, call.scheme)
        const headers = { 'set-cookie': [...endedSessionCookies(scheme), ports.providerSignOut.ended(scheme)] }
        if (call.caller?.kind !== 'session') return { ...noContent, headers }
        const { sessionId, user } = call.caller
        const { requestId, sourceAddress } = call
        await ports.revokeSession({ sessionId, user, requestId, sourceAddress })
        const url = await ports.providerSignOut.findUrl(call, sessionId)
        return url === undefined ? { ...noContent, headers } : ok({ provider_logout_url: url }, headers)
      },
    }),
    apiRoute({
      method: 'GET',
      path: '/auth/me',
      access: 'self-read',
      tag: 'Sign-in',
      summary: 'Who am I',
      answers: { 200: { text: 'The caller: user, role, team and how signed in', schema: callerSchema } },
      description:
        'With the portal cookie it also gives `csrf_token`, which writes with that cookie need as `x-csrf-token`, and how many seconds are left of the session.',
      handle: ({ caller, headers, scheme }) => {
        const portalToken = findPortalToken(headers, ports.readScheme(headers, scheme))
        return ok({ ...describeCaller(caller), ...(portalToken === undefined ? {} : aboutCookie(portalToken, ports)) })
      },
    }),
    apiRoute({
      method: 'GET',
      path: '/auth/providers',
      access: 'open',
      tag: 'Sign-in',
      summary: 'The ways to sign in',
      answers: { 200: { text: 'Identity providers and whether password sign-in is on', schema: providersSchema } },
      handle: () =>
        ok({
          providers: ports
            .providers()
            .filter((idp) => idp.enabled)
            .map(({ id, name }) => ({ id, name })),
          admin_login_enabled: ports.passwordLogin.isOffered(),
        }),
    }),
  ]
}

/** Seconds and no time of day: the clock of a browser may be wrong. */
function aboutCookie(token: string, { sessionTokens, ttlHours, clock }: LoginPorts): object {
  const session = sessionTokens.findSession(token)
  const leftMs = session === undefined ? 0 : endOfSession(session, ttlHours()) - clock.nowMs()
  return { csrf_token: deriveCsrfToken(token), session_expires_in: Math.max(0, Math.floor(leftMs / 1000)) }
}

function describeCaller(caller: Caller | undefined): object {
  if (caller === undefined) return {}
  const { user, team } = caller
  return {
    signed_in_with: caller.kind,
    user: user === null ? null : { id: user.id, subject: user.subject, email: user.email, role: user.role },
    // A key never carries the powers of its owner.
    role: caller.kind === 'key' ? 'member' : caller.user.role,
    grants: caller.kind === 'key' ? [] : caller.user.grants,
    team: team === null ? null : { id: team.id, name: team.name },
    ...(caller.kind === 'key' ? { key: { id: caller.key.id, name: caller.key.name, prefix: caller.key.prefix } } : {}),
  }
}
