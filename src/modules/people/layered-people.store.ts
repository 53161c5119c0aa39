/** The people of a snapshot, and the next ones: what has changed is looked for under each of its names, now and before. */
import { comparableSubject, identityKey, type People } from '../../foundation/domain/people.ts'
import type { User } from '../../foundation/domain/user.ts'
import { LayeredMap } from '../../foundation/platform/layered-map.ts'

type LayeredPeople = {
  readonly [N in keyof People]: LayeredMap<
    string,
    People[N] extends ReadonlyMap<string, infer V extends object> ? V : never
  >
}

export function toLayers(people: People): LayeredPeople {
  return {
    users: new LayeredMap(people.users),
    usersBySubject: new LayeredMap(people.usersBySubject),
    usersByIdentity: new LayeredMap(people.usersByIdentity),
    usersBySpelling: new LayeredMap(people.usersBySpelling),
  }
}

/** Undefined when they were not read from a database. */
export function layeredPeople({
  users,
  usersBySubject,
  usersByIdentity,
  usersBySpelling,
}: People): LayeredPeople | undefined {
  const areLayered =
    users instanceof LayeredMap &&
    usersBySubject instanceof LayeredMap &&
    usersByIdentity instanceof LayeredMap &&
    usersBySpelling instanceof LayeredMap
  return areLayered ? { users, usersBySubject, usersByIdentity, usersBySpelling } : undefined
}

export async function withChanges(
  known: LayeredPeople,
  removedIds: readonly string[],
  changed: readonly User[],
): Promise<LayeredPeople> {
  const ids = new Set([...removedIds, ...changed.map(({ id }) => id)])
  const earlier = [...ids].flatMap((id) => known.users.get(id) ?? [])
  const spellings = listSpellings(known, ids, earlier, changed)
  return {
    users: await known.users.with(
      removedIds,
      named(changed, ({ id }) => id),
    ),
    usersBySubject: await known.usersBySubject.with(
      earlier.map(({ subject }) => subject),
      named(changed, ({ subject }) => subject),
    ),
    usersByIdentity: await known.usersByIdentity.with(
      earlier.flatMap(identities),
      changed.flatMap((user) => identities(user).map((key) => [key, user] as const)),
    ),
    usersBySpelling: await known.usersBySpelling.with(
      spellings.keys(),
      [...spellings].filter(([, alike]) => alike.length > 0),
    ),
  }
}

/** Each spelling that somebody had or has, with all who have it now. */
function listSpellings(
  known: LayeredPeople,
  ids: ReadonlySet<string>,
  earlier: readonly User[],
  changed: readonly User[],
): ReadonlyMap<string, readonly User[]> {
  const now = Map.groupBy(changed, ({ subject }) => comparableSubject(subject))
  const touched = new Set([...earlier.map(({ subject }) => comparableSubject(subject)), ...now.keys()])
  return new Map(
    [...touched].map((spelling) => {
      const others = (known.usersBySpelling.get(spelling) ?? []).filter(({ id }) => !ids.has(id))
      return [spelling, [...others, ...(now.get(spelling) ?? [])]]
    }),
  )
}

function identities({ identity }: User): readonly string[] {
  return identity === null ? [] : [identityKey(identity)]
}

function named(users: readonly User[], nameOf: (user: User) => string): (readonly [string, User])[] {
  return users.map((user) => [nameOf(user), user])
}
