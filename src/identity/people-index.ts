/** Finds the user whom an identity means, in a snapshot's people. */
import type { User } from '../domain/user.ts'
import { isPinnedTo, type PinnedIdentity } from './identity-binding.ts'
import { toComparableSubject } from './user-claim.ts'

export interface People {
  readonly users: ReadonlyMap<string, User>
  readonly usersBySubject: ReadonlyMap<string, User>
}

/** Two subjects that differ only in spelling: nobody can say which one is meant. */
export type FoundUser = User | 'ambiguous' | undefined

interface PeopleIndex {
  readonly byIdentity: ReadonlyMap<string, User>
  readonly byComparableSubject: ReadonlyMap<string, User | 'ambiguous'>
}

/** Built when first needed and forgotten with its snapshot; most look-ups end before they need it. */
const indexes = new WeakMap<ReadonlyMap<string, User>, PeopleIndex>()

/** The pinned user first: names change at the provider, (issuer, sub) does not. */
export function findUser(people: People, identity: PinnedIdentity, name: string | undefined): FoundUser {
  const exact = name === undefined ? undefined : people.usersBySubject.get(name)
  if (exact !== undefined && isPinnedTo(exact, identity)) return exact
  const index = indexOf(people.users)
  const pinned = index.byIdentity.get(identityKey(identity))
  if (pinned !== undefined || name === undefined) return pinned
  return exact ?? index.byComparableSubject.get(toComparableSubject(name))
}

function indexOf(users: ReadonlyMap<string, User>): PeopleIndex {
  const known = indexes.get(users)
  if (known !== undefined) return known
  const byIdentity = new Map<string, User>()
  const byComparableSubject = new Map<string, User | 'ambiguous'>()
  for (const user of users.values()) {
    if (user.identity !== null) byIdentity.set(identityKey(user.identity), user)
    const subject = toComparableSubject(user.subject)
    byComparableSubject.set(subject, byComparableSubject.has(subject) ? 'ambiguous' : user)
  }
  const index = { byIdentity, byComparableSubject }
  indexes.set(users, index)
  return index
}

/** The separator cannot be part of an issuer URL, so no two pairs share a key. */
export function identityKey(identity: PinnedIdentity): string {
  return `${identity.issuer} ${identity.subject}`
}
