/** Finds out who is calling: for each offered value a virtual key, then an identity-provider token, then a session. */
import type { Caller } from '../../foundation/domain/caller.ts'
import { Problem, problem } from '../../foundation/domain/errors.ts'
import type { People } from '../../foundation/domain/people.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Team } from '../../foundation/domain/team.ts'
import type { User } from '../../foundation/domain/user.ts'
import { keyStatus } from '../../foundation/domain/virtual-key.ts'
import type { Clock } from '../../foundation/platform/clock.ts'
import { hashVirtualKey, isVirtualKeyShaped } from '../keys/virtual-key.ts'
import { MAX_CREDENTIAL_LENGTH, type RequestHeaders, readCredentials } from './credentials.ts'
import type { OidcVerifier, VerifiedJwt } from './oidc-verifier.service.ts'
import type { ResolveUser } from './resolve-user.ts'
import { SESSION_TOKEN_PREFIX, type Session, type SessionTokens } from './session-token.ts'

/** The part of the snapshot that says who people are. */
export type IdentityFacts = Pick<Snapshot, 'keysByHash' | keyof People | 'teams' | 'settings' | 'revokedSessions'>

export interface AuthenticatorPorts {
  readonly snapshot: () => IdentityFacts
  readonly clock: Clock
  readonly sessions: SessionTokens
  readonly oidc: Pick<OidcVerifier, 'verify'>
  readonly resolveUser: ResolveUser
  /** For every valid session, on the path of the call: it must not wait for anything. */
  readonly onSession?: (session: Session) => void
}

/** Known credentials are answered without a promise. Failures are thrown, or rejected where a promise was given. */
export interface Authenticator {
  readonly authenticate: (headers: RequestHeaders) => Caller | Promise<Caller>
  /** For a value that comes from elsewhere, such as the portal's cookie. */
  readonly authenticateValue: (value: string) => Caller | Promise<Caller>
}

type Outcome = Caller | Problem
type Attempt = (value: string) => Outcome | Promise<Outcome>

/** The client retries a 401 for three minutes; no retry makes a dead key live. */
const noRetry = { headers: { 'x-should-retry': 'false' } }

export function createAuthenticator(ports: AuthenticatorPorts): Authenticator {
  const attemptJwt = createJwtAttempt(ports)

  const attempt: Attempt = (value) => {
    if (isVirtualKeyShaped(value)) return attemptKey(value, ports)
    if (value.length > MAX_CREDENTIAL_LENGTH) return problem('invalid_credential')
    return value.startsWith(SESSION_TOKEN_PREFIX) ? attemptSession(value, ports) : attemptJwt(value)
  }

  return {
    authenticate: (headers) => firstValid(attempt, readCredentials(headers), 0, undefined),
    authenticateValue: (value) => firstValid(attempt, value === '' ? [] : [value], 0, undefined),
  }
}

function firstValid(
  attempt: Attempt,
  values: readonly string[],
  at: number,
  failure: Problem | undefined,
): Caller | Promise<Caller> {
  const value = values[at]
  if (value === undefined) throw failure ?? problem('missing_credential')
  const proceed = (outcome: Outcome): Caller | Promise<Caller> =>
    outcome instanceof Problem ? firstValid(attempt, values, at + 1, moreSpecific(failure, outcome)) : outcome
  const outcome = attempt(value)
  return outcome instanceof Promise ? outcome.then(proceed) : proceed(outcome)
}

/**
 * When every value fails, the one that came closest is reported: a part of ours that was away (the caller may well be
 * right), then a proven identity that may not enter, then switched-off keys, then a dead key, then an unknown credential.
 * Between equals the first carrier speaks.
 */
function moreSpecific(first: Problem | undefined, second: Problem): Problem {
  return first !== undefined && closeness(first) >= closeness(second) ? first : second
}

function closeness(failure: Problem): number {
  if (failure.status >= 500) return 4
  if (failure.status === 403) return 3
  if (failure.code === 'virtual_keys_disabled') return 2
  return failure.code === 'invalid_virtual_key' ? 1 : 0
}

function attemptKey(value: string, { snapshot, clock }: AuthenticatorPorts): Outcome {
  const facts = snapshot()
  if (!facts.settings.virtual_keys_enabled) return problem('virtual_keys_disabled', {}, noRetry)
  const key = value.length > MAX_CREDENTIAL_LENGTH ? undefined : facts.keysByHash.get(hashVirtualKey(value))
  if (key === undefined) return rejectKey()
  const user = key.userId === null ? null : facts.users.get(key.userId)
  const caller: Caller = { kind: 'key', key, user: user ?? null, team: findTeam(facts, key.teamId ?? user?.teamId) }
  if (keyStatus(key, clock.nowMs()) !== 'active') return rejectKey(caller)
  if (user === undefined || user?.active === false) return rejectKey(caller)
  // A key of a team that is gone dies with it; it does not fall back to somebody else's budget.
  if (key.teamId !== null && !facts.teams.has(key.teamId)) return rejectKey(caller)
  return caller
}

/** Without a caller when the key is unknown. */
function rejectKey(caller?: Caller): Problem {
  return problem('invalid_virtual_key', {}, caller === undefined ? noRetry : { ...noRetry, rejected: caller })
}

function attemptSession(value: string, { snapshot, sessions, onSession }: AuthenticatorPorts): Outcome {
  const facts = snapshot()
  const verdict = sessions.verify(value, facts)
  if (verdict.kind === 'invalid') return problem('invalid_credential')
  const { session, user } = verdict
  const caller: Caller = { kind: 'session', sessionId: session.id, user, team: findTeam(facts, user.teamId) }
  if (verdict.kind === 'inactive') return problem('user_inactive', {}, { rejected: caller })
  onSession?.(session)
  return caller
}

/** Remembers whom a verdict meant for as long as the people stay the same, so that a warm token costs one look-up. */
function createJwtAttempt(ports: AuthenticatorPorts): Attempt {
  const resolved = new WeakMap<VerifiedJwt, { readonly among: IdentityFacts['users']; readonly user: User }>()

  function toCaller(jwt: VerifiedJwt, user: User): Caller {
    return { kind: 'jwt', idpId: jwt.idp.id, user, team: findTeam(ports.snapshot(), user.teamId) }
  }

  function remember(jwt: VerifiedJwt, among: IdentityFacts['users'], user: User): Caller {
    resolved.set(jwt, { among, user })
    return toCaller(jwt, user)
  }

  function resolve(jwt: VerifiedJwt | undefined): Outcome | Promise<Outcome> {
    if (jwt === undefined) return problem('invalid_credential')
    const among = ports.snapshot().users
    const known = resolved.get(jwt)
    if (known?.among === among) return toCaller(jwt, known.user)
    try {
      const user = ports.resolveUser(jwt.claims, jwt.idp)
      return user instanceof Promise
        ? user.then((stored) => remember(jwt, among, stored), toOutcome)
        : remember(jwt, among, user)
    } catch (error) {
      return toOutcome(error)
    }
  }

  return (value) => {
    const verified = ports.oidc.verify(value)
    return verified instanceof Promise ? verified.then(resolve) : resolve(verified)
  }
}

function toOutcome(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

function findTeam(facts: IdentityFacts, teamId: string | null | undefined): Team | null {
  return (teamId === null || teamId === undefined ? undefined : facts.teams.get(teamId)) ?? null
}
