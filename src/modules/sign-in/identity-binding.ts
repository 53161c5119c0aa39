/** Decides what a verified identity means here: a known user, one to bind at first login, a new one, or a refusal. */
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import type { Role, User } from '../../foundation/domain/user.ts'
import { isSameReservedName } from '../../foundation/domain/user-name.ts'
import { findEmail, findUserName, type IdentityClaims, isDomainAllowed } from './user-claim.ts'

export interface PinnedIdentity {
  readonly issuer: string
  readonly subject: string
}

export interface UserToProvision {
  readonly subject: string
  readonly email: string | null
  readonly role: Role
  readonly identity: PinnedIdentity
}

export type BindingRefusal =
  | 'not_provisioned'
  | 'user_claim_missing'
  | 'domain_not_allowed'
  | 'identity_mismatch'
  | 'user_inactive'

export type Binding =
  | { readonly kind: 'known'; readonly user: User }
  | { readonly kind: 'bind'; readonly user: User; readonly identity: PinnedIdentity }
  | { readonly kind: 'provision'; readonly user: UserToProvision }
  | { readonly kind: 'refuse'; readonly reason: BindingRefusal; readonly identity: string }

export interface BindingQuestion {
  readonly claims: IdentityClaims
  readonly idp: IdentityProvider
  /** The user pinned to (issuer, sub) if there is one, else the one whose subject the claim names. */
  readonly existingUser: User | undefined
  readonly bootstrapUsername: string
}

/** The pinned (issuer, sub) decides who somebody is; the naming claim only finds users who are not pinned yet. */
export function decideBinding({ claims, idp, existingUser, bootstrapUsername }: BindingQuestion): Binding {
  const identity: PinnedIdentity = { issuer: claims.iss, subject: claims.sub }
  const name = findUserName(claims, idp.userClaim)
  const refuse = (reason: BindingRefusal): Binding => ({ kind: 'refuse', reason, identity: name ?? claims.sub })

  if (!isDomainAllowed(claims, idp)) return refuse('domain_not_allowed')
  const isPinnedHere = existingUser !== undefined && isPinnedTo(existingUser, identity)
  // Nobody could add such a person: no user has a name that the token does not give.
  if (name === undefined && !isPinnedHere) return refuse('user_claim_missing')
  if (existingUser?.bootstrap === true) return refuse('identity_mismatch')
  if (!isPinnedHere && isSameReservedName(name ?? '', bootstrapUsername)) return refuse('identity_mismatch')
  if (existingUser !== undefined) {
    if (existingUser.identity !== null && !isPinnedHere) return refuse('identity_mismatch')
    if (!existingUser.active) return refuse('user_inactive')
    return isPinnedHere ? { kind: 'known', user: existingUser } : { kind: 'bind', user: existingUser, identity }
  }
  if (!idp.autoProvision) return refuse('not_provisioned')
  const subject = name ?? claims.sub
  return { kind: 'provision', user: { subject, email: findEmail(claims) ?? null, role: idp.defaultRole, identity } }
}

export function isPinnedTo(user: User, identity: PinnedIdentity): boolean {
  return user.identity?.issuer === identity.issuer && user.identity.subject === identity.subject
}
