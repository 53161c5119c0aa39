import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { User } from '../domain/user.ts'
import { LayeredMap } from '../platform/layered-map.ts'
import { aUser } from './people.fixture.ts'
import { findUser } from './people-index.ts'

const subjects = ['ada@example.com', 'Ada@example.com', 'ADA@example.com', 'bob', 'Bob', 'caf\u00e9', 'cafe\u0301']
const issuer = 'https://idp.example.com'

const user: fc.Arbitrary<User> = fc
  .record({
    id: fc.constantFrom('1', '2', '3', '4'),
    subject: fc.constantFrom(...subjects),
    pinnedTo: fc.option(fc.constantFrom('a', 'b', 'c')),
  })
  .map(({ id, subject, pinnedTo }) =>
    aUser({ id, subject, identity: pinnedTo === null ? null : { issuer, subject: pinnedTo } }),
  )

const change = fc.record({ gone: fc.array(fc.constantFrom('1', '2', '3', '4'), { maxLength: 2 }), there: user })

test('people who changed one by one are found as if they had been read at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      let layered = new LayeredMap<string, User>(new Map())
      for (const { gone, there } of changes) {
        // The database has each subject and each identity once.
        const others = [...layered.values()].filter((one) => one.id !== there.id)
        if (others.some((one) => one.subject === there.subject || isSame(one, there))) continue
        layered = await layered.with(gone, [[there.id, there]])
        // An index of every state, as calls would ask for: none may answer for a later one.
        assertSame(layered)
      }
      const base = new LayeredMap(new Map(layered))
      assertSame(await base.with([], [...layered].slice(0, 1)))
    }),
    { numRuns: 300 },
  )
})

function isSame(one: User, other: User): boolean {
  return one.identity !== null && one.identity.subject === other.identity?.subject
}

function assertSame(users: LayeredMap<string, User>): void {
  const usersBySubject = new Map([...users.values()].map((one) => [one.subject, one]))
  const plain = { users: new Map(users), usersBySubject }
  for (const subject of ['a', 'b', 'c', 'd'])
    for (const name of [...subjects, undefined])
      assert.equal(
        findUser({ users, usersBySubject }, { issuer, subject }, name),
        findUser(plain, { issuer, subject }, name),
      )
}
