/** Turns a verified identity into a stored user: known, bound at first login, or newly provisioned. */
import { problem } from '../domain/errors.ts'
import type { IdentityProvider } from '../domain/idp.ts'
import { identityKey, type People } from '../domain/people.ts'
import type { User } from '../domain/user.ts'
import { findUser } from './find-user.ts'
import {
  type BindingRefusal,
  decideBinding,
  isPinnedTo,
  type PinnedIdentity,
  type UserToProvision,
} from './identity-binding.ts'
import { findUserName, type IdentityClaims } from './user-claim.ts'

export interface RefusedIdentity {
  readonly reason: BindingRefusal
  readonly idpId: string
  readonly identity: PinnedIdentity
  /** The name that was claimed. */
  readonly claimed: string
}

export interface ResolveUserPorts {
  readonly people: () => People
  readonly bootstrapUsername: string
  /** Both return the row as it is stored afterwards, also when another instance was faster. */
  readonly bindUser: (userId: string, identity: PinnedIdentity) => Promise<User>
  readonly provisionUser: (user: UserToProvision) => Promise<User>
  /** Refusals are logged and shown to administrators. */
  readonly onRefused?: (refusal: RefusedIdentity) => void
}

/** Synchronous for a known user. Throws the public error on refusal. */
export type ResolveUser = (claims: IdentityClaims, idp: IdentityProvider) => User | Promise<User>

export function createResolveUser(ports: ResolveUserPorts): ResolveUser {
  // A client opens several connections at once with its first token: one write serves them all.
  const writes = new Map<string, Promise<User>>()

  function refuse(reason: BindingRefusal, claims: IdentityClaims, idp: IdentityProvider, claimed: string): never {
    ports.onRefused?.({ reason, idpId: idp.id, identity: toIdentity(claims), claimed })
    // Without a choice the last of them decides, which every token has.
    throw problem(reason, { identity: claimed, claim: idp.userClaim === 'auto' ? 'sub' : idp.userClaim })
  }

  async function write(claims: IdentityClaims, idp: IdentityProvider, store: () => Promise<User>): Promise<User> {
    const identity = toIdentity(claims)
    const key = identityKey(identity)
    const running = writes.get(key) ?? store().finally(() => writes.delete(key))
    writes.set(key, running)
    const user = await running
    // The store has the last word: somebody else may have been bound to this name in the meantime.
    if (!isPinnedTo(user, identity) || user.bootstrap) refuse('identity_mismatch', claims, idp, user.subject)
    if (!user.active) refuse('user_inactive', claims, idp, user.subject)
    return user
  }

  return (claims, idp) => {
    const name = findUserName(claims, idp.userClaim)
    const found = findUser(ports.people(), toIdentity(claims), name)
    if (found === 'ambiguous') return refuse('identity_mismatch', claims, idp, name ?? claims.sub)
    const binding = decideBinding({ claims, idp, existingUser: found, bootstrapUsername: ports.bootstrapUsername })
    switch (binding.kind) {
      case 'known':
        return binding.user
      case 'bind':
        return write(claims, idp, () => ports.bindUser(binding.user.id, binding.identity))
      case 'provision':
        return write(claims, idp, () => ports.provisionUser(binding.user))
      case 'refuse':
        return refuse(binding.reason, claims, idp, binding.identity)
    }
  }
}

function toIdentity(claims: IdentityClaims): PinnedIdentity {
  return { issuer: claims.iss, subject: claims.sub }
}
