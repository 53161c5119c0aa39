import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../domain/caller.ts'
import { Problem } from '../domain/errors.ts'
import { aKey, aUser } from './people.fixture.ts'
import { type Access, requireAccess } from './roles.ts'

const admin = aUser({ role: 'admin' })
const member = aUser()
const callers: Readonly<Record<string, Caller | undefined>> = {
  nobody: undefined,
  'key without a user': { kind: 'key', key: aKey({ hash: 'a' }), user: null, team: null },
  'key of a member': { kind: 'key', key: aKey({ hash: 'b' }), user: member, team: null },
  'key of an admin': { kind: 'key', key: aKey({ hash: 'c' }), user: admin, team: null },
  'session of a member': { kind: 'session', sessionId: 's', user: member, team: null },
  'session of an admin': { kind: 'session', sessionId: 's', user: admin, team: null },
  'JWT of a member': { kind: 'jwt', idpId: 'i', user: member, team: null },
  'JWT of an admin': { kind: 'jwt', idpId: 'i', user: admin, team: null },
}

const yes = 'allowed'
const none = 'missing_credential'
const person = 'person_required'
const role = 'admin_required'
const wrong = 'invalid_credential'
const table: Readonly<Record<Access, readonly string[]>> = {
  open: [yes, yes, yes, yes, yes, yes, yes, yes],
  client: [none, yes, yes, yes, yes, yes, yes, yes],
  'self-read': [none, yes, yes, yes, yes, yes, yes, yes],
  person: [none, person, person, person, yes, yes, yes, yes],
  admin: [none, role, role, role, role, yes, role, yes],
  scim: [none, wrong, wrong, wrong, wrong, wrong, wrong, wrong],
}

for (const [access, row] of Object.entries(table)) {
  for (const [at, [who, caller]] of Object.entries(callers).entries()) {
    test(`${access} routes: ${who} is ${row[at] === yes ? 'let in' : `refused with ${row[at]}`}`, () => {
      assert.equal(outcomeOf(access as Access, caller), row[at])
    })
  }
}

function outcomeOf(access: Access, caller: Caller | undefined): string {
  try {
    requireAccess(access, caller)
    return yes
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.code
  }
}
