/** What the protocol asks for beyond users and groups: errors in its form, references, attributes without a value. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { patchOf, type ScimApp, type ScimProvider, startScimApp, userBody } from './scim-app.ts'

let app: ScimApp
let provider: ScimProvider

before(async () => {
  app = await startScimApp()
  provider = await app.addProvider('Protocol')
})

after(() => app.stop())

// The client of these tests checks the media type and the form of every error.
test('paths and methods that are not there are refused in the form of SCIM', async () => {
  for (const path of ['', '/', '/Nothing', '/Users/1/2', '/users'])
    assert.equal((await provider.scim('GET', path)).status, 404, path)
  for (const [method, path, allow] of [
    ['PATCH', '/Users', 'GET, POST'],
    ['DELETE', '/ServiceProviderConfig', 'GET'],
    ['POST', '/Groups/1', 'GET, PUT, PATCH, DELETE'],
  ] as const) {
    const reply = await provider.scim(method, path)
    assert.equal(reply.status, 405, `${method} ${path}`)
    assert.equal(reply.headers.get('allow'), allow)
  }
})

test('optional parts of SCIM that are not offered are 501 and name what to use instead', async () => {
  for (const [method, path, instead] of [
    ['GET', '/Me', /\/Users/],
    ['PATCH', '/Me', /\/Users/],
    ['POST', '/Bulk', /one request for each/],
    ['POST', '/.search', /filter/],
    ['POST', '/Users/.search', /filter/],
  ] as const) {
    const reply = await provider.scim(method, path, method === 'GET' ? undefined : {})
    assert.equal(reply.status, 501, `${method} ${path}`)
    assert.match(reply.body.detail, instead)
  }
})

test('members refer to users, and a reference never changes', async () => {
  const { body } = await provider.scim('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group')
  const members = body.attributes.find(({ name }: { name: string }) => name === 'members')
  const reference = members.subAttributes.find(({ name }: { name: string }) => name === '$ref')
  assert.deepEqual(
    [reference.type, reference.referenceTypes, reference.mutability],
    ['reference', ['User'], 'immutable'],
  )
})

test('a removed `active` has no value any more and the user is inactive, until it is set again', async () => {
  const { body: user } = await provider.scim('POST', '/Users', userBody('unassigned@example.com'))
  const path = `/Users/${user.id}`
  const patch = async (operation: object) => (await provider.scim('PATCH', path, patchOf(operation))).body
  const remove = { op: 'remove', path: 'active' }
  for (const reply of [await patch(remove), await patch(remove), (await provider.scim('GET', path)).body])
    assert.equal('active' in reply, false)
  assert.equal((await app.userOf('unassigned@example.com')).active, false)
  const { active: _, ...sent } = userBody('unassigned@example.com', { displayName: 'U' }) as { active?: boolean }
  assert.equal('active' in (await provider.scim('PUT', path, sent)).body, false)
  assert.equal((await provider.scim('GET', '/Users?filter=active eq false')).body.totalResults, 1)
  assert.equal((await patch({ op: 'add', path: 'active', value: false })).active, false)
  await patch(remove)
  assert.equal((await patch({ op: 'replace', path: 'active', value: true })).active, true)
  assert.equal((await app.userOf('unassigned@example.com')).active, true)
  await patch(remove)
  await app.admin('PATCH', `/admin/users/${user.id}`, { active: true })
  assert.equal((await provider.scim('GET', path)).body.active, true)
})

test('a body that is not UTF-8 is 400 and says where it goes wrong', async () => {
  const head = '{"userName":"é'
  const response = await fetch(`${app.url}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${provider.token}`, 'content-type': 'application/scim+json' },
    body: Buffer.concat([Buffer.from(head), Buffer.from([0xc3]), Buffer.from('"}')]),
  })
  assert.equal(response.status, 400)
  const { scimType, detail } = (await response.json()) as Record<string, string>
  assert.equal(scimType, 'invalidSyntax')
  assert.match(detail ?? '', new RegExp(`invalid UTF-8 at byte ${Buffer.byteLength(head)}`))
})
