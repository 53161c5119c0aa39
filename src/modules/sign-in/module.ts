/** Sign-in: who is calling, and every way to become known: password, identity providers, browser, device and command line. */
import type { User } from '../../foundation/domain/user.ts'
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import { hourly } from '../../foundation/platform/loops.ts'
import type { BaseUrlFinder } from './base-url.ts'
import { bootstrapIdp } from './bootstrap-idp.start.ts'
import {
  type BrowserSignIn,
  createBrowserSignIn,
  passwordHostCheck,
  type Surroundings,
} from './browser-sign-in.service.ts'
import type { EnvironmentIdp } from './built-in-people.ts'
import { deviceRoutes } from './device/device.routes.ts'
import { gatewayFaceRoutes } from './device/gateway-face.routes.ts'
import { revokeRoute } from './device/revoke.route.ts'
import { createFailedSignIns } from './failed-sign-ins.service.ts'
import { forgetSessions } from './forget-sessions.loop.ts'
import { type AdminLogin, createIdentity, type Identity, type IdentityParts } from './identity.service.ts'
import type { IdpPorts } from './idps/idp-ports.ts'
import { idpRoutes } from './idps/idps.routes.ts'
import { cliLoginRoutes } from './login/cli-login.routes.ts'
import { type LoginPorts, passwordRoutes } from './login/password.routes.ts'
import { setupRoutes } from './login/setup.routes.ts'
import { ssoRoutes } from './login/sso.routes.ts'
import { meRoute } from './me.route.ts'
import { ownClientRoutes } from './own-client.routes.ts'
import { createPassingPeople, createPeopleWriter } from './people-writer.service.ts'
import { createSignInWrites, type SignInWrites } from './sign-in-writes.service.ts'
import { signInRecordRoutes } from './sign-ins/sign-ins.routes.ts'

export interface SignInParts {
  readonly config: AdminLogin & Surroundings & EnvironmentIdp & { readonly adminUsers: readonly string[] }
  /** The administrator while the database has not said who that is. */
  readonly builtInAdmin: User
  /** Sessions that ended where no database is configured. */
  readonly endedSessions: Set<string>
  /** Called for every valid session that is presented. Never throws and never waits. */
  readonly onSession: IdentityParts['onSession']
  /** Counts the refusals of a check that lets somebody in or throws. */
  readonly counted: <A extends readonly unknown[], R>(check: (...given: A) => R) => (...given: A) => R
}

export interface SignIn extends Module, Pick<Identity, 'authenticate' | 'useSharedSessionKey'> {
  readonly findBaseUrl: BaseUrlFinder
}

export function createSignIn(core: Core, parts: SignInParts): SignIn {
  const { link, snapshot, changed, log } = core
  const { config } = parts
  const writes = createSignInWrites({ link, changed, endedSessions: parts.endedSessions, log })
  const identity = createIdentity({
    admin: config,
    publicUrl: config.publicUrl,
    log,
    facts: snapshot,
    isLoaded: core.isLoaded,
    builtInAdmin: parts.builtInAdmin,
    people: link.isConfigured ? createPeopleWriter(link.require, changed) : createPassingPeople(config.adminUsers),
    outgoing: core.outgoing,
    reload: changed,
    onRefused: writes.recordRefusal,
    onSession: parts.onSession,
  })
  const { fetchJson } = core.outgoing
  const browser = createBrowserSignIn({ ...core, config, identity, writes, fetchJson })
  const password = createPasswordPorts(core, parts, identity, browser, writes)
  return {
    authenticate: identity.authenticate,
    useSharedSessionKey: identity.useSharedSessionKey,
    findBaseUrl: browser.findBaseUrl,
    routes: [...listLoginRoutes(password, browser), ...listAccountRoutes({ ...core, fetchJson })],
    loops: [{ name: 'ended-sessions', ...hourly, jitter: 0.5, run: () => forgetSessions(link.find) }],
    seed: (database) => bootstrapIdp({ database, environment: config, log }),
  }
}

function createPasswordPorts(
  { link, snapshot, clock, log }: Core,
  { config, counted }: SignInParts,
  identity: Identity,
  { providers, providerSignOut }: BrowserSignIn,
  { revokeSession, asStored, recordSignIn }: SignInWrites,
): LoginPorts {
  const { passwordLogin } = identity
  return {
    ...identity,
    passwordLogin: { ...passwordLogin, requirePassword: counted(passwordLogin.requirePassword) },
    requireHost: passwordHostCheck(config),
    ttlHours: () => snapshot().settings.session_token_ttl_hours,
    clock,
    providers,
    providerSignOut,
    revokeSession,
    asStored,
    recordSignIn,
    recordFailedSignIn: createFailedSignIns({ findDatabase: link.find, clock, log }),
  }
}

export function listLoginRoutes(password: LoginPorts, browser: BrowserSignIn): readonly Route[] {
  return [
    ...passwordRoutes(password),
    ...ssoRoutes(browser),
    ...cliLoginRoutes(browser),
    ...setupRoutes(browser),
    ...deviceRoutes(browser),
    revokeRoute(browser),
    ...gatewayFaceRoutes(browser),
  ]
}

export function listAccountRoutes(ports: IdpPorts): readonly Route[] {
  return [meRoute, ...ownClientRoutes(ports), ...signInRecordRoutes(ports), ...idpRoutes(ports)]
}
