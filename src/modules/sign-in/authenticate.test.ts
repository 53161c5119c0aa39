import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Caller } from '../../foundation/domain/caller.ts'
import { Problem } from '../../foundation/domain/errors.ts'
import type { User } from '../../foundation/domain/user.ts'
import { hashVirtualKey, makeVirtualKey } from '../keys/virtual-key.ts'
import { type AuthenticatorPorts, createAuthenticator, type IdentityFacts } from './authenticate.ts'
import { MAX_CREDENTIAL_LENGTH, type RequestHeaders } from './credentials.ts'
import type { VerifiedJwt } from './oidc-verifier.service.ts'
import { aKey, anIdp, aTeam, aUser, createTestClock, type FactsContent, someFacts } from './people.fixture.ts'
import { createSessionKey, createSessionTokens } from './session-token.ts'

const clock = createTestClock()
const sessionKey = createSessionKey(randomBytes(32))
const sessions = createSessionTokens({ clock, keys: () => [sessionKey] })
const { key: secret, hash } = makeVirtualKey()
const bearer = (value: string): RequestHeaders => ({ authorization: `Bearer ${value}` })
const jwt: VerifiedJwt = { idp: anIdp(), claims: { iss: 'https://login.corp.example', sub: 'sub-1' }, nonce: undefined }

interface SetUp extends Partial<Pick<AuthenticatorPorts, 'resolveUser' | 'oidc' | 'onSession'>> {
  readonly facts?: FactsContent
}

function setUp({ facts = {}, ...ports }: SetUp = {}) {
  let current: IdentityFacts = someFacts(facts)
  const { authenticate, authenticateValue } = createAuthenticator({
    snapshot: () => current,
    clock,
    sessions,
    oidc: { verify: (token) => (token === 'good.jwt.token' ? jwt : undefined) },
    resolveUser: () => {
      throw new Problem('not_provisioned', { identity: 'x' })
    },
    ...ports,
  })
  return {
    authenticate,
    authenticateValue,
    change: (content: FactsContent): void => {
      current = someFacts(content)
    },
  }
}

async function toFailure(act: () => Caller | Promise<Caller>): Promise<Problem> {
  try {
    await act()
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error
  }
  throw new Error('was let in')
}

test('nothing sent is missing_credential, also when a failed helper sends empty values', async () => {
  const { authenticate } = setUp()
  for (const headers of [{}, { authorization: 'Bearer ', 'x-api-key': '' }]) {
    const failure = await toFailure(() => authenticate(headers))
    assert.deepEqual([failure.code, failure.status, failure.headers], ['missing_credential', 401, {}])
  }
})

test('a key is answered at once, with its user and the team that pays', () => {
  const [own, users] = [aTeam(), aTeam()]
  const user = aUser({ teamId: users.id })
  const withTeam = aKey({ hash, userId: user.id, teamId: own.id })
  const { authenticate, change } = setUp({ facts: { keys: [withTeam], users: [user], teams: [own, users] } })
  assert.deepEqual(authenticate(bearer(secret)), { kind: 'key', key: withTeam, user, team: own })
  assert.deepEqual(authenticate({ 'x-api-key': secret }), { kind: 'key', key: withTeam, user, team: own })
  const withoutTeam = { ...withTeam, teamId: null }
  change({ keys: [withoutTeam], users: [user], teams: [own, users] })
  assert.deepEqual(authenticate(bearer(secret)), { kind: 'key', key: withoutTeam, user, team: users })
})

test('a key that shares a beginning with a known one is looked up like any other: once, by its whole hash', async () => {
  const facts = someFacts({ keys: [aKey({ hash })] })
  const lookedUp: unknown[] = []
  const keysByHash = new Map(facts.keysByHash)
  keysByHash.get = (wanted) => {
    lookedUp.push(wanted)
    return facts.keysByHash.get(wanted)
  }
  const { authenticate } = createAuthenticator({
    snapshot: () => ({ ...facts, keysByHash }),
    clock,
    sessions,
    oidc: { verify: () => undefined },
    resolveUser: () => user,
  })
  const other = secret.endsWith('A') ? 'B' : 'A'
  const wrong = [
    secret.slice(0, -1) + other,
    secret.slice(0, 40) + makeVirtualKey().key.slice(40),
    makeVirtualKey().key,
  ]
  for (const value of wrong)
    assert.equal((await toFailure(() => authenticate(bearer(value)))).code, 'invalid_virtual_key')
  assert.deepEqual(lookedUp, wrong.map(hashVirtualKey))
})

test('a key that belongs to nobody works', () => {
  const { authenticate } = setUp({ facts: { keys: [aKey({ hash })] } })
  const caller = authenticate(bearer(secret))
  assert.ok(!(caller instanceof Promise) && caller.user === null && caller.team === null)
})

const user = aUser()
const nowMs = clock.nowMs()
const deadKeys: Readonly<Record<string, FactsContent>> = {
  unknown: {},
  revoked: { keys: [aKey({ hash, revokedAtMs: nowMs })] },
  expired: { keys: [aKey({ hash, expiresAtMs: nowMs })] },
  'of an inactive user': { keys: [aKey({ hash, userId: user.id })], users: [{ ...user, active: false }] },
  'of a deleted user': { keys: [aKey({ hash, userId: user.id })] },
  'of a deleted team': { keys: [aKey({ hash, teamId: 'gone' })] },
}
for (const [kind, facts] of Object.entries(deadKeys)) {
  test(`a key ${kind} is invalid_virtual_key and must not be retried`, async () => {
    const failure = await toFailure(() => setUp({ facts }).authenticate(bearer(secret)))
    assert.deepEqual([failure.code, failure.status], ['invalid_virtual_key', 401])
    assert.equal(failure.headers['x-should-retry'], 'false')
    assert.equal(failure.rejected?.kind, kind === 'unknown' ? undefined : 'key', 'whose key it is')
  })
}

test('a rotated key works until its grace time ends', () => {
  const { authenticate } = setUp({ facts: { keys: [aKey({ hash, revokedAtMs: nowMs + 1 })] } })
  assert.equal((authenticate(bearer(secret)) as Caller).kind, 'key')
})

test('anything that begins with sk-proxy- is judged as a key, whatever its length', async () => {
  const { authenticate } = setUp({ facts: { keys: [aKey({ hash })] } })
  for (const value of ['sk-proxy-', `${secret}x`, secret.slice(0, -1), `sk-proxy-${'a'.repeat(20_000)}`]) {
    assert.equal((await toFailure(() => authenticate(bearer(value)))).code, 'invalid_virtual_key')
  }
})

test('switched-off keys are refused with their own words and must not be retried; people still get in', async () => {
  const person = aUser()
  const { authenticate } = setUp({
    facts: { keys: [aKey({ hash })], users: [person], settings: { virtual_keys_enabled: false } },
  })
  const failure = await toFailure(() => authenticate(bearer(secret)))
  assert.deepEqual([failure.code, failure.headers['x-should-retry']], ['virtual_keys_disabled', 'false'])
  const caller = authenticate(bearer(sessions.issue(person, 'password', 1).token))
  assert.equal((caller as Caller).kind, 'session')
})

test('unknown and expired sessions and tokens are invalid_credential that the client may retry', async () => {
  const person = aUser()
  const { authenticate } = setUp({ facts: { users: [person] } })
  const gone = sessions.issue(aUser(), 'sso', 1).token
  for (const value of [gone, 'sess-x', 'abc', 'a.b.c', 'x'.repeat(9_000)]) {
    const failure = await toFailure(() => authenticate(bearer(value)))
    assert.deepEqual([failure.code, failure.status, failure.headers], ['invalid_credential', 401, {}])
  }
})

test('the longest value is looked at, and one character more is not', async () => {
  const seen: number[] = []
  const longest = `sk-proxy-${'a'.repeat(MAX_CREDENTIAL_LENGTH - 9)}`
  const { authenticate } = setUp({
    facts: { keys: [longest, `${longest}a`].map((key) => aKey({ hash: hashVirtualKey(key) })) },
    oidc: {
      verify: (token) => {
        seen.push(token.length)
        return undefined
      },
    },
  })
  for (const length of [MAX_CREDENTIAL_LENGTH, MAX_CREDENTIAL_LENGTH + 1])
    assert.equal((await toFailure(() => authenticate(bearer('x'.repeat(length))))).code, 'invalid_credential')
  assert.deepEqual(seen, [MAX_CREDENTIAL_LENGTH])
  assert.equal((authenticate(bearer(longest)) as Caller).kind, 'key')
  assert.equal((await toFailure(() => authenticate(bearer(`${longest}a`)))).code, 'invalid_virtual_key')
})

test('an empty value from elsewhere is no credential at all', async () => {
  assert.equal((await toFailure(() => setUp().authenticateValue(''))).code, 'missing_credential')
})

test('a session gives its user as the snapshot has them now, without a promise', () => {
  const team = aTeam()
  const person = aUser({ teamId: team.id })
  const used: string[] = []
  const { authenticateValue } = setUp({
    facts: { users: [person], teams: [team] },
    onSession: ({ id }) => used.push(id),
  })
  const { token, session } = sessions.issue(person, 'sso', 1)
  assert.deepEqual(authenticateValue(token), { kind: 'session', sessionId: session.id, user: person, team })
  assert.deepEqual(used, [session.id])
})

test('an inactive person is 403 user_inactive, by session and by token', async () => {
  const person = aUser()
  const { token } = sessions.issue(person, 'sso', 1)
  const { authenticate } = setUp({
    facts: { users: [{ ...person, active: false }] },
    resolveUser: () => {
      throw new Problem('user_inactive')
    },
  })
  for (const value of [token, 'good.jwt.token']) {
    const failure = await toFailure(() => authenticate(bearer(value)))
    assert.deepEqual([failure.code, failure.status], ['user_inactive', 403])
    if (value === token) assert.equal(failure.rejected?.user?.id, person.id)
  }
})

test('a warm token is answered without a promise and without asking again, until the people change', () => {
  let asked = 0
  let answer: User = aUser()
  const { authenticate, change } = setUp({
    resolveUser: () => {
      asked += 1
      return answer
    },
  })
  for (let call = 0; call < 3; call += 1) {
    assert.deepEqual(authenticate(bearer('good.jwt.token')), {
      kind: 'jwt',
      idpId: jwt.idp.id,
      user: answer,
      team: null,
    })
  }
  assert.equal(asked, 1)
  answer = { ...answer, role: 'admin' }
  change({})
  assert.equal((authenticate(bearer('good.jwt.token')) as Caller).user?.role, 'admin')
  assert.equal(asked, 2)
})

test('the first carrier that validates wins, also after an asynchronous refusal', async () => {
  const { authenticate } = setUp({
    facts: { keys: [aKey({ hash })] },
    oidc: { verify: async () => undefined },
  })
  const viaPromise = authenticate({ authorization: 'Bearer bad.jwt.token', 'x-api-key': secret })
  assert.ok(viaPromise instanceof Promise)
  assert.equal((await viaPromise).kind, 'key')
  assert.equal((authenticate({ authorization: 'Bearer sess-bad', 'x-api-key': secret }) as Caller).kind, 'key')
  assert.equal((authenticate({ authorization: `Bearer ${secret}`, 'x-api-key': 'sess-bad' }) as Caller).kind, 'key')
})

const away = new Problem('database_unavailable')
const order: readonly (readonly [string, string, Problem | undefined, string])[] = [
  ['good.jwt.token', 'sk-proxy-dead', away, 'database_unavailable'],
  ['sk-proxy-dead', 'good.jwt.token', away, 'database_unavailable'],
  ['sk-proxy-dead', 'good.jwt.token', new Problem('domain_not_allowed'), 'domain_not_allowed'],
  ['good.jwt.token', 'sk-proxy-dead', new Problem('domain_not_allowed'), 'domain_not_allowed'],
  ['sess-dead', 'sk-proxy-dead', undefined, 'invalid_virtual_key'],
  ['sk-proxy-dead', 'sess-dead', undefined, 'invalid_virtual_key'],
  ['sess-dead', 'bad.jwt.token', undefined, 'invalid_credential'],
]
for (const [first, second, refusal, expected] of order) {
  test(`of ${first} and ${second} (${refusal?.code ?? 'unknown'}) the failure reported is ${expected}`, async () => {
    const { authenticate } = setUp({
      resolveUser: async () => {
        throw refusal ?? new Problem('invalid_credential')
      },
    })
    const failure = await toFailure(() => authenticate({ authorization: `Bearer ${first}`, 'x-api-key': second }))
    assert.equal(failure.code, expected)
  })
}

test('a part of ours that was away counts for more than an identity that may not enter, and the first of two such speaks', async () => {
  const inactive = aUser({ active: false })
  const { token } = sessions.issue(inactive, 'sso', 1)
  const failing = (code: 'database_unavailable' | 'domain_not_allowed') =>
    setUp({
      facts: { users: [inactive] },
      resolveUser: () => {
        throw new Problem(code)
      },
    })
  const both = (first: string, second: string) => ({ authorization: `Bearer ${first}`, 'x-api-key': second })
  const told = async (code: 'database_unavailable' | 'domain_not_allowed', first: string, second: string) =>
    (await toFailure(() => failing(code).authenticate(both(first, second)))).code
  assert.equal(await told('database_unavailable', token, 'good.jwt.token'), 'database_unavailable')
  assert.equal(await told('database_unavailable', 'good.jwt.token', token), 'database_unavailable')
  assert.equal(await told('domain_not_allowed', token, 'good.jwt.token'), 'user_inactive')
  assert.equal(await told('domain_not_allowed', 'good.jwt.token', token), 'domain_not_allowed')
})

test('switched-off keys are told before an unknown credential, and after an identity that may not enter', async () => {
  const inactive = aUser({ active: false })
  const { token } = sessions.issue(inactive, 'sso', 1)
  const { authenticate } = setUp({ facts: { users: [inactive], settings: { virtual_keys_enabled: false } } })
  for (const [other, expected] of [
    ['sess-dead', 'virtual_keys_disabled'],
    [token, 'user_inactive'],
  ] as const)
    for (const [first, second] of [
      [other, secret],
      [secret, other],
    ]) {
      const failure = await toFailure(() => authenticate({ authorization: `Bearer ${first}`, 'x-api-key': second }))
      assert.equal(failure.code, expected)
    }
})

test('a fault of our own is not dressed up as a wrong credential', async () => {
  const { authenticate } = setUp({
    resolveUser: async () => {
      throw new TypeError('bug')
    },
  })
  await assert.rejects(async () => authenticate(bearer('good.jwt.token')), TypeError)
})
