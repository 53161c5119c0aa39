import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildPeople, type People } from '../../foundation/domain/people.ts'
import type { User } from '../../foundation/domain/user.ts'
import { layeredPeople, toLayers, withChanges } from './layered-people.store.ts'

const ids = ['1', '2', '3', '4']
const subjects = ['ada@example.com', 'Ada@example.com', 'ADA@example.com', 'bob', 'Bob', 'caf\u00e9', 'cafe\u0301']

const user: fc.Arbitrary<User> = fc.record({
  id: fc.constantFrom(...ids),
  subject: fc.constantFrom(...subjects),
  email: fc.constant(null),
  role: fc.constantFrom('member', 'admin'),
  grants: fc.constant([]),
  teamId: fc.constant(null),
  active: fc.boolean(),
  identity: fc.option(fc.record({ issuer: fc.constant('https://idp'), subject: fc.constantFrom('a', 'b', 'c') })),
  bootstrap: fc.constant(false),
  sessionEpoch: fc.nat(),
  createdAt: fc.constant('2026-01-01T00:00:00Z'),
})

const change = fc.record({ removed: fc.array(fc.constantFrom(...ids)), changed: fc.array(user, { maxLength: 3 }) })

test('people who changed one after the other are found under every name as if they had been read at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(user), fc.array(change), async (begin, changes) => {
      let everybody = storable(begin)
      let people = toLayers(buildPeople(everybody))
      for (const { removed, changed } of changes) {
        const written = new Set(changed.map(({ id }) => id))
        const others = everybody.filter(({ id }) => !removed.includes(id) && !written.has(id))
        const next = storable([...others, ...changed])
        // The database refuses a change that would give a name or an identity to two.
        if (next.length < others.length + written.size) continue
        everybody = next
        people = await withChanges(
          people,
          removed.filter((id) => !written.has(id)),
          next.filter(({ id }) => written.has(id)),
        )
      }
      assert.deepEqual(toContent(people), toContent(buildPeople(everybody)))
    }),
    { numRuns: 500 },
  )
})

test('people that were not read from a database are nothing to build on', () => {
  assert.equal(layeredPeople(buildPeople([])), undefined)
})

/** One of each id, subject and identity, as the tables have them. */
function storable(users: readonly User[]): readonly User[] {
  const taken = new Set<string>()
  return users.filter(({ id, subject, identity }) => {
    const names = [`id ${id}`, `subject ${subject}`, ...(identity === null ? [] : [`identity ${identity.subject}`])]
    if (names.some((name) => taken.has(name))) return false
    for (const name of names) taken.add(name)
    return true
  })
}

function toContent({ users, usersBySubject, usersByIdentity, usersBySpelling }: People) {
  const spellings = [...usersBySpelling].map(([spelling, alike]) => [spelling, new Set(alike)] as const)
  return [new Map(users), new Map(usersBySubject), new Map(usersByIdentity), new Map(spellings)]
}
