/** Decides which claim of a verified token names the user, and what its e-mail address and domain are. */
import type { IdentityProvider, UserClaim } from '../../foundation/domain/idp.ts'
import { toUserName } from '../../foundation/domain/user-name.ts'

/** The claims that are read from a verified token; everything else in it is ignored. */
export interface IdentityClaims {
  readonly iss: string
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly preferred_username?: string
  readonly upn?: string
  readonly oid?: string
  readonly name?: string
}

type NamingClaim = Exclude<UserClaim, 'auto'>

/** spec: Authentication 8. */
const autoOrder: readonly NamingClaim[] = ['email', 'preferred_username', 'upn', 'name', 'sub']

/** Undefined when the token does not name anybody in the way this provider is configured. */
export function findUserName(claims: IdentityClaims, userClaim: UserClaim): string | undefined {
  if (userClaim !== 'auto') return readName(claims, userClaim)
  for (const claim of autoOrder) {
    const name = readName(claims, claim)
    if (name !== undefined && mayStandFor(name, claim, claims)) return name
  }
  return undefined
}

/**
 * People choose their display name themselves, and often their user name too. So an address found there names nobody
 * when it comes from `name`, or when the provider says that the person's address is not proven.
 */
function mayStandFor(name: string, claim: NamingClaim, claims: IdentityClaims): boolean {
  if (!name.includes('@') || claim === 'email' || claim === 'sub') return true
  return claim !== 'name' && claims.email_verified !== false
}

function readName(claims: IdentityClaims, claim: NamingClaim): string | undefined {
  return claim === 'email' ? findEmail(claims) : toUserName(claims[claim])
}

/** The proven e-mail address: `email_verified: false` means that it could be anybody's. */
export function findEmail(claims: IdentityClaims): string | undefined {
  if (claims.email_verified === false) return undefined
  const email = toUserName(claims.email)
  return email !== undefined && findDomain(email) !== undefined ? email : undefined
}

/** Exactly one @; the rest must be a plain host name, so that `a@corp.com@evil` and `a@evil,corp.com` have none. */
function findDomain(email: string): string | undefined {
  const parts = email.split('@')
  const [local, domain] = parts
  if (parts.length !== 2 || !local || !domain) return undefined
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(domain) && !/[\s,;<>"]/.test(local) ? domain : undefined
}

/** Exact equality with the domain of the proven e-mail claim; without such a claim the answer is no. */
export function isDomainAllowed(claims: IdentityClaims, idp: Pick<IdentityProvider, 'allowedDomains'>): boolean {
  if (idp.allowedDomains === null || idp.allowedDomains.length === 0) return true
  const email = findEmail(claims)
  const domain = email === undefined ? undefined : findDomain(email)
  return idp.allowedDomains.some(
    (allowed) => allowed.trim().replace(/^@/, '').normalize('NFC').toLowerCase() === domain,
  )
}
