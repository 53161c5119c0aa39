import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { User } from '../../src/foundation/domain/user.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createSignInStore, type NewSignIn } from '../../src/modules/sign-in/sign-ins.store.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const HOUR_MS = 3_600_000
const store = () => createSignInStore(app.database.kysely)
const asAdmin = (method: string, path: string) => app.call(method, path, { as: app.admin })

async function addSignIn(user: User, values: Partial<NewSignIn> = {}): Promise<string> {
  const id = newId()
  await store().keep({
    id,
    userId: user.id,
    via: 'sso',
    sessionEpoch: user.sessionEpoch,
    client: 'Firefox 140 on Linux',
    sourceAddress: '192.0.2.1',
    createdAtMs: Date.now(),
    expiresAtMs: Date.now() + HOUR_MS,
    ...values,
  })
  return id
}

async function aMember() {
  const user = await app.addUser()
  const as = app.sessionOf(user)
  return { user, as, call: (method: string, path: string) => app.call(method, path, { as }) }
}

const findIds = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)

async function auditOf(userId: string) {
  const { body } = await asAdmin('GET', `/admin/audit?target=user:${userId}`)
  return body.data.map((entry: { action: string; before: unknown }) => [entry.action, entry.before])
}

test('a person sees the own open sessions, the last used first, and nobody else’s', async () => {
  const { user, call } = await aMember()
  const other = await app.addUser()
  await addSignIn(other)
  const createdAtMs = Date.now() - HOUR_MS
  const old = await addSignIn(user, { via: 'cli', client: 'Causeway CLI 1.9.0', createdAtMs })
  const young = await addSignIn(user)
  const listed = await call('GET', '/me/sessions')
  assert.deepEqual(findIds(listed), [young, old])
  const { expires_at: expiresAt, ...record } = listed.body.data[1]
  assert.deepEqual(record, {
    id: old,
    signed_in_with: 'cli',
    client: 'Causeway CLI 1.9.0',
    source_address: '192.0.2.1',
    created_at: new Date(createdAtMs).toISOString(),
    last_used_at: new Date(createdAtMs).toISOString(),
    current: false,
  })
  assert.ok(Date.parse(expiresAt) > Date.now())
  assert.deepEqual(findIds(await call('GET', '/me/sessions?q=causeway')), [old])
  assert.deepEqual(findIds(await call('GET', '/me/sessions?sort=created_at&limit=1')), [old])
  assert.deepEqual(findIds(await asAdmin('GET', `/admin/users/${user.id}/sessions`)), [young, old])
  const key = await app.addKey({ userId: user.id })
  assert.deepEqual(findIds(await app.call('GET', '/me/sessions', { as: key.key })), [young, old])
  const nobodys = await app.addKey()
  assert.deepEqual(findIds(await app.call('GET', '/me/sessions', { as: nobodys.key })), [])
})

test('the session that asks is marked once its use was noted, though its sign-in was never stored', async () => {
  const { user, as, call } = await aMember()
  const claims = JSON.parse(Buffer.from(as.split('.')[1] ?? '', 'base64url').toString())
  const [issuedAtMs, expiresAtMs, seenAtMs] = [claims.iat * 1000, claims.exp * 1000, Date.now()]
  const seen = {
    id: claims.jti,
    userId: user.id,
    via: 'password',
    epoch: 0,
    issuedAtMs,
    expiresAtMs,
    seenAtMs,
  } as const
  await store().noteUse([seen, { ...seen, id: newId(), userId: newId() }])
  const { body } = await call('GET', '/me/sessions')
  assert.deepEqual(
    body.data.map(({ id, current, client }: Record<string, unknown>) => [id, current, client]),
    [[claims.jti, true, null]],
  )
  const MINUTE_MS = 60_000
  // As several instances note it: once in five minutes, and never back.
  for (const [laterMs, storedMs] of [
    [-MINUTE_MS, 0],
    [5 * MINUTE_MS - 1, 0],
    [5 * MINUTE_MS, 5 * MINUTE_MS],
    [6 * MINUTE_MS, 5 * MINUTE_MS],
  ] as const) {
    await store().noteUse([{ ...seen, seenAtMs: seenAtMs + laterMs }])
    const { data } = (await call('GET', '/me/sessions')).body
    assert.equal(data[0].last_used_at, new Date(seenAtMs + storedMs).toISOString(), `${laterMs}`)
  }
})

test('signing one out ends its token, its refresh tokens and its place in the list, once, with an audit row', async () => {
  const { user, as, call } = await aMember()
  const jti = JSON.parse(Buffer.from(as.split('.')[1] ?? '', 'base64url').toString()).jti as string
  await addSignIn(user, { id: jti, via: 'device' })
  const kept = await addSignIn(user)
  await app.database.pool.query(
    `insert into refresh_tokens (hash, family, user_id, session_epoch, expires_at)
     values (sha256('one'), $1, $2, 0, now() + interval '1 day')`,
    [jti, user.id],
  )
  assert.equal((await call('DELETE', `/me/sessions/${jti}`)).status, 204)
  assert.equal((await call('GET', '/me')).status, 401, 'the token is dead')
  const again = app.sessionOf(user)
  assert.deepEqual(findIds(await app.call('GET', '/me/sessions', { as: again })), [kept])
  assert.equal((await app.call('DELETE', `/me/sessions/${jti}`, { as: again })).status, 204, 'idempotent')
  assert.deepEqual(await auditOf(user.id), [['session.end', { session_id: jti }]])
  const left = await app.database.pool.query('select from refresh_tokens where family = $1', [jti])
  assert.equal(left.rowCount, 0)
  assert.equal(await store().keep({ ...(await sampleOf(user)), id: jti }), false, 'it cannot be renewed')
})

test('a session that was signed out before its sign-in or its last use was stored is in no list', async () => {
  const { user, call } = await aMember()
  const [stored, used] = [newId(), newId()]
  for (const id of [stored, used]) await store().end(id, Date.now())
  await addSignIn(user, { id: stored })
  const times = { issuedAtMs: Date.now(), expiresAtMs: Date.now() + HOUR_MS, seenAtMs: Date.now() }
  await store().noteUse([{ id: used, userId: user.id, via: 'sso', epoch: user.sessionEpoch, ...times }])
  assert.deepEqual(findIds(await call('GET', '/me/sessions')), [])
})

async function sampleOf(user: User): Promise<NewSignIn> {
  const times = { createdAtMs: Date.now(), expiresAtMs: Date.now() + HOUR_MS }
  return { id: newId(), userId: user.id, via: 'device', sessionEpoch: 0, client: null, sourceAddress: null, ...times }
}

test('signing out everywhere ends listed and unlisted sessions, leaves keys alone, and says how many', async () => {
  const { user, as, call } = await aMember()
  const second = app.sessionOf(user)
  await addSignIn(user)
  await addSignIn(user, { expiresAtMs: Date.now() - 1 })
  const key = await app.addKey({ userId: user.id })
  assert.equal((await call('DELETE', '/me/sessions')).status, 204)
  for (const token of [as, second]) assert.equal((await app.call('GET', '/me', { as: token })).status, 401)
  assert.equal((await app.call('GET', '/me', { as: key.key })).status, 200)
  assert.deepEqual(findIds(await asAdmin('GET', `/admin/users/${user.id}/sessions`)), [])
  assert.deepEqual(await auditOf(user.id), [['session.end-all', { open_sessions: 1 }]])
})

test('an administrator signs others out, one session or all', async () => {
  const { user, as } = await aMember()
  const [one, two] = [await addSignIn(user), await addSignIn(user)]
  assert.equal((await asAdmin('DELETE', `/admin/users/${user.id}/sessions/${one}`)).status, 204)
  assert.deepEqual(findIds(await asAdmin('GET', `/admin/users/${user.id}/sessions`)), [two])
  assert.equal((await app.call('GET', '/me', { as })).status, 200)
  assert.equal((await asAdmin('DELETE', `/admin/users/${user.id}/sessions`)).status, 204)
  assert.equal((await app.call('GET', '/me', { as })).status, 401)
})

test('what ends sessions otherwise also takes them from the list: a role, a deactivation, a shorter lifetime', async () => {
  const demoted = await app.addUser({ role: 'admin' })
  const gone = await app.addUser()
  for (const user of [demoted, gone]) await addSignIn(user)
  await app.call('PATCH', `/admin/users/${demoted.id}`, { as: app.admin, body: { role: 'member' } })
  await app.call('PATCH', `/admin/users/${gone.id}`, { as: app.admin, body: { active: false } })
  for (const { id } of [demoted, gone])
    assert.deepEqual(findIds(await asAdmin('GET', `/admin/users/${id}/sessions`)), [])
  const late = await app.addUser()
  const createdAtMs = Date.now() - 2 * HOUR_MS
  await addSignIn(late, { createdAtMs, expiresAtMs: Date.now() + 20 * HOUR_MS })
  const device = await addSignIn(late, { via: 'device', createdAtMs, expiresAtMs: Date.now() + 20 * HOUR_MS })
  const ttl = (value: number) =>
    app.call('PUT', '/admin/settings/session_token_ttl_hours', { as: app.admin, body: { value } })
  await ttl(1)
  const listed = await asAdmin('GET', `/admin/users/${late.id}/sessions`)
  await ttl(24)
  assert.deepEqual(findIds(listed), [device], 'what renews itself lives by its refresh token')
})

test('somebody else’s session is 404, as one that does not exist; odd input is 400', async () => {
  const { user, call } = await aMember()
  const other = await app.addUser()
  const foreign = await addSignIn(other)
  assert.equal((await call('DELETE', `/me/sessions/${foreign}`)).status, 404)
  assert.equal((await asAdmin('DELETE', `/admin/users/${user.id}/sessions/${foreign}`)).status, 404)
  assert.equal((await call('DELETE', `/me/sessions/${newId()}`)).status, 404)
  for (const path of ['', `/${foreign}`])
    assert.equal((await asAdmin('DELETE', `/admin/users/${newId()}/sessions${path}`)).status, 404)
  assert.equal((await asAdmin('GET', `/admin/users/${newId()}/sessions`)).status, 404)
  assert.deepEqual(findIds(await asAdmin('GET', `/admin/users/${other.id}/sessions`)), [foreign])
  assert.equal((await call('DELETE', '/me/sessions/7')).status, 400)
  assert.equal((await call('GET', '/me/sessions?limit=0')).status, 400)
  assert.equal((await asAdmin('GET', '/admin/users/7/sessions')).status, 400)
  assert.equal((await asAdmin('DELETE', '/admin/users/7/sessions')).status, 400)
  assert.equal((await asAdmin('DELETE', `/admin/users/${user.id}/sessions/7`)).status, 400)
})

test('expired ones are forgotten, open ones stay', async () => {
  const user = await app.addUser()
  await addSignIn(user, { expiresAtMs: Date.now() - 1 })
  const open = await addSignIn(user)
  await store().forgetExpired(Date.now())
  const { rows } = await app.database.pool.query('select id from sign_ins where user_id = $1', [user.id])
  assert.deepEqual(rows, [{ id: open }])
})

test('every declared answer of the sign-ins was exercised', () => app.assertCovered('Sign-ins', isOwnStatus))
