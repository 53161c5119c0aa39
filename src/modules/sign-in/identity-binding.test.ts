import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IdentityProvider } from '../../foundation/domain/idp.ts'
import type { User } from '../../foundation/domain/user.ts'
import { type Binding, decideBinding } from './identity-binding.ts'
import { anIdp, aUser } from './people.fixture.ts'
import type { IdentityClaims } from './user-claim.ts'

const idp = anIdp()
const claims: IdentityClaims = { iss: idp.issuerUrl, sub: 'sub-1', email: 'Ann@corp.example' }
const pinned = { issuer: idp.issuerUrl, subject: 'sub-1' }

function decide(existingUser?: User, more: Partial<IdentityClaims> = {}, provider: IdentityProvider = idp): Binding {
  return decideBinding({ claims: { ...claims, ...more }, idp: provider, existingUser, bootstrapUsername: 'admin' })
}

function refusal(binding: Binding): string {
  return binding.kind === 'refuse' ? binding.reason : binding.kind
}

test('a user pinned to this issuer and subject is known, whatever the name has become', () => {
  const user = aUser({ identity: pinned })
  assert.deepEqual(decide(user), { kind: 'known', user })
  assert.deepEqual(decide(user, { email: 'married@corp.example' }), { kind: 'known', user })
})

test('a user made beforehand is bound at first login and keeps the role', () => {
  const user = aUser({ subject: 'ann@corp.example', role: 'admin' })
  assert.deepEqual(decide(user), { kind: 'bind', user, identity: pinned })
})

test('a name pinned to another subject or another issuer is refused', () => {
  assert.equal(refusal(decide(aUser({ identity: { ...pinned, subject: 'sub-2' } }))), 'identity_mismatch')
  assert.equal(refusal(decide(aUser({ identity: { ...pinned, issuer: 'https://evil.example' } }))), 'identity_mismatch')
})

test('the bootstrap administrator cannot be claimed, by name or by row, in any spelling', () => {
  assert.equal(refusal(decide(aUser({ bootstrap: true }))), 'identity_mismatch')
  assert.equal(refusal(decide(aUser({ bootstrap: true, identity: pinned }))), 'identity_mismatch')
  for (const name of ['admin', 'Admin', '\uff41dmin']) {
    for (const provider of [
      anIdp({ userClaim: 'preferred_username' }),
      anIdp({ userClaim: 'preferred_username', autoProvision: false }),
    ]) {
      assert.equal(refusal(decide(undefined, { preferred_username: name }, provider)), 'identity_mismatch')
    }
  }
})

test('an inactive user is refused, pinned or not', () => {
  assert.equal(refusal(decide(aUser({ active: false, identity: pinned }))), 'user_inactive')
  assert.equal(refusal(decide(aUser({ active: false }))), 'user_inactive')
})

test('auto_provision makes a user with the default role; without it nobody is made', () => {
  assert.deepEqual(decide(undefined, {}, anIdp({ defaultRole: 'admin' })), {
    kind: 'provision',
    user: { subject: 'ann@corp.example', email: 'ann@corp.example', role: 'admin', identity: pinned },
  })
  assert.equal(refusal(decide(undefined, {}, anIdp({ autoProvision: false }))), 'not_provisioned')
})

test('an unproven address is not stored as the e-mail of a new user', () => {
  const binding = decide(undefined, { email_verified: false })
  assert.ok(binding.kind === 'provision')
  assert.deepEqual([binding.user.subject, binding.user.email], ['sub-1', null])
})

test('the domain rule holds for known, prepared and new users alike', () => {
  const provider = anIdp({ allowedDomains: ['other.example'] })
  for (const user of [aUser({ identity: pinned }), aUser(), undefined]) {
    assert.equal(refusal(decide(user, {}, provider)), 'domain_not_allowed')
  }
})

test('a token that does not carry the chosen claim names nobody, whoever is registered', () => {
  for (const autoProvision of [true, false])
    assert.equal(refusal(decide(undefined, {}, anIdp({ userClaim: 'oid', autoProvision }))), 'user_claim_missing')
})
