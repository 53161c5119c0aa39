/** Puts together who is calling: keys and people from the snapshot, sessions, identity providers, the password. */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../foundation/domain/caller.ts'
import { Problem, problem } from '../../foundation/domain/errors.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { User } from '../../foundation/domain/user.ts'
import { systemClock } from '../../foundation/platform/clock.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import type { OutgoingHttp } from '../../foundation/platform/outgoing-http.ts'
import type { Secret } from '../../foundation/platform/secret.ts'
import { createSecretBox, type SecretBox } from '../../foundation/platform/secret-box.ts'
import { createAuthenticator } from './authenticate.ts'
import { readCredentials } from './credentials.ts'
import { createLoginThrottle } from './login-throttle.memory.ts'
import { createOidcVerifier, type OidcVerifier } from './oidc-verifier.service.ts'
import { createPasswordLogin, type PasswordLogin } from './password-login.ts'
import type { PeopleWriter } from './people-writer.service.ts'
import {
  authenticateCall,
  createSchemeReader,
  type Doorway,
  findPortalToken,
  type SchemeReader,
} from './portal-session.ts'
import { createResolveUser, type RefusedIdentity, type ResolveUser } from './resolve-user.ts'
import {
  createSessionKey,
  createSessionTokens,
  type Session,
  type SessionKey,
  type SessionTokens,
} from './session-token.ts'

/** The ADMIN_* variables. */
export interface AdminLogin {
  readonly adminUsername: string
  readonly adminPassword: Secret
  readonly adminPasswordEnable: boolean
}

export interface IdentityParts {
  readonly admin: AdminLogin
  readonly publicUrl: string | null
  readonly log: Logger
  /** What is known now; the built-in defaults before the first snapshot. */
  readonly facts: () => Snapshot
  readonly isLoaded: () => boolean
  readonly builtInAdmin: User
  readonly people: PeopleWriter
  readonly outgoing: OutgoingHttp
  /** Brings the snapshot up to date; never fails. */
  readonly reload: () => Promise<void>
  /** For every proven identity that may not enter. Never throws and never waits. */
  readonly onRefused: (refused: RefusedIdentity) => void
  /** For every valid session that is presented. Never throws and never waits. */
  readonly onSession: (session: Session) => void
}

export interface Identity {
  /** With a doorway the portal's cookie counts too; messages are never sent by a portal. */
  readonly authenticate: (headers: IncomingHttpHeaders, doorway?: Doorway) => Caller | Promise<Caller>
  readonly readScheme: SchemeReader
  readonly resolveUser: ResolveUser
  readonly verifyIssuedTo: OidcVerifier['verifyIssuedTo']
  /** Seal what a browser keeps for us between two of its requests; the first seals, all open. */
  readonly stateBoxes: () => readonly [SecretBox, ...SecretBox[]]
  readonly sessionTokens: SessionTokens
  readonly passwordLogin: PasswordLogin
  readonly bootstrapUser: () => User
  /** The key all instances share; tokens signed before stay valid here. */
  readonly useSharedSessionKey: (bytes: Buffer) => void
}

/** Longer than other instances need to hear of a change. */
const NEWCOMER_MS = 15_000

export function createIdentity(parts: IdentityParts): Identity {
  const { admin, log, facts } = parts
  const ownKey = randomBytes(32)
  let keys: readonly [SessionKey, ...SessionKey[]] = [createSessionKey(ownKey)]
  let boxes: readonly [SecretBox, ...SecretBox[]] = [createSecretBox(ownKey)]
  const readScheme = createSchemeReader(parts.publicUrl)
  const bootstrapUser = (): User => {
    const stored = facts().usersBySubject.get(admin.adminUsername)
    return stored?.bootstrap === true ? stored : parts.builtInAdmin
  }
  const sessionTokens = createSessionTokens({
    clock: systemClock,
    keys: () => keys,
    bootstrapUser: () => parts.builtInAdmin,
  })
  const oidc = createOidcVerifier({
    idps: () => facts().idps,
    fetchJson: parts.outgoing.fetchJson,
    clock: systemClock,
    onFetchFailed: (issuer, error) =>
      log.warn({ issuer, err: error }, 'the keys of an identity provider could not be fetched'),
  })
  const resolveUser = createResolveUser({
    people: facts,
    bootstrapUsername: admin.adminUsername,
    bindUser: parts.people.bindUser,
    provisionUser: parts.people.provisionUser,
    onRefused: (refused) => {
      log.warn({ reason: refused.reason, idp: refused.idpId }, 'a verified identity was refused')
      parts.onRefused(refused)
    },
  })
  const authenticator = createAuthenticator({
    snapshot: facts,
    clock: systemClock,
    sessions: sessionTokens,
    oidc,
    resolveUser,
    onSession: parts.onSession,
  })
  const isNewcomer = (headers: IncomingHttpHeaders, scheme: 'http' | 'https'): boolean =>
    [...readCredentials(headers), findPortalToken(headers, scheme) ?? ''].some((token) => {
      const session = sessionTokens.findSession(token)
      if (session === undefined || systemClock.nowMs() - session.issuedAtMs >= NEWCOMER_MS) return false
      const known = facts().users.get(session.userId)
      return known === undefined || known.sessionEpoch < session.epoch
    })
  return {
    authenticate: (headers, doorway) => {
      const door = doorway && { ...doorway, scheme: readScheme(headers, doorway.scheme) }
      const attempt = (): Caller | Promise<Caller> =>
        door === undefined ? authenticator.authenticate(headers) : authenticateCall(authenticator, headers, door)
      try {
        return whenLoaded(attempt, parts.isLoaded)
      } catch (error) {
        // Another instance has just made this person's account, or ended the sessions before this one; this instance hears
        // of it within five seconds, or now.
        if (!isNewcomer(headers, door?.scheme ?? 'http')) throw error
        return parts.reload().then(attempt)
      }
    },
    readScheme,
    resolveUser,
    verifyIssuedTo: oidc.verifyIssuedTo,
    stateBoxes: () => boxes,
    sessionTokens,
    passwordLogin: createPasswordLogin({
      username: admin.adminUsername,
      password: admin.adminPassword.reveal(),
      isEnabled: () => facts().settings.admin_login_enabled,
      forcedOn: admin.adminPasswordEnable,
      throttle: createLoginThrottle(systemClock),
      sleep: async (ms) => {
        await sleep(ms)
      },
    }),
    bootstrapUser,
    useSharedSessionKey: (bytes) => {
      keys = [createSessionKey(bytes), ...keys]
      boxes = [createSecretBox(bytes), ...boxes]
    },
  }
}

/** Before the first snapshot nobody can say that a credential is wrong, only that it cannot be checked yet. */
function whenLoaded(attempt: () => Caller | Promise<Caller>, isLoaded: () => boolean): Caller | Promise<Caller> {
  if (isLoaded()) return attempt()
  try {
    return attempt()
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'missing_credential') throw error
    throw problem('not_ready', { reason: 'it is still starting' }, { headers: { 'retry-after': '2' } })
  }
}
