/** Turns a verified identity into a stored user: known, bound at first login, or newly provisioned. */
import { problem } from '../../foundation/domain/errors.ts'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import { identityKey, type People } from '../../foundation/domain/people.ts'
import type { User } from '../../foundation/domain/user.ts'
import { findUser } from './find-user.ts'
import {
  type BindingRefusal,
  decideBinding,
  isPinnedTo,
  type PinnedIdentity,
  type UserToProvision,
} from './identity-binding.ts'
import { findUserName, type IdentityClaims } from './user-claim.ts'

/** Where a sign-in came from. A token that a program presents with each request has none. */
export interface SignInOrigin {
  readonly sourceAddress: string
  readonly requestId: string
}

export interface RefusedIdentity {
  readonly reason: BindingRefusal
  readonly idpId: string
  readonly identity: PinnedIdentity
  /** The name that was claimed. */
  readonly claimed: string
  readonly origin: SignInOrigin | undefined
}

export interface ResolveUserPorts {
  readonly people: () => People
  readonly bootstrapUsername: string
  /** Both return the row as it is stored afterwards, also when another instance was faster. */
  readonly bindUser: (userId: string, identity: PinnedIdentity, origin: SignInOrigin | undefined) => Promise<User>
  readonly provisionUser: (user: UserToProvision, origin: SignInOrigin | undefined) => Promise<User>
  /** Refusals are logged and shown to administrators. */
  readonly onRefused?: (refusal: RefusedIdentity) => void
}

/** Synchronous for a known user. Throws the public error on refusal. */
export type ResolveUser = (claims: IdentityClaims, idp: IdentityProvider, origin?: SignInOrigin) => User | Promise<User>

interface SignIn {
  readonly claims: IdentityClaims
  readonly idp: IdentityProvider
  readonly origin: SignInOrigin | undefined
}

export function createResolveUser(ports: ResolveUserPorts): ResolveUser {
  // A client opens several connections at once with its first token: one write serves them all.
  const writes = new Map<string, Promise<User>>()

  function refuse(reason: BindingRefusal, { claims, idp, origin }: SignIn, claimed: string, inactive?: User): never {
    ports.onRefused?.({ reason, idpId: idp.id, identity: toIdentity(claims), claimed, origin })
    // Without a choice the last of them decides, which every token has.
    throw problem(
      reason,
      { identity: claimed, claim: idp.userClaim === 'auto' ? 'sub' : idp.userClaim },
      inactive === undefined ? {} : { rejected: { kind: 'jwt', idpId: idp.id, user: inactive, team: null } },
    )
  }

  async function write(signIn: SignIn, store: () => Promise<User>): Promise<User> {
    const identity = toIdentity(signIn.claims)
    const key = identityKey(identity)
    const running = writes.get(key) ?? store().finally(() => writes.delete(key))
    writes.set(key, running)
    const user = await running
    // The store has the last word: somebody else may have been bound to this name in the meantime.
    if (!isPinnedTo(user, identity) || user.bootstrap) refuse('identity_mismatch', signIn, user.subject)
    if (!user.active) refuse('user_inactive', signIn, user.subject, user)
    return user
  }

  return (claims, idp, origin) => {
    const signIn: SignIn = { claims, idp, origin }
    const name = findUserName(claims, idp.userClaim)
    const found = findUser(ports.people(), toIdentity(claims), name)
    if (found === 'ambiguous') return refuse('identity_mismatch', signIn, name ?? claims.sub)
    const binding = decideBinding({ claims, idp, existingUser: found, bootstrapUsername: ports.bootstrapUsername })
    switch (binding.kind) {
      case 'known':
        return binding.user
      case 'bind':
        return write(signIn, () => ports.bindUser(binding.user.id, binding.identity, origin))
      case 'provision':
        return write(signIn, () => ports.provisionUser(binding.user, origin))
      case 'refuse':
        return refuse(binding.reason, signIn, binding.identity, binding.reason === 'user_inactive' ? found : undefined)
    }
  }
}

function toIdentity(claims: IdentityClaims): PinnedIdentity {
  return { issuer: claims.iss, subject: claims.sub }
}
