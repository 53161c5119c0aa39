/** Finds the user whom an identity means, in a snapshot's people. */
import { comparableSubject, identityKey, type People } from '../../foundation/domain/people.ts'
import type { User } from '../../foundation/domain/user.ts'
import { isPinnedTo, type PinnedIdentity } from './identity-binding.ts'

/** Two subjects that differ only in spelling: nobody can say which one is meant. */
export type FoundUser = User | 'ambiguous' | undefined

/** The pinned user first: names change at the provider, (issuer, sub) does not. */
export function findUser(people: People, identity: PinnedIdentity, name: string | undefined): FoundUser {
  const exact = name === undefined ? undefined : people.usersBySubject.get(name)
  if (exact !== undefined && isPinnedTo(exact, identity)) return exact
  const pinned = people.usersByIdentity.get(identityKey(identity))
  if (pinned !== undefined || name === undefined) return pinned
  if (exact !== undefined) return exact
  const alike = people.usersBySpelling.get(comparableSubject(name)) ?? []
  return alike.length > 1 ? 'ambiguous' : alike[0]
}
