import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSimulator } from '../../simulator/simulator.ts'
import { createTestDatabase } from '../support/database.ts'
import { ADMIN_PASSWORD, login, startGateway } from '../support/gateway.ts'

test('ADMIN_USERS makes whoever is missing, and leaves out whoever is there in another spelling', async () => {
  const database = await createTestDatabase()
  const start = (admins: string) => startGateway({ database, env: { ADMIN_USERS: admins } })
  try {
    const first = await start('Ada@Example.com, Ops')
    const headers = { authorization: `Bearer ${await login(first.url)}`, 'content-type': 'application/json' }
    const add = async (subject: string): Promise<number> => {
      const body = JSON.stringify({ subject })
      return (await fetch(`${first.url}/admin/users`, { method: 'POST', headers, body })).status
    }
    assert.deepEqual([await add('ada@example.com'), await add('bo@example.com'), await add('ops')], [409, 201, 201])
    await first.stop()
    await (await start('ADA@example.com,BO@EXAMPLE.COM,Ops')).stop()
    const { rows } = await database.database.pool.query(`select subject, role from users where not bootstrap`)
    assert.deepEqual(rows.map(({ subject, role }) => `${subject} ${role}`).sort(), [
      'Ops admin',
      'ada@example.com admin',
      'bo@example.com member',
      'ops member',
    ])
  } finally {
    await database.drop()
  }
})

test('without a database whoever comes first under a name of ADMIN_USERS is that administrator, and nobody else', async () => {
  const simulator = await startSimulator()
  const env = { ADMIN_USERS: 'Ada@Example.com, ops', OIDC_ISSUER: simulator.oidcUrl, OIDC_AUDIENCE: 'causeway' }
  const gateway = await startGateway({ database: 'none', simulator, env })
  const call = async (path: string, claims: object): Promise<number> => {
    const token = await gateway.control.mintToken({ claims: { aud: 'causeway', ...claims } })
    return (await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  }
  try {
    assert.equal(await call('/admin/settings', { sub: '1', email: 'ada@example.com' }), 200)
    assert.equal(await call('/admin/settings', { sub: '2', preferred_username: 'ops' }), 200)
    assert.equal(await call('/admin/settings', { sub: '1', email: 'ada@example.com' }), 200, 'again')
    assert.equal(await call('/me', { sub: '3', email: 'bo@example.com' }), 200)
    assert.equal(await call('/admin/settings', { sub: '3', email: 'bo@example.com' }), 403)
    assert.equal(await call('/me', { sub: '4', preferred_username: 'ops' }), 403, 'somebody else under the name')
    assert.equal(await call('/admin/settings', { sub: '2', preferred_username: 'ops' }), 200, 'who stays as they were')
  } finally {
    await gateway.stop()
    await simulator.close()
  }
})

test('a new ADMIN_USERNAME renames the bootstrap administrator, who stays the same person', async () => {
  const database = await createTestDatabase()
  const start = (env: Record<string, string>) => startGateway({ database, env })
  const signIn = async (url: string, username: string): Promise<Response> =>
    await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: ADMIN_PASSWORD }),
    })
  try {
    await (await start({})).stop()
    const [before] = (await database.database.pool.query('select id, subject from users where bootstrap')).rows
    const gateway = await start({ ADMIN_USERNAME: 'root' })
    assert.equal((await signIn(gateway.url, 'admin')).status, 401)
    const { token } = (await (await signIn(gateway.url, 'root')).json()) as { token: string }
    const made = await fetch(`${gateway.url}/me/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"name":"own"}',
    })
    assert.equal(made.status, 201)
    assert.equal(((await made.json()) as { user_id: string }).user_id, before.id)
    await gateway.stop()
    const { rows } = await database.database.pool.query('select id, subject from users')
    assert.deepEqual(rows, [{ id: before.id, subject: 'root' }])
  } finally {
    await database.drop()
  }
})

test('an ADMIN_USERNAME that somebody else has renames nobody', async () => {
  const database = await createTestDatabase()
  try {
    await (await startGateway({ database, env: { ADMIN_USERS: 'ops' } })).stop()
    const gateway = await startGateway({ database, env: { ADMIN_USERNAME: 'ops' } })
    await gateway.stop()
    assert.match(gateway.logLines.join(''), /ADMIN_USERNAME is the name of another user/)
    const { rows } = await database.database.pool.query('select subject, bootstrap from users order by subject')
    assert.deepEqual(rows, [
      { subject: 'admin', bootstrap: true },
      { subject: 'ops', bootstrap: false },
    ])
  } finally {
    await database.drop()
  }
})
