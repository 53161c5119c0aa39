/** Inserts the identity provider of the environment, once: an issuer that is known is never touched again. */
import { change } from '../../foundation/database/change.ts'
import type { Database } from '../../foundation/database/database.ts'
import { startupActor } from '../../foundation/database/startup-actor.ts'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import type { Logger } from '../../foundation/platform/logger.ts'
import { createIdpStore } from './idps.store.ts'

/** The OIDC_* variables. */
export interface EnvironmentIdp {
  readonly oidcIssuer: string | null
  readonly oidcAudience: string | null
  readonly oidcName: string | null
  readonly oidcJwksUrl: string | null
  readonly oidcUserClaim: IdentityProvider['userClaim'] | null
}

interface IdpParts {
  readonly database: Database
  readonly environment: EnvironmentIdp
  readonly log: Logger
}

/** Undefined when the environment names none. */
export function idpOfEnvironment(config: EnvironmentIdp): Omit<IdentityProvider, 'id'> | undefined {
  if (config.oidcIssuer === null || config.oidcAudience === null) return undefined
  return {
    name: config.oidcName ?? displayNameOf(config.oidcIssuer),
    issuerUrl: config.oidcIssuer,
    audience: config.oidcAudience,
    clientId: null,
    jwksUrl: config.oidcJwksUrl,
    userClaim: config.oidcUserClaim ?? 'auto',
    autoProvision: true,
    defaultRole: 'member',
    allowedDomains: null,
    enabled: true,
    logout: 'local',
  }
}

export async function bootstrapIdp({ database, environment, log }: IdpParts): Promise<void> {
  const idp = idpOfEnvironment(environment)
  if (idp === undefined) return
  const known = (await createIdpStore(database.kysely).list()).some((other) => other.issuerUrl === idp.issuerUrl)
  if (known) {
    log.info('OIDC_* variables are ignored: a provider with this issuer exists and is managed in the portal')
    return
  }
  await change(database, { sections: ['idps'], actor: startupActor }, async ({ tx, audit }) => {
    const added = await createIdpStore(tx).insertUnlessIssuerKnown({ ...idp, clientSecret: null })
    if (added === undefined) return
    audit({ action: 'idp.create', target: `idp:${added.id}`, after: { name: added.name, issuer_url: added.issuerUrl } })
    log.info({ idp: added.id }, 'the identity provider of the environment was added')
  })
}

const knownIssuers: readonly (readonly [hostEnds: string, name: string])[] = [
  ['okta.com', 'Okta'],
  ['microsoftonline.com', 'Microsoft'],
  ['accounts.google.com', 'Google'],
  ['auth0.com', 'Auth0'],
  ['amazoncognito.com', 'Cognito'],
  ['onelogin.com', 'OneLogin'],
  ['pingidentity.com', 'Ping'],
]

function displayNameOf(issuer: string): string {
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : ''
  const known = knownIssuers.find(([ends]) => host === ends || host.endsWith(`.${ends}`))
  return known?.[1] ?? 'SSO'
}
