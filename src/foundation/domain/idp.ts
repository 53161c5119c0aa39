import type { Role } from './user.ts'

export const userClaims = ['email', 'preferred_username', 'upn', 'oid', 'name', 'sub', 'auto'] as const
export type UserClaim = (typeof userClaims)[number]

/** What signing out of the portal ends: the session here, or also the one at the provider. */
export const idpLogouts = ['local', 'provider'] as const
export type IdpLogout = (typeof idpLogouts)[number]

export interface IdentityProvider {
  readonly id: string
  readonly name: string
  readonly issuerUrl: string
  readonly audience: string
  readonly clientId: string | null
  readonly jwksUrl: string | null
  readonly userClaim: UserClaim
  readonly autoProvision: boolean
  readonly defaultRole: Role
  readonly allowedDomains: readonly string[] | null
  readonly enabled: boolean
  readonly logout: IdpLogout
}
