import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserClaim } from '../../foundation/domain/idp.ts'
import { defined } from '../../foundation/platform/defined.ts'
import { findEmail, findUserName, type IdentityClaims, isDomainAllowed } from './user-claim.ts'

const base: IdentityClaims = { iss: 'https://login.corp.example', sub: 'sub-1' }
const all: IdentityClaims = {
  ...base,
  email: 'ann@corp.example',
  preferred_username: 'ann.p',
  upn: 'ann.u',
  oid: 'ann-oid',
  name: 'Ann Example',
}

test('auto takes the first present claim of email, preferred_username, upn, name, sub', () => {
  const { email: _email, ...noEmail } = all
  const { preferred_username: _preferred, ...noPreferred } = noEmail
  const { upn: _upn, ...noUpn } = noPreferred
  assert.equal(findUserName(all, 'auto'), 'ann@corp.example')
  assert.equal(findUserName(noEmail, 'auto'), 'ann.p')
  assert.equal(findUserName(noPreferred, 'auto'), 'ann.u')
  assert.equal(findUserName(noUpn, 'auto'), 'Ann Example')
  assert.equal(findUserName(base, 'auto'), 'sub-1')
})

test('a chosen claim is used alone; without it nobody is named', () => {
  const expected: Readonly<Record<Exclude<UserClaim, 'auto'>, string>> = {
    email: 'ann@corp.example',
    preferred_username: 'ann.p',
    upn: 'ann.u',
    oid: 'ann-oid',
    name: 'Ann Example',
    sub: 'sub-1',
  }
  for (const [claim, name] of Object.entries(expected)) {
    assert.equal(findUserName(all, claim as UserClaim), name)
    if (claim !== 'sub') assert.equal(findUserName(base, claim as UserClaim), undefined)
  }
})

test('names are trimmed and composed; addresses are lower-cased; other names keep their case', () => {
  assert.equal(findUserName({ ...base, email: '  Ann@CORP.example ' }, 'email'), 'ann@corp.example')
  assert.equal(findUserName({ ...base, name: 'Jose\u0301' }, 'name'), 'Jos\u00e9')
  assert.equal(findUserName({ ...base, name: 'Ann' }, 'name'), 'Ann')
})

test('an unproven address names nobody, and the same address in a user name does not either', () => {
  const unproven: IdentityClaims = {
    ...base,
    email: 'boss@corp.example',
    email_verified: false,
    preferred_username: 'boss@corp.example',
    upn: 'boss@corp.example',
    name: 'boss@corp.example',
  }
  assert.equal(findEmail(unproven), undefined)
  assert.equal(findUserName(unproven, 'email'), undefined)
  assert.equal(findUserName(unproven, 'auto'), 'sub-1')
})

test('a display name that looks like an address names nobody; a user principal name may', () => {
  assert.equal(findUserName({ ...base, name: 'boss@corp.example' }, 'auto'), 'sub-1')
  assert.equal(findUserName({ ...base, upn: 'Ann@corp.example' }, 'auto'), 'ann@corp.example')
})

test('values with control, invisible, imitating or too many characters count as absent', () => {
  const odd = ['', '   ', 'ad\u200bmin', 'ad\u0000min', 'a\nb', '\u202enimda', 'x'.repeat(321), '\ud800', 'bac\u212aup']
  for (const name of odd) assert.equal(findUserName({ ...base, name }, 'name'), undefined, JSON.stringify(name))
})

test('allowed_domains compares the whole domain of the proven e-mail claim', () => {
  const idp = { allowedDomains: ['Corp.example', '@other.example'] }
  const allowed = (email: string | undefined, more: Partial<IdentityClaims> = {}): boolean =>
    isDomainAllowed({ ...base, ...defined({ email }), ...more }, idp)
  assert.equal(allowed('a@corp.example'), true)
  assert.equal(allowed('A@CORP.EXAMPLE'), true)
  assert.equal(allowed('a@other.example'), true)
  const refused = [
    'a@corp.example@evil.example',
    'a@evil.example,corp.example',
    'a@evil.example, b@corp.example',
    '"a@evil.example" <b@corp.example>',
    'a@sub.corp.example',
    'a@notcorp.example',
    'a@corp.example.',
    'a@corp.example.evil',
    'a@\uff43orp.example',
    'a@c\u043erp.example',
    '@corp.example',
    'corp.example',
    'a@',
    'a@corp.example\u0000',
    '',
  ]
  for (const email of refused) assert.equal(allowed(email), false, email)
  assert.equal(allowed(undefined), false)
  assert.equal(allowed(undefined, { upn: 'a@corp.example', preferred_username: 'a@corp.example' }), false)
  assert.equal(allowed('a@corp.example', { email_verified: false }), false)
  assert.equal(allowed('a@corp.example', { email_verified: true }), true)
})

test('without allowed_domains every domain may sign in', () => {
  assert.equal(isDomainAllowed(base, { allowedDomains: null }), true)
  assert.equal(isDomainAllowed(base, { allowedDomains: [] }), true)
})
