/** Puts together every way to sign in that needs a browser, and what a signed-in client is given. */

import type { DatabaseLink } from '../../foundation/database/database-link.ts'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { User } from '../../foundation/domain/user.ts'
import type { FindPortalFiles } from '../../foundation/http/portal-files.ts'
import { systemClock } from '../../foundation/platform/clock.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { isLoopback } from '../../foundation/platform/loopback.ts'
import type { Secret } from '../../foundation/platform/secret.ts'
import type { SecretBox } from '../../foundation/platform/secret-box.ts'
import { createBaseUrlFinder, requireHostForDefaultPassword } from './base-url.ts'
import { isDefaultPassword } from './default-password.ts'
import type { DevicePorts } from './device/device.routes.ts'
import type { GatewayFacePorts } from './device/gateway-face.routes.ts'
import type { RevokePorts } from './device/revoke.route.ts'
import type { Identity } from './identity.service.ts'
import type { IdpPorts } from './idps/idp-ports.ts'
import { createIdpStore } from './idps.store.ts'
import type { CliLoginPorts } from './login/cli-login.routes.ts'
import { createOidcClient } from './login/oidc-client.service.ts'
import { createProviderSignOut } from './login/provider-sign-out.ts'
import type { SetupPorts } from './login/setup.routes.ts'
import { createSignInStates } from './login/sign-in-states.memory.ts'
import type { SsoPorts } from './login/sso.routes.ts'
import { createApproval } from './login-approval.service.ts'
import type { SignInWrites } from './sign-in-writes.service.ts'

/** How the gateway is reached, and the password that lets its first administrator in. */
export interface Surroundings {
  readonly publicUrl: string | null
  readonly proxyHost: string
  readonly adminPassword: Secret
}

export interface BrowserSignInParts extends Pick<IdpPorts, 'fetchJson' | 'checkUrl'> {
  readonly config: Surroundings
  readonly log: Logger
  readonly identity: Identity
  readonly link: DatabaseLink
  readonly secretBox: () => SecretBox
  readonly snapshot: () => Snapshot
  /** Brings the snapshot of this instance up to date after a write; never fails. */
  readonly changed: () => Promise<void>
  readonly writes: SignInWrites
  readonly findPortalFiles: FindPortalFiles
}

/** What the routes of every way to sign in with a browser need. */
export type BrowserSignIn = SsoPorts & CliLoginPorts & SetupPorts & DevicePorts & RevokePorts & GatewayFacePorts

/** One that listens further is reached by names that nobody has told it. */
export function passwordHostCheck(config: Surroundings): (host: string | undefined) => void {
  const isInDanger = isDefaultPassword(config.adminPassword) && isLoopback(config.proxyHost)
  return (host) => {
    if (isInDanger) requireHostForDefaultPassword(host, config.publicUrl)
  }
}

export function createBrowserSignIn(parts: BrowserSignInParts): BrowserSignIn {
  const { config, log, identity, link, snapshot, changed, writes } = parts
  const clock = systemClock
  const { sessionTokens, readScheme } = identity
  const findBaseUrl = createBaseUrlFinder({
    publicUrl: config.publicUrl,
    isLoopbackOnly: isLoopback(config.proxyHost),
    idps: () => snapshot().idps,
    readScheme,
  })
  const approval = createApproval({ database: link.require, clock, readScheme, sessionTokens, facts: snapshot })
  const findUser = async (userId: string): Promise<User | undefined> => {
    // The account may be as young as the sign-in, and made by another instance.
    if (!snapshot().users.has(userId)) await changed()
    const known = snapshot().users.get(userId)
    return known && (await writes.asStored(known))
  }
  const readClientSecret = async (idp: IdentityProvider): Promise<string | undefined> => {
    const database = link.find()
    const sealed = database && (await createIdpStore(database.kysely).findClientSecret(idp.id))
    return sealed && parts.secretBox().open(sealed, `idps.client_secret:${idp.id}`)
  }
  const { fetchJson, checkUrl } = parts
  const providers = (): readonly IdentityProvider[] => snapshot().idps
  const oidc = createOidcClient({
    fetchJson,
    checkUrl,
    verifyIssuedTo: identity.verifyIssuedTo,
    readClientSecret,
    clock,
  })
  const boxes = identity.stateBoxes
  return {
    clock,
    log,
    readScheme,
    sessionTokens,
    findBaseUrl,
    approval,
    findUser,
    findKnownUser: (userId) => snapshot().users.get(userId),
    snapshot,
    authenticate: identity.authenticate,
    resolveUser: identity.resolveUser,
    ttlHours: () => snapshot().settings.session_token_ttl_hours,
    webSearchMode: () => snapshot().settings.websearch_mode,
    providers,
    states: createSignInStates(boxes, clock),
    oidc,
    providerSignOut: createProviderSignOut({ boxes, providers, oidc, findBaseUrl, readScheme, log }),
    asStored: writes.asStored,
    recordSignIn: writes.recordSignIn,
    followEmail: writes.followEmail,
    revokeSession: writes.revokeSession,
    database: link.require,
    changed,
    findPortalFiles: parts.findPortalFiles,
  }
}
