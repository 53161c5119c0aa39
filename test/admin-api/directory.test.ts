/** People and teams through the vendor's own library. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { newId } from '../../src/foundation/platform/ids.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

let app: ApiApp
let client: Anthropic
before(async () => {
  app = await startApiApp()
  const biller = await app.addUser({ subject: 'money@example.com', grants: ['billing:read'] })
  client = new Anthropic({ baseURL: app.url, authToken: app.sessionOf(biller), apiKey: null, maxRetries: 0 })
})
after(() => app.stop())

const ask = (path: string) => app.call('GET', `/v1/organizations/${path}`, { as: app.admin })

interface Item {
  readonly id: string
}

async function all<T extends Item>(pages: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(pages)
}

test('the organization is always the same one', async () => {
  assert.deepEqual(
    { ...(await client.organization.retrieve()) },
    { id: 'causeway', type: 'organization', name: 'Causeway' },
  )
  assert.deepEqual((await ask('me')).body, { id: 'causeway', type: 'organization', name: 'Causeway' })
})

test('people are listed and read with their address, name and role', async () => {
  const ada = await app.addUser({ subject: 'ada', email: 'Ada@Example.com', role: 'admin' })
  const bob = await app.addUser({ subject: 'bob@example.com' })
  await app.call('PATCH', `/admin/users/${bob.id}`, { as: app.admin, body: { active: false } })
  const shown = [
    { id: ada.id, type: 'user', email: 'Ada@Example.com', name: 'ada', role: 'admin', added_at: ada.createdAt },
    {
      id: bob.id,
      type: 'user',
      email: 'bob@example.com',
      name: 'bob@example.com',
      role: 'user',
      added_at: bob.createdAt,
    },
  ]
  const listed = (await ask('users?limit=1000')).body
  assert.deepEqual(
    listed.data.filter(({ id }: Item) => id === ada.id || id === bob.id),
    shown,
  )
  assert.deepEqual([listed.has_more, listed.first_id, listed.last_id], [false, app.adminUser.id, bob.id])
  assert.deepEqual({ ...(await client.organization.users.retrieve(ada.id)) }, shown[0])
  for (const [email, found] of [
    ['ada@example.com', [ada.id]],
    ['BOB@example.com', [bob.id]],
    ['ada', []],
    ['%', []],
  ] as const)
    assert.deepEqual(
      (await all(client.organization.users.list({ email }))).map(({ id }) => id),
      found,
      email,
    )
  const ofRole = async (...roles: string[]) =>
    (await all(client.organization.users.list({ roles }))).map(({ name }) => name)
  assert.deepEqual(await ofRole('admin'), ['root', 'ada'])
  assert.deepEqual(await ofRole('user', 'admin'), ['root', 'money@example.com', 'ada', 'bob@example.com'])
  assert.deepEqual(await ofRole('developer'), [])
  assert.deepEqual((await ask('users?email=nobody@example.com')).body, {
    data: [],
    has_more: false,
    first_id: null,
    last_id: null,
  })
})

test('teams are workspaces, whatever is asked about archived ones', async () => {
  const ids = [await app.addTeam('Platform'), await app.addTeam('Mobile'), await app.addTeam('Data')]
  const [first = ''] = ids
  const platform = await client.organization.workspaces.retrieve(first)
  assert.deepEqual(
    { ...platform },
    {
      id: first,
      type: 'workspace',
      name: 'Platform',
      created_at: platform.created_at,
      archived_at: null,
      display_color: '#6C5BB9',
      compartment_id: null,
      data_residency: null,
      external_key_id: null,
      tags: {},
      user_profile_id: null,
    },
  )
  assert.ok(Date.parse(platform.created_at) > 0)
  for (const query of [{}, { include_archived: true, include_default: true }, { include_archived: false }])
    assert.deepEqual(
      (await all(client.organization.workspaces.list(query))).map(({ id }) => id),
      ids,
    )
  const some = await all(client.organization.workspaces.list({ ids: [ids[2] ?? '', 'wrkspc_1', newId()] }))
  assert.deepEqual(
    some.map(({ name }) => name),
    ['Data'],
  )
})

test('pages go forward and backward from an id, also from one that is gone', async () => {
  const ids: string[] = []
  for (let index = 0; index < 9; index++) ids.push(await app.addTeam(`Page ${index}`))
  const everyone = (await all(client.organization.workspaces.list({ limit: 1_000 }))).map(({ id }) => id)
  for (const limit of [1, 4, everyone.length])
    assert.deepEqual(
      (await all(client.organization.workspaces.list({ limit }))).map(({ id }) => id),
      everyone,
    )
  const last = everyone.at(-1) ?? ''
  const before = (await ask(`workspaces?limit=3&before_id=${last}`)).body
  assert.deepEqual(
    before.data.map(({ id }: Item) => id),
    everyone.slice(-4, -1),
  )
  assert.deepEqual([before.has_more, before.first_id, before.last_id], [true, everyone.at(-4), everyone.at(-2)])
  const backward: string[] = []
  for await (const page of (await client.organization.workspaces.list({ limit: 4, before_id: last })).iterPages())
    backward.unshift(...page.data.map(({ id }) => id))
  assert.deepEqual([...backward, last], everyone)
  await app.call('DELETE', `/admin/teams/${ids[4]}`, { as: app.admin })
  const after = (await ask(`workspaces?limit=2&after_id=${ids[4]}`)).body
  assert.deepEqual(
    after.data.map(({ id }: Item) => id),
    ids.slice(5, 7),
  )
})

test('ids of nothing are 404, and what is no id or makes no sense is 400', async () => {
  for (const kind of ['users', 'workspaces']) {
    assert.equal((await ask(`${kind}/${newId()}`)).status, 404)
    assert.equal((await ask(`${kind}/nope`)).status, 400)
    for (const [query, message] of [
      ['limit=0', 'limit: must be at least 1'],
      ['limit=1001', 'limit: must be at most 1000'],
      ['after_id=user_1', 'after_id: must be a UUID'],
      ['before_id=', 'before_id: must be a UUID'],
      [`after_id=${newId()}&before_id=${newId()}`, 'before_id: goes without after_id.'],
      ['page=1', 'page: There is no such field here.'],
    ]) {
      const { status, body } = await ask(`${kind}?${query}`)
      assert.deepEqual([status, body.error.message.slice(0, message?.length)], [400, message], `${kind}?${query}`)
    }
  }
  for (const query of [
    'users?email=',
    'users?email=%00',
    'users?roles[]=',
    'workspaces?include_archived=yes',
    'workspaces?ids[]=',
  ])
    assert.equal((await ask(query)).status, 400, query)
  await assert.rejects(client.organization.users.retrieve(newId()), Anthropic.NotFoundError)
})

test('members and keys are refused', async () => {
  const member = app.sessionOf(await app.addUser())
  const { key } = await app.addKey({ userId: app.adminUser.id })
  for (const authToken of [member, key]) {
    const refused = new Anthropic({ baseURL: app.url, authToken, apiKey: null, maxRetries: 0 })
    await assert.rejects(refused.organization.retrieve(), Anthropic.PermissionDeniedError)
    await assert.rejects(refused.organization.users.list(), Anthropic.PermissionDeniedError)
    await assert.rejects(refused.organization.workspaces.list(), Anthropic.PermissionDeniedError)
  }
})
