import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { User } from '../../foundation/domain/user.ts'
import { encode } from './jwt.fixture.ts'
import { aUser, createTestClock, type FactsContent, someFacts } from './people.fixture.ts'
import { createSessionKey, createSessionTokens, type SessionKey } from './session-token.ts'

const HOUR_MS = 3_600_000
const secret = randomBytes(32)

function setUp(
  user: User = aUser({ role: 'admin' }),
  keys: readonly [SessionKey, ...SessionKey[]] = [createSessionKey(secret)],
) {
  const clock = createTestClock()
  const tokens = createSessionTokens({ clock, keys: () => keys })
  const issued = tokens.issue(user, 'password', 24)
  const kindNow = (content: FactsContent = { users: [user] }, token = issued.token): string =>
    tokens.verify(token, someFacts(content)).kind
  return { clock, tokens, user, ...issued, kindNow }
}

test('an issued session names its user, its way in and its own id', () => {
  const { tokens, token, user, session } = setUp()
  assert.match(token, /^sess-[\w-]+\.[\w-]+\.[\w-]+$/)
  const verdict = tokens.verify(token, someFacts({ users: [user] }))
  assert.ok(verdict.kind === 'valid')
  assert.equal(verdict.user, user)
  assert.deepEqual(verdict.session, session)
  assert.equal(verdict.session.via, 'password')
})

test('a key below 256 bits or without randomness is refused at construction', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('admin'), randomBytes(31), Buffer.alloc(32)]) {
    assert.throws(() => createSessionKey(bytes))
  }
})

test('a session ends exactly with its lifetime', () => {
  const { clock, kindNow } = setUp()
  clock.advanceMs(24 * HOUR_MS - 1)
  assert.equal(kindNow(), 'valid')
  clock.advanceMs(1)
  assert.equal(kindNow(), 'invalid')
})

test('a lowered lifetime ends sessions that were issued before; a raised one does not prolong them', () => {
  const { clock, user, kindNow } = setUp()
  clock.advanceMs(2 * HOUR_MS)
  assert.equal(kindNow({ users: [user], settings: { session_token_ttl_hours: 1 } }), 'invalid')
  clock.advanceMs(22 * HOUR_MS)
  assert.equal(kindNow({ users: [user], settings: { session_token_ttl_hours: 500 } }), 'invalid')
})

test('logout, a raised epoch and a deleted user end a session', () => {
  const { user, session, kindNow } = setUp()
  assert.equal(kindNow({ users: [user], revokedSessions: [session.id] }), 'invalid')
  assert.equal(kindNow({ users: [{ ...user, sessionEpoch: 2 }] }), 'invalid')
  assert.equal(kindNow({ users: [] }), 'invalid')
})

test('a deactivated user is told so, even when deactivation also raised the epoch', () => {
  const { user, kindNow } = setUp()
  assert.equal(kindNow({ users: [{ ...user, active: false, sessionEpoch: 9 }] }), 'inactive')
})

test('a demoted user has the present role, not the one in the token', () => {
  const { tokens, token, user } = setUp()
  const verdict = tokens.verify(token, someFacts({ users: [{ ...user, role: 'member' }] }))
  assert.ok(verdict.kind === 'valid')
  assert.equal(verdict.user.role, 'member')
})

test('sessions signed with the process key stay good when the database key takes over signing', () => {
  const clock = createTestClock()
  const processKey = createSessionKey(randomBytes(32))
  const databaseKey = createSessionKey(randomBytes(48))
  let keys: readonly [SessionKey, ...SessionKey[]] = [processKey]
  const user = aUser()
  const tokens = createSessionTokens({ clock, keys: () => keys })
  const early = tokens.issue(user, 'password', 24).token
  keys = [databaseKey, processKey]
  const late = tokens.issue(user, 'sso', 24).token
  const facts = someFacts({ users: [user] })
  assert.equal(tokens.verify(early, facts).kind, 'valid')
  const otherInstance = createSessionTokens({ clock, keys: () => [databaseKey] })
  assert.equal(otherInstance.verify(late, facts).kind, 'valid')
  assert.equal(otherInstance.verify(early, facts).kind, 'invalid')
})

test('the bootstrap administrator has sessions without any database', () => {
  const clock = createTestClock()
  const bootstrap = aUser({ id: 'bootstrap', role: 'admin', bootstrap: true })
  const key = createSessionKey(secret)
  const tokens = createSessionTokens({ clock, keys: () => [key], bootstrapUser: () => bootstrap })
  const { token } = tokens.issue(bootstrap, 'password', 24)
  assert.equal(tokens.verify(token, someFacts()).kind, 'valid')
  const stranger = tokens.issue(aUser({ id: 'somebody' }), 'password', 24)
  assert.equal(tokens.verify(stranger.token, someFacts()).kind, 'invalid')
})

test('no changed character, other header, other key or unsigned form of a session is accepted', () => {
  const { token, user, kindNow } = setUp()
  const [, payload = '', signature = ''] = token.slice(5).split('.')
  const header = { alg: 'HS256', typ: 'JWT' }
  const hmac = (key: string | Buffer, head: unknown): string => {
    const input = `${encode(head)}.${payload}`
    return `sess-${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
  }
  const forged = [
    ...Array.from(token, (char, at) => token.slice(0, at) + (char === 'A' ? 'B' : 'A') + token.slice(at + 1)),
    ...['', 'admin', user.id, 'causeway', Buffer.alloc(32)].map((key) => hmac(key, header)),
    hmac(secret, { alg: 'none' }),
    hmac(secret, { alg: 'HS512', typ: 'JWT' }),
    hmac(secret, { ...header, kid: 'x' }),
    `sess-${encode({ alg: 'none' })}.${payload}.`,
    `sess-${encode(header)}.${payload}.`,
    `sess-${encode(header)}.${payload}`,
    `${token}.`,
    `${token}A`,
    `${token}=`,
    token.slice(5),
    token.slice(0, -1),
    `sess-${encode(header)}.${encode({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), epoch: 2 })}.${signature}`,
    'sess-',
    'sess-..',
  ].filter((mutant) => mutant !== token)
  for (const mutant of forged) assert.equal(kindNow({ users: [user] }, mutant), 'invalid', mutant)
})

test('what a key of ours has signed in another shape is no session', () => {
  const { token, user, kindNow } = setUp()
  const [head = '', payload = ''] = token.slice(5).split('.')
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const toKind = (said: unknown): string => {
    const input = `${head}.${encode(said)}`
    const signature = createHmac('sha256', secret).update(input).digest('base64url')
    return kindNow({ users: [user] }, `sess-${input}.${signature}`)
  }
  assert.equal(toKind(claims), 'valid')
  for (const value of [null, 'true', 7, []]) assert.equal(toKind(value), 'invalid', JSON.stringify(value))
  const wrong = { sub: 7, jti: 7, epoch: '1', iat: '1', exp: 'never', role: 'owner', via: 'mail' }
  for (const [name, value] of Object.entries(wrong)) {
    assert.equal(toKind({ ...claims, [name]: value }), 'invalid', name)
    assert.equal(toKind({ ...claims, [name]: undefined }), 'invalid', `no ${name}`)
  }
})

test('a session from a far future clock is refused, one within a minute is not', () => {
  const ahead = createTestClock(Date.parse('2026-03-02T10:00:50Z'))
  const farAhead = createTestClock(Date.parse('2026-03-02T10:02:00Z'))
  const { user, kindNow } = setUp()
  const issueAt = (clock: typeof ahead): string =>
    createSessionTokens({ clock, keys: () => [createSessionKey(secret)] }).issue(user, 'cli', 24).token
  assert.equal(kindNow({ users: [user] }, issueAt(ahead)), 'valid')
  assert.equal(kindNow({ users: [user] }, issueAt(farAhead)), 'invalid')
})
