import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../foundation/domain/errors.ts'
import type { User } from '../../foundation/domain/user.ts'
import { anIdp, aUser, someFacts } from './people.fixture.ts'
import { createResolveUser, type RefusedIdentity, type ResolveUserPorts } from './resolve-user.ts'
import type { IdentityClaims } from './user-claim.ts'

const idp = anIdp()
const claims: IdentityClaims = { iss: idp.issuerUrl, sub: 'sub-1', email: 'ann@corp.example' }
const pinned = { issuer: idp.issuerUrl, subject: 'sub-1' }

function setUp(users: readonly User[], changes: Partial<ResolveUserPorts> = {}) {
  const refusals: RefusedIdentity[] = []
  const writes: string[] = []
  const resolve = createResolveUser({
    people: () => someFacts({ users }),
    bootstrapUsername: 'admin',
    bindUser: async (id, identity) => {
      writes.push(`bind ${id}`)
      return { ...(users.find((user) => user.id === id) ?? aUser()), identity }
    },
    provisionUser: async (user) => {
      writes.push(`provision ${user.subject}`)
      return aUser({ ...user })
    },
    onRefused: (refusal) => refusals.push(refusal),
    ...changes,
  })
  return { resolve, refusals, writes }
}

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && error.status === 403

test('a pinned user is found without a promise, also under a new name and among users of the same name', () => {
  const ann = aUser({ subject: 'old@corp.example', identity: pinned })
  const namesake = aUser({ subject: 'ann@corp.example' })
  const { resolve, writes } = setUp([namesake, ann])
  assert.equal(resolve(claims, idp), ann)
  assert.deepEqual(writes, [])
})

test('a prepared user is found in whatever case the administrator typed, and bound once for parallel requests', async () => {
  const prepared = aUser({ subject: 'Ann@Corp.Example', role: 'admin' })
  const { resolve, writes } = setUp([prepared])
  const users = await Promise.all(Array.from({ length: 50 }, () => resolve(claims, idp)))
  assert.deepEqual(writes, [`bind ${prepared.id}`])
  assert.ok(users.every((user) => user.id === prepared.id && user.role === 'admin'))
})

test("two users whose subjects differ only in spelling are nobody's to claim", () => {
  const { resolve, refusals } = setUp([aUser({ subject: 'ANN@corp.example' }), aUser({ subject: 'Ann@corp.example' })])
  assert.throws(() => resolve(claims, idp), refusedWith('identity_mismatch'))
  assert.equal(refusals[0]?.reason, 'identity_mismatch')
})

test('a new user is provisioned; a later failure of the store reaches the caller and is not remembered', async () => {
  let isAway = true
  const { resolve } = setUp([], {
    provisionUser: async (user) => {
      if (isAway) throw new Problem('database_unavailable')
      return aUser({ ...user })
    },
  })
  await assert.rejects(async () => resolve(claims, idp), { code: 'database_unavailable' })
  isAway = false
  assert.equal((await resolve(claims, idp)).subject, 'ann@corp.example')
})

test('the stored row has the last word when another identity was bound in the meantime', async () => {
  const other = aUser({ subject: 'ann@corp.example', identity: { ...pinned, subject: 'sub-2' } })
  const { resolve, refusals } = setUp([aUser({ subject: 'ann@corp.example' })], { bindUser: async () => other })
  await assert.rejects(async () => resolve(claims, idp), refusedWith('identity_mismatch'))
  assert.equal(refusals.length, 1)
})

test('a refusal tells administrators who claimed what, through which provider and from where', () => {
  const { resolve, refusals } = setUp([
    aUser({ subject: 'ann@corp.example', identity: { ...pinned, subject: 'sub-2' } }),
  ])
  const origin = { sourceAddress: '203.0.113.9', requestId: 'req_1' }
  assert.throws(() => resolve(claims, idp, origin), refusedWith('identity_mismatch'))
  assert.deepEqual(refusals, [
    { reason: 'identity_mismatch', idpId: idp.id, identity: pinned, claimed: 'ann@corp.example', origin },
  ])
})

test('no claim of a second provider reaches a user of the first', () => {
  const second = anIdp({ issuerUrl: 'https://second.example' })
  const boss = aUser({ subject: 'boss@corp.example', role: 'admin', identity: pinned })
  const { resolve } = setUp([boss, aUser({ subject: 'admin', role: 'admin', bootstrap: true })])
  const attempts: readonly Partial<IdentityClaims>[] = [
    { email: 'boss@corp.example' },
    { email: 'BOSS@CORP.EXAMPLE', email_verified: true },
    { preferred_username: 'boss@corp.example' },
    { preferred_username: 'admin' },
    { upn: 'ADMIN' },
    { name: 'admin' },
    { sub: 'boss@corp.example' },
    { sub: 'admin' },
  ]
  for (const attempt of attempts) {
    const taken = (): unknown => resolve({ iss: second.issuerUrl, sub: 'x', ...attempt }, second)
    assert.throws(taken, refusedWith('identity_mismatch'), JSON.stringify(attempt))
  }
})
