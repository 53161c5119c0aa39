/**
 * Signs and checks session tokens: `sess-` and a compact HS256 token, judged against the people as they are now.
 * Our own instead of `jose`: there is one algorithm and one header, and a check needs no promise.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Role, User } from '../../foundation/domain/user.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { newId } from '../../foundation/platform/ids.ts'

export const SESSION_TOKEN_PREFIX = 'sess-'
const MIN_KEY_BYTES = 32
/** Instances' clocks may differ by this much. */
const ISSUED_LEEWAY_MS = 60_000
/** The only header ever written, so it is compared as text: there is no algorithm to choose and none to confuse. */
const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')

export type SignInMethod = 'password' | 'sso' | 'cli'

declare const sessionKeyBrand: unique symbol
export type SessionKey = KeyObject & { readonly [sessionKeyBrand]: true }

/** Refuses short keys: a token signed with an empty or guessable key can be forged by anyone. */
export function createSessionKey(bytes: Uint8Array): SessionKey {
  if (bytes.byteLength < MIN_KEY_BYTES) throw new Error(`A session key needs at least ${MIN_KEY_BYTES * 8} bits.`)
  if (bytes.every((byte) => byte === bytes[0])) throw new Error('A session key must be random.')
  return createSecretKey(bytes) as SessionKey
}

export interface Session {
  readonly id: string
  readonly userId: string
  /** The role when signed in; decisions use the user's present role. */
  readonly role: Role
  readonly epoch: number
  readonly via: SignInMethod
  readonly issuedAtMs: number
  readonly expiresAtMs: number
}

/** What a session is judged against; the snapshot fits. */
export interface SessionFacts {
  readonly users: ReadonlyMap<string, User>
  readonly revokedSessions: ReadonlySet<string>
  readonly settings: { readonly session_token_ttl_hours: number }
}

export type SessionVerdict =
  | { readonly kind: 'valid'; readonly session: Session; readonly user: User }
  | { readonly kind: 'inactive'; readonly session: Session; readonly user: User }
  | { readonly kind: 'invalid' }

export interface IssuedSession {
  readonly token: string
  readonly session: Session
}

export interface SessionTokens {
  /** Tokens that renew one sign-in share its id, so that ending it ends them all. */
  readonly issue: (user: User, via: SignInMethod, ttlHours: number, id?: string) => IssuedSession
  readonly verify: (token: string, facts: SessionFacts) => SessionVerdict
  /** What the token says, if one of our keys has signed it; says nothing about whether it may still be used. */
  readonly findSession: (token: string) => Session | undefined
}

export interface SessionTokenPorts {
  readonly clock: Clock
  /** The first signs, all verify: the process's own key before the database's key is known, then both. */
  readonly keys: () => readonly [SessionKey, ...SessionKey[]]
  /** The break-glass administrator while no database knows them. */
  readonly bootstrapUser?: () => User | undefined
}

const invalid: SessionVerdict = { kind: 'invalid' }

export function createSessionTokens(ports: SessionTokenPorts): SessionTokens {
  return {
    issue(user, via, ttlHours, id = newId()) {
      const issuedAtMs = ports.clock.nowMs()
      const session: Session = {
        id,
        userId: user.id,
        role: user.role,
        epoch: user.sessionEpoch,
        via,
        issuedAtMs,
        expiresAtMs: issuedAtMs + ttlHours * 3_600_000,
      }
      const signed = `${HEADER}.${toPayload(session)}`
      const signature = sign(ports.keys()[0], signed).toString('base64url')
      return { token: `${SESSION_TOKEN_PREFIX}${signed}.${signature}`, session }
    },
    verify(token, facts) {
      const session = openToken(token, ports.keys())
      return session === undefined ? invalid : judge(session, facts, ports)
    },
    findSession: (token) => openToken(token, ports.keys()),
  }
}

/** A lowered lifetime also ends sessions that were issued under the longer one. */
export function endOfSession({ issuedAtMs, expiresAtMs }: Session, ttlHours: number): number {
  return Math.min(expiresAtMs, issuedAtMs + ttlHours * 3_600_000)
}

function judge(session: Session, facts: SessionFacts, ports: SessionTokenPorts): SessionVerdict {
  const nowMs = ports.clock.nowMs()
  if (
    nowMs >= endOfSession(session, facts.settings.session_token_ttl_hours) ||
    session.issuedAtMs > nowMs + ISSUED_LEEWAY_MS
  )
    return invalid
  if (facts.revokedSessions.has(session.id)) return invalid
  const user = facts.users.get(session.userId) ?? findBootstrapUser(session.userId, ports)
  if (user === undefined) return invalid
  if (!user.active) return { kind: 'inactive', session, user }
  return user.sessionEpoch === session.epoch ? { kind: 'valid', session, user } : invalid
}

function findBootstrapUser(id: string, ports: SessionTokenPorts): User | undefined {
  const user = ports.bootstrapUser?.()
  return user?.id === id ? user : undefined
}

function openToken(token: string, keys: readonly SessionKey[]): Session | undefined {
  if (!token.startsWith(`${SESSION_TOKEN_PREFIX}${HEADER}.`)) return undefined
  const signatureDot = token.lastIndexOf('.')
  const signed = token.slice(SESSION_TOKEN_PREFIX.length, signatureDot)
  const signatureText = token.slice(signatureDot + 1)
  const given = Buffer.from(signatureText, 'base64url')
  // Decoding is lenient; only the one canonical spelling may pass, or a token would have several names.
  if (given.length !== 32 || given.toString('base64url') !== signatureText) return undefined
  if (!keys.some((key) => timingSafeEqual(sign(key, signed), given))) return undefined
  return toSession(signed.slice(HEADER.length + 1))
}

function sign(key: SessionKey, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function toPayload(session: Session): string {
  const { userId, role, epoch, via, id, issuedAtMs, expiresAtMs } = session
  const claims = { sub: userId, role, epoch, via, jti: id, iat: issuedAtMs / 1000, exp: expiresAtMs / 1000 }
  return Buffer.from(JSON.stringify(claims)).toString('base64url')
}

/** Only called on what this gateway has signed; the shape is still checked, since keys outlive versions. */
function toSession(payload: string): Session | undefined {
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
  if (typeof claims !== 'object' || claims === null) return undefined
  const { sub, role, epoch, via, jti, iat, exp } = claims as Record<string, unknown>
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof epoch !== 'number') return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined
  if (role !== 'member' && role !== 'admin') return undefined
  if (via !== 'password' && via !== 'sso' && via !== 'cli') return undefined
  return {
    id: jti,
    userId: sub,
    role,
    epoch,
    via,
    issuedAtMs: Math.round(iat * 1000),
    expiresAtMs: Math.round(exp * 1000),
  }
}
