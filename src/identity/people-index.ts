/** Finds the user whom an identity means, in a snapshot's people. */
import type { User } from '../domain/user.ts'
import { LayeredMap } from '../platform/layered-map.ts'
import { isPinnedTo, type PinnedIdentity } from './identity-binding.ts'
import { toComparableSubject } from './user-claim.ts'

export interface People {
  readonly users: ReadonlyMap<string, User>
  readonly usersBySubject: ReadonlyMap<string, User>
}

/** Two subjects that differ only in spelling: nobody can say which one is meant. */
export type FoundUser = User | 'ambiguous' | undefined

/** Ids of those who were meant when it was made: whoever has changed since is in the index of the changes. */
interface PeopleIndex {
  readonly byIdentity: ReadonlyMap<string, string>
  readonly byComparableSubject: ReadonlyMap<string, readonly string[]>
}

/** Built when first needed and forgotten with its people; most look-ups end before they need it. */
const indexes = new WeakMap<ReadonlyMap<string, User>, PeopleIndex>()

/** The pinned user first: names change at the provider, (issuer, sub) does not. */
export function findUser(people: People, identity: PinnedIdentity, name: string | undefined): FoundUser {
  const exact = name === undefined ? undefined : people.usersBySubject.get(name)
  if (exact !== undefined && isPinnedTo(exact, identity)) return exact
  const { users } = people
  const parts = users instanceof LayeredMap ? users.layers().map(indexOf) : [indexOf(users)]
  const pinned = parts
    .map(({ byIdentity }) => users.get(byIdentity.get(identityKey(identity)) ?? ''))
    .find((user) => user !== undefined && isPinnedTo(user, identity))
  if (pinned !== undefined || name === undefined) return pinned
  return exact ?? onlyOne(users, parts, toComparableSubject(name))
}

function onlyOne(users: People['users'], parts: readonly PeopleIndex[], comparable: string): FoundUser {
  const ids = new Set(parts.flatMap(({ byComparableSubject }) => byComparableSubject.get(comparable) ?? []))
  const meant = [...ids].flatMap((id) => users.get(id) ?? []).filter((user) => isSpelled(user, comparable))
  return meant.length > 1 ? 'ambiguous' : meant[0]
}

function isSpelled(user: User, comparable: string): boolean {
  return toComparableSubject(user.subject) === comparable
}

function indexOf(users: ReadonlyMap<string, User>): PeopleIndex {
  const known = indexes.get(users)
  if (known !== undefined) return known
  const byIdentity = new Map<string, string>()
  const byComparableSubject = new Map<string, string[]>()
  for (const user of users.values()) {
    if (user.identity !== null) byIdentity.set(identityKey(user.identity), user.id)
    const subject = toComparableSubject(user.subject)
    const alike = byComparableSubject.get(subject)
    if (alike === undefined) byComparableSubject.set(subject, [user.id])
    else alike.push(user.id)
  }
  const index = { byIdentity, byComparableSubject }
  indexes.set(users, index)
  return index
}

/** The separator cannot be part of an issuer URL, so no two pairs share a key. */
export function identityKey(identity: PinnedIdentity): string {
  return `${identity.issuer} ${identity.subject}`
}
