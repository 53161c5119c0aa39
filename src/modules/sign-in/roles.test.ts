import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Access, AccessRule, Grant, Reach } from '../../foundation/domain/access.ts'
import type { Caller } from '../../foundation/domain/caller.ts'
import { Problem } from '../../foundation/domain/errors.ts'
import { aKey, aTeam, aUser } from './people.fixture.ts'
import { requireAccess } from './roles.ts'

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
      assert.equal(toOutcome(access as Access, caller), row[at])
    })
  }
}

function toOutcome(access: Access, caller: Caller | undefined): string {
  try {
    requireAccess({ access, isForLeads: false }, caller)
    return yes
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.code
  }
}

const team = aTeam()

function sessionWith(grants: readonly Grant[], inTeam = true): Caller {
  const user = aUser({ grants, teamId: inTeam ? team.id : null })
  return { kind: 'session', sessionId: 's', user, team: inTeam ? team : null }
}

const forBilling: AccessRule = { access: 'admin', grants: ['billing:read'], isForLeads: false }
const forLeads: AccessRule = { access: 'admin', grants: ['billing:read'], isForLeads: true }

test('a grant opens the routes that name it, and no others', () => {
  assert.deepEqual(requireAccess(forBilling, sessionWith(['billing:read'])), { kind: 'all' } satisfies Reach)
  for (const grants of [[], ['audit:read', 'ops:operate', 'team:lead']] satisfies Grant[][])
    assert.throws(() => requireAccess(forBilling, sessionWith(grants)), {
      code: 'grant_required',
      message: 'This needs an administrator, or the grant billing:read.',
    })
  assert.throws(() => requireAccess({ access: 'admin', isForLeads: false }, sessionWith(['billing:read'])), {
    code: 'admin_required',
  })
})

test('a lead reaches the own team, all of it with a wider grant, and nothing without a team', () => {
  assert.deepEqual(requireAccess(forLeads, sessionWith(['team:lead'])), { kind: 'team', teamId: team.id })
  assert.deepEqual(requireAccess(forLeads, sessionWith(['team:lead', 'billing:read'])), { kind: 'all' })
  assert.throws(() => requireAccess(forLeads, sessionWith(['team:lead'], false)), { code: 'team_required' })
  assert.throws(() => requireAccess(forLeads, sessionWith([])), {
    message: 'This needs an administrator, or the grant billing:read or team:lead.',
  })
})

test('a key has none of the grants of its owner', () => {
  const user = aUser({ grants: ['billing:read', 'team:lead'], teamId: team.id })
  const key: Caller = { kind: 'key', key: aKey({ hash: 'd' }), user, team }
  assert.throws(() => requireAccess(forLeads, key), { code: 'admin_required' })
})
