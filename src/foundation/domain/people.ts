/** Everybody, by whatever they are looked for. */
import type { User } from './user.ts'

export interface People {
  readonly users: ReadonlyMap<string, User>
  readonly usersBySubject: ReadonlyMap<string, User>
  readonly usersByIdentity: ReadonlyMap<string, User>
  /** By `comparableSubject`. Two who differ only in spelling can both be there. */
  readonly usersBySpelling: ReadonlyMap<string, readonly User[]>
}

export function buildPeople(users: Iterable<User>): People {
  const people = emptyPeople()
  for (const user of users) addPerson(people, user)
  return people
}

export function emptyPeople() {
  return {
    users: new Map<string, User>(),
    usersBySubject: new Map<string, User>(),
    usersByIdentity: new Map<string, User>(),
    usersBySpelling: new Map<string, readonly User[]>(),
  } satisfies People
}

export function addPerson(people: ReturnType<typeof emptyPeople>, user: User): void {
  people.users.set(user.id, user)
  people.usersBySubject.set(user.subject, user)
  if (user.identity !== null) people.usersByIdentity.set(identityKey(user.identity), user)
  const spelling = comparableSubject(user.subject)
  people.usersBySpelling.set(spelling, [...(people.usersBySpelling.get(spelling) ?? []), user])
}

/** The form under which subjects are compared, however an administrator typed them. */
export function comparableSubject(subject: string): string {
  const name = subject.trim().normalize('NFC')
  return name.includes('@') ? name.toLowerCase() : name
}

/** The separator cannot be part of an issuer URL, so no two pairs share a key. */
export function identityKey(identity: NonNullable<User['identity']>): string {
  return `${identity.issuer} ${identity.subject}`
}
