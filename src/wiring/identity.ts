/** Puts together who is calling: keys and people from the snapshot, sessions, identity providers, the password. */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Caller } from '../domain/caller.ts'
import { Problem, problem } from '../domain/errors.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { User } from '../domain/user.ts'
import { createAuthenticator } from '../identity/authenticate.ts'
import { createLoginThrottle } from '../identity/login-throttle.ts'
import { createOidcVerifier } from '../identity/oidc-verifier.ts'
import { createPasswordLogin, type PasswordLogin } from '../identity/password-login.ts'
import { createResolveUser } from '../identity/resolve-user.ts'
import {
  createSessionKey,
  createSessionTokens,
  type SessionKey,
  type SessionTokens,
} from '../identity/session-token.ts'
import { systemClock } from '../platform/clock.ts'
import type { Logger } from '../platform/logger.ts'
import type { OutgoingHttp } from '../platform/outgoing-http.ts'
import type { PeopleWriter } from './people-writer.ts'

export interface IdentityParts {
  readonly config: Config
  readonly log: Logger
  /** What is known now; the built-in defaults before the first snapshot. */
  readonly facts: () => Snapshot
  readonly isLoaded: () => boolean
  readonly builtInAdmin: User
  readonly people: PeopleWriter
  readonly outgoing: OutgoingHttp
}

export interface Identity {
  readonly authenticate: (headers: IncomingHttpHeaders) => Caller | Promise<Caller>
  readonly sessionTokens: SessionTokens
  readonly passwordLogin: PasswordLogin
  readonly bootstrapUser: () => User
  /** The key all instances share; tokens signed before stay valid here. */
  readonly useSharedSessionKey: (bytes: Buffer) => void
}

export function createIdentity(parts: IdentityParts): Identity {
  const { config, log, facts } = parts
  let keys: readonly [SessionKey, ...SessionKey[]] = [createSessionKey(randomBytes(32))]
  const bootstrapUser = (): User => {
    const stored = facts().usersBySubject.get(config.adminUsername)
    return stored?.bootstrap === true ? stored : parts.builtInAdmin
  }
  const sessionTokens = createSessionTokens({
    clock: systemClock,
    keys: () => keys,
    bootstrapUser: () => parts.builtInAdmin,
  })
  const authenticator = createAuthenticator({
    snapshot: facts,
    clock: systemClock,
    sessions: sessionTokens,
    oidc: createOidcVerifier({
      idps: () => facts().idps,
      fetchJson: parts.outgoing.fetchJson,
      clock: systemClock,
      onFetchFailed: (issuer, error) =>
        log.warn({ issuer, err: error }, 'the keys of an identity provider could not be fetched'),
    }),
    resolveUser: createResolveUser({
      people: facts,
      bootstrapUsername: config.adminUsername,
      bindUser: parts.people.bindUser,
      provisionUser: parts.people.provisionUser,
      onRefused: ({ reason, idpId }) => log.warn({ reason, idp: idpId }, 'a verified identity was refused'),
    }),
  })
  return {
    authenticate: (headers) => whenLoaded(() => authenticator.authenticate(headers), parts.isLoaded),
    sessionTokens,
    passwordLogin: createPasswordLogin({
      username: config.adminUsername,
      password: config.adminPassword.reveal(),
      isEnabled: () => facts().settings.admin_login_enabled,
      forcedOn: config.adminPasswordEnable,
      throttle: createLoginThrottle(systemClock),
      sleep: async (ms) => {
        await sleep(ms)
      },
    }),
    bootstrapUser,
    useSharedSessionKey: (bytes) => {
      keys = [createSessionKey(bytes), ...keys]
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
