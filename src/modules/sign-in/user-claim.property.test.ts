import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { comparableSubject } from '../../foundation/domain/people.ts'
import { findUnverifiedJwt } from './jwt-shape.ts'
import { findUserName, type IdentityClaims, isDomainAllowed } from './user-claim.ts'

const text = fc.string({ unit: 'binary' })
const claims: fc.Arbitrary<IdentityClaims> = fc.record(
  {
    iss: fc.constant('https://login.corp.example'),
    sub: text,
    email: fc.oneof(text, fc.emailAddress()),
    email_verified: fc.boolean(),
    preferred_username: text,
    upn: text,
    oid: text,
    name: text,
  },
  { requiredKeys: ['iss', 'sub'] },
)

test('a user name is in its own comparable form, so that finding a user twice finds the same one', () => {
  fc.assert(
    fc.property(claims, (given) => {
      const name = findUserName(given, 'auto')
      if (name === undefined) return
      assert.equal(comparableSubject(name), name)
      assert.ok(name.length > 0 && name.length <= 320)
    }),
  )
})

test('an e-mail passes the domain rule only when its text after the only @ is the allowed domain', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('corp.example', '@corp.example', 'corp.example@x', ''),
      (local, end) => {
        const email = `${local}${end}`
        const given: IdentityClaims = { iss: 'i', sub: 's', email }
        if (!isDomainAllowed(given, { allowedDomains: ['corp.example'] })) return
        assert.deepEqual(email.trim().toLowerCase().split('@').slice(1), ['corp.example'])
      },
    ),
  )
})

test('no text makes the token reader throw', () => {
  const part = fc.oneof(
    fc.base64String(),
    text,
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      assert.doesNotThrow(() => findUnverifiedJwt(parts.join('.')))
    }),
  )
})
