/** Who may sign in before the database has been read, or where there is none. */
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import type { User } from '../../foundation/domain/user.ts'

/** Fixed, so that the logs of several starts name the same people. */
const BUILT_IN_ADMIN_ID = '00000000-0000-7000-8000-000000000002'
const ENVIRONMENT_IDP_ID = '00000000-0000-7000-8000-000000000003'

export function builtInAdmin(username: string, createdAt: string): User {
  return {
    id: BUILT_IN_ADMIN_ID,
    subject: username,
    email: null,
    role: 'admin',
    grants: [],
    teamId: null,
    active: true,
    identity: null,
    bootstrap: true,
    sessionEpoch: 0,
    createdAt,
  }
}

/** The identity provider of the OIDC variables, if they name one. */
export function builtInIdps(environment: EnvironmentIdp): readonly IdentityProvider[] {
  const idp = idpOfEnvironment(environment)
  return idp === undefined ? [] : [{ ...idp, id: ENVIRONMENT_IDP_ID }]
}

/** The OIDC_* variables. */
export interface EnvironmentIdp {
  readonly oidcIssuer: string | null
  readonly oidcAudience: string | null
  readonly oidcName: string | null
  readonly oidcJwksUrl: string | null
  readonly oidcUserClaim: IdentityProvider['userClaim'] | null
}

/** Undefined when the environment names none. */
export function idpOfEnvironment(config: EnvironmentIdp): Omit<IdentityProvider, 'id'> | undefined {
  if (config.oidcIssuer === null || config.oidcAudience === null) return undefined
  return {
    name: config.oidcName ?? createDisplayName(config.oidcIssuer),
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

const knownIssuers: readonly (readonly [hostEnds: string, name: string])[] = [
  ['okta.com', 'Okta'],
  ['microsoftonline.com', 'Microsoft'],
  ['accounts.google.com', 'Google'],
  ['auth0.com', 'Auth0'],
  ['amazoncognito.com', 'Cognito'],
  ['onelogin.com', 'OneLogin'],
  ['pingidentity.com', 'Ping'],
]

function createDisplayName(issuer: string): string {
  const host = URL.canParse(issuer) ? new URL(issuer).hostname : ''
  const known = knownIssuers.find(([ends]) => host === ends || host.endsWith(`.${ends}`))
  return known?.[1] ?? 'SSO'
}
