import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { findProvisioningIdps } from '../../src/extensions/scim/scim-tokens.store.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })

async function addIdp(): Promise<string> {
  const { body } = await asAdmin('POST', '/admin/idps', {
    name: 'Example',
    issuer_url: `https://${newId()}.example.com`,
    audience: 'gateway',
  })
  return body.id as string
}

test('a token is shown once, kept as a hash, listed without its secret, and deleted', async () => {
  const path = `/admin/idps/${await addIdp()}/scim-tokens`
  const made = await asAdmin('POST', path, { name: 'Entra', expires_at: '2099-01-01T00:00:00Z' })
  assert.equal(made.status, 201)
  const { token, ...record } = made.body
  assert.match(token, /^scim-[\w-]{43}$/)
  assert.equal(record.prefix, token.slice(0, 12))
  assert.equal(record.created_by, app.adminUser.subject)

  const { rows } = await app.database.pool.query('select * from scim_tokens where id = $1', [record.id])
  assert.deepEqual(rows[0].hash, createHash('sha256').update(token).digest())
  const kept = JSON.stringify([rows, (await app.database.pool.query('select * from audit_log')).rows])
  assert.ok(!kept.includes(token))
  assert.ok(!app.logged().includes(token))

  assert.deepEqual((await asAdmin('GET', path)).body, { data: [record], has_more: false, next_cursor: null })
  assert.equal((await asAdmin('DELETE', `${path}/${record.id}`)).status, 204)
  assert.equal((await asAdmin('DELETE', `${path}/${record.id}`)).status, 404)
  assert.deepEqual((await asAdmin('GET', path)).body.data, [])
})

test('a token cannot be deleted through another provider', async () => {
  const [one, two] = [await addIdp(), await addIdp()]
  const { body: token } = await asAdmin('POST', `/admin/idps/${one}/scim-tokens`, {})
  assert.equal((await asAdmin('DELETE', `/admin/idps/${two}/scim-tokens/${token.id}`)).status, 404)
  assert.equal((await asAdmin('GET', `/admin/idps/${one}/scim-tokens`)).body.data.length, 1)
})

test('a provider can provision while it is enabled and has a token that has not expired', async () => {
  const find = () => findProvisioningIdps(app.database.kysely, Date.now())
  const before = await find()
  const added = async () => (await find()).filter((id) => !before.includes(id))
  const [lasting, expiring, without] = [await addIdp(), await addIdp(), await addIdp()]
  await asAdmin('POST', `/admin/idps/${lasting}/scim-tokens`, {})
  await asAdmin('POST', `/admin/idps/${expiring}/scim-tokens`, { expires_at: '2099-01-01T00:00:00Z' })
  assert.deepEqual((await added()).toSorted(), [lasting, expiring].toSorted(), `and not ${without}`)
  const afterwards = await findProvisioningIdps(app.database.kysely, Date.parse('2099-01-01T00:00:01Z'))
  assert.deepEqual([afterwards.includes(lasting), afterwards.includes(expiring)], [true, false])
  await asAdmin('PATCH', `/admin/idps/${lasting}`, { enabled: false })
  assert.deepEqual(await added(), [expiring])
})

test('the group of administrators is set, read and cleared', async () => {
  const path = `/admin/idps/${await addIdp()}/scim`
  assert.deepEqual((await asAdmin('GET', path)).body, { scim_admin_group: null, users: 0, groups: 0 })
  const set = await asAdmin('PUT', path, { scim_admin_group: ' Gateway Admins ' })
  assert.deepEqual([set.status, set.body.scim_admin_group], [200, 'Gateway Admins'])
  assert.equal((await asAdmin('GET', path)).body.scim_admin_group, 'Gateway Admins')
  assert.equal((await asAdmin('PUT', path, { scim_admin_group: null })).body.scim_admin_group, null)
})

test('every write is in the audit trail', async () => {
  const { body } = await asAdmin('GET', '/admin/audit?limit=200')
  const actions = new Set(body.data.map((entry: { action: string }) => entry.action))
  for (const action of ['scim_token.create', 'scim_token.delete', 'idp.scim']) assert.ok(actions.has(action), action)
})

test('bad input and unknown ids are refused', async () => {
  const idp = `/admin/idps/${await addIdp()}`
  const unknown = `/admin/idps/${newId()}`
  for (const body of [{ name: '' }, { nope: 1 }, { expires_at: '2001-01-01T00:00:00Z' }, { expires_at: 'soon' }])
    assert.equal((await asAdmin('POST', `${idp}/scim-tokens`, body)).status, 400, JSON.stringify(body))
  assert.equal((await asAdmin('GET', `${idp}/scim-tokens?nope=1`)).status, 400)
  assert.equal((await asAdmin('DELETE', `${idp}/scim-tokens/nope`)).status, 400)
  assert.equal((await asAdmin('GET', '/admin/idps/nope/scim')).status, 400)
  for (const body of [{}, { scim_admin_group: 5 }, { scim_admin_group: 'x'.repeat(101) }])
    assert.equal((await asAdmin('PUT', `${idp}/scim`, body)).status, 400, JSON.stringify(body))
  for (const [method, path, body] of [
    ['POST', '/scim-tokens', {}],
    ['GET', '/scim-tokens'],
    ['GET', '/scim'],
    ['PUT', '/scim', { scim_admin_group: null }],
  ] as const)
    assert.equal((await asAdmin(method, `${unknown}${path}`, body)).status, 404, `${method} ${path}`)
})

test('every declared answer was seen', () => {
  app.assertCovered('Provisioning', isOwnStatus)
})
