/**
 * The portal's session: a cookie that no script can read, and the token that proves a write came from the portal's
 * page.
 * Reading and writing cookies takes a few lines; a dependency would be larger.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../foundation/domain/caller.ts'
import { problem } from '../../foundation/domain/errors.ts'
import type { Authenticator } from './authenticate.ts'
import { MAX_CREDENTIAL_LENGTH, type RequestHeaders } from './credentials.ts'
import { SESSION_TOKEN_PREFIX } from './session-token.ts'

export type Scheme = 'http' | 'https'

/** What must be known about a call beside its headers. */
export interface Doorway {
  readonly method: string
  /** As the browser sees it. */
  readonly scheme: Scheme
}

/** A name with this prefix can be set by this very host over https only: no neighbouring domain can plant a session. */
const secureName = '__Host-causeway_session'
const plainName = 'causeway_session'
const harmlessMethods = new Set(['GET', 'HEAD'])

export type SchemeReader = (headers: RequestHeaders, connection: Scheme) => Scheme

/**
 * What the browser sees. Behind a proxy that ends TLS the connection is plain: the proxy's word or PUBLIC_URL tells.
 * Believing a caller who says https only makes that caller's cookie stricter.
 */
export function createSchemeReader(publicUrl: string | null): SchemeReader {
  const secureHost = publicUrl?.startsWith('https://') === true ? publicUrl.slice('https://'.length) : undefined
  return (headers, connection) => {
    if (connection === 'https' || headers['x-forwarded-proto'] === 'https') return 'https'
    return secureHost !== undefined && headers['host'] === secureHost ? 'https' : 'http'
  }
}

export function sessionCookie(token: string, scheme: Scheme, maxAgeSeconds: number): string {
  return cookie(scheme === 'https' ? secureName : plainName, token, scheme, { maxAgeSeconds, path: '/' })
}

export function endedSessionCookies(scheme: Scheme): string[] {
  const ended = (name: string): string => cookie(name, '', scheme, { maxAgeSeconds: 0, path: '/' })
  return scheme === 'https' ? [ended(secureName), ended(plainName)] : [ended(plainName)]
}

export function cookie(
  name: string,
  value: string,
  scheme: Scheme,
  { maxAgeSeconds, path }: { readonly maxAgeSeconds: number; readonly path: string },
): string {
  const secure = scheme === 'https' ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Every cookie of a request; of two with the same name the first counts, as browsers send the closest path first. */
export function readCookies(headers: RequestHeaders): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const header = headers['cookie']
  if (typeof header !== 'string') return found
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals).trim()
    if (equals > 0 && name !== '' && !found.has(name)) found.set(name, part.slice(equals + 1).trim())
  }
  return found
}

/** The portal's session token; undefined as soon as a header carries any credential. */
export function findPortalToken(headers: RequestHeaders, scheme: Scheme): string | undefined {
  if (carriesCredential(headers)) return undefined
  const token = readCookies(headers).get(scheme === 'https' ? secureName : plainName)
  if (token === undefined || token.length > MAX_CREDENTIAL_LENGTH) return undefined
  return token.startsWith(SESSION_TOKEN_PREFIX) ? token : undefined
}

function carriesCredential(headers: RequestHeaders): boolean {
  const authorization = readText(headers['authorization'])
  return (authorization !== '' && authorization.toLowerCase() !== 'bearer') || readText(headers['x-api-key']) !== ''
}

function readText(value: string | readonly string[] | undefined): string {
  return (typeof value === 'string' ? value : (value ?? []).join(' ')).trim()
}

/** Derived from the session, so that every instance knows it and it ends with the session. */
export function deriveCsrfToken(sessionToken: string): string {
  return hash('sha256', `causeway csrf ${sessionToken}`, 'base64url')
}

function hasCsrfToken(headers: RequestHeaders, sessionToken: string): boolean {
  const given = Buffer.from(readText(headers['x-csrf-token']))
  const expected = Buffer.from(deriveCsrfToken(sessionToken))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Headers first. The cookie counts only without them, and for writes only together with the page's token. */
export function authenticateCall(
  authenticator: Authenticator,
  headers: RequestHeaders,
  doorway: Doorway,
): Caller | Promise<Caller> {
  const token = findPortalToken(headers, doorway.scheme)
  if (token === undefined) return authenticator.authenticate(headers)
  const admit = (caller: Caller): Caller => {
    if (!harmlessMethods.has(doorway.method) && !hasCsrfToken(headers, token)) throw problem('csrf_rejected')
    return caller
  }
  const caller = authenticator.authenticateValue(token)
  return caller instanceof Promise ? caller.then(admit) : admit(caller)
}
