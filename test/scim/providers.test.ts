/** The calls that Entra and Okta make, in their order and with their habits. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { groupBody, patchOf, type ScimApp, startScimApp, userBody } from './scim-app.ts'

let app: ScimApp
before(async () => {
  app = await startScimApp()
})
after(() => app.stop())

const buildFilter = (filter: string): string => `filter=${encodeURIComponent(filter)}`

test('Entra: test connection, create, match, update, group, deactivate, delete', async () => {
  const { scim } = await app.addProvider('Entra')
  const probe = await scim('GET', `/Users?${buildFilter('userName eq "c2f8ab7e-9b1c-4b8a-8d2f-1c5c8a5e2d11"')}`)
  assert.deepEqual([probe.status, probe.body.totalResults, probe.body.Resources], [200, 0, []])

  const created = await scim('POST', '/Users', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: 'ada.object.id',
    userName: 'Ada@contoso.example',
    active: true,
    displayName: 'Ada Lovelace',
    emails: [{ primary: true, type: 'work', value: 'ada@contoso.example' }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    title: 'Countess',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
  })
  assert.equal(created.status, 201)
  const { id } = created.body
  assert.equal(created.headers.get('location'), created.body.meta.location)
  assert.equal(created.body.meta.location, `${app.url}/scim/v2/Users/${id}`)
  const stored = await app.userOf('Ada@contoso.example')
  assert.deepEqual([stored.id, stored.role, stored.active, stored.email], [id, 'member', true, 'ada@contoso.example'])

  const matched = await scim('GET', `/Users?${buildFilter('userName eq "ada@CONTOSO.example"')}`)
  assert.deepEqual(matched.body.Resources, [created.body])
  assert.deepEqual((await scim('GET', `/Users/${id}`)).body, created.body)

  const updated = await scim(
    'PATCH',
    `/Users/${id}`,
    patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'countess@contoso.example' },
      { op: 'Add', path: 'name.familyName', value: 'King' },
      { op: 'Replace', path: 'displayName', value: 'Ada King' },
      {
        op: 'Add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Mathematics',
      },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'GB' },
    ),
  )
  assert.equal(updated.status, 200)
  assert.deepEqual(updated.body.emails, [{ value: 'countess@contoso.example', type: 'work', primary: true }])
  assert.deepEqual(updated.body.name, { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'King' })
  assert.equal(updated.body.displayName, 'Ada King')

  const group = await scim('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    externalId: 'group.object.id',
    displayName: 'Analysts',
    meta: { resourceType: 'Group' },
  })
  assert.equal(group.status, 201)
  const groupPath = `/Groups/${group.body.id}`
  const join = patchOf({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] })
  assert.equal((await scim('PATCH', groupPath, join)).status, 204)
  assert.equal(await app.teamNameOf(id), 'Analysts')
  const isMember = (userId: string): string => buildFilter(`id eq "${group.body.id}" and members eq "${userId}"`)
  const found = await scim('GET', `/Groups?excludedAttributes=members&${isMember(id)}`)
  assert.equal(found.body.totalResults, 1)
  assert.equal('members' in found.body.Resources[0], false)
  assert.deepEqual((await scim('GET', `/Users/${id}`)).body.groups, [
    { value: group.body.id, display: 'Analysts', $ref: `${app.url}/scim/v2${groupPath}` },
  ])
  const leave = patchOf({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] })
  assert.equal((await scim('PATCH', groupPath, leave)).status, 204)
  assert.equal(await app.teamNameOf(id), null)
  assert.equal((await scim('GET', `/Groups?${isMember(id)}`)).body.totalResults, 0)

  const off = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }))
  assert.equal(off.body.active, false)
  assert.equal((await app.userOf('Ada@contoso.example')).active, false)
  assert.equal((await scim('DELETE', `/Users/${id}`)).status, 204)
  assert.equal((await scim('GET', `/Users/${id}`)).status, 404)
  assert.equal(await app.userOf('Ada@contoso.example'), undefined)
  assert.equal((await scim('DELETE', groupPath)).status, 204)

  const actions = await app.actionsOf('scim:Entra')
  for (const action of ['user.create', 'user.update', 'user.move', 'scim_group.update', 'user.delete', 'team.create'])
    assert.ok(actions.includes(action), action)
})

test('Okta: match, create, read, replace, push a group, rename it, deactivate and come back', async () => {
  const { scim } = await app.addProvider('Okta')
  const list = await scim('GET', '/Users?startIndex=1&count=2')
  assert.deepEqual([list.body.totalResults, list.body.startIndex, list.body.itemsPerPage], [0, 1, 0])
  const none = await scim('GET', `/Users?${buildFilter('userName eq "grace@okta.example"')}&startIndex=1&count=100`)
  assert.equal(none.body.totalResults, 0)

  const profile = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'grace@okta.example',
    name: { givenName: 'Grace', familyName: 'Hopper' },
    emails: [{ primary: true, value: 'grace@okta.example', type: 'work' }],
    displayName: 'Grace Hopper',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const created = await scim('POST', '/Users', profile, { 'content-type': 'application/json; charset=utf-8' })
  assert.equal(created.status, 201)
  assert.equal(JSON.stringify(created.body).includes('1mz050nq'), false)
  const { id } = created.body
  const again = await scim('POST', '/Users', { ...profile, userName: 'GRACE@okta.example' })
  assert.deepEqual([again.status, again.body.scimType], [409, 'uniqueness'])
  const sameExternal = await scim('POST', '/Users', { ...profile, userName: 'other@okta.example' })
  assert.deepEqual([sameExternal.status, sameExternal.body.scimType], [409, 'uniqueness'])
  assert.equal(await app.userOf('other@okta.example'), undefined)

  const replaced = await scim('PUT', `/Users/${id}`, { ...profile, id, name: { givenName: 'Amazing Grace' } })
  assert.deepEqual([replaced.status, replaced.body.name], [200, { givenName: 'Amazing Grace' }])

  const group = await scim('POST', '/Groups', groupBody('Compilers'))
  const groupPath = `/Groups/${group.body.id}`
  const add = { op: 'add', path: 'members', value: [{ value: id, display: 'grace@okta.example' }] }
  assert.equal((await scim('PATCH', groupPath, patchOf(add))).status, 204)
  assert.equal(await app.teamNameOf(id), 'Compilers')
  const rename = patchOf({ op: 'replace', value: { id: group.body.id, displayName: 'Linkers' } })
  assert.equal((await scim('PATCH', groupPath, rename)).status, 204)
  assert.equal(await app.teamNameOf(id), 'Linkers')
  const read = await scim('GET', groupPath)
  assert.deepEqual(
    read.body.members.map((member: { value: string }) => member.value),
    [id],
  )
  const remove = patchOf({ op: 'remove', path: `members[value eq "${id}"]` })
  assert.equal((await scim('PATCH', groupPath, remove)).status, 204)
  assert.deepEqual((await scim('GET', groupPath)).body.members, [])

  const off = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))
  assert.deepEqual([off.status, off.body.active], [200, false])
  const { active: _, ...withoutActive } = profile
  assert.equal((await scim('PUT', `/Users/${id}`, withoutActive)).body.active, false)
  assert.equal((await scim('PUT', `/Users/${id}`, profile)).body.active, true)
})

test('what a patch may look like', async () => {
  const { scim } = await app.addProvider('Patches')
  const { body: user } = await scim('POST', '/Users', userBody('patched@example.com'))
  const patch = async (...operations: object[]) =>
    (await scim('PATCH', `/Users/${user.id}`, patchOf(...operations))).body
  const dotted = await patch({
    op: 'REPLACE',
    value: {
      'name.givenName': 'Pat',
      'emails[type eq "work"].value': 'pat@example.com',
      'urn:ietf:params:scim:schemas:core:2.0:User:displayName': 'Pat',
      ACTIVE: 'true',
      nickName: 'P',
    },
  })
  assert.deepEqual(
    [dotted.name, dotted.emails[0].value, dotted.displayName, dotted.active],
    [{ givenName: 'Pat' }, 'pat@example.com', 'Pat', true],
  )
  const emails = await patch({ op: 'add', path: 'emails', value: [{ value: 'b@example.com', type: 'work' }] })
  assert.equal(emails.emails[0].value, 'b@example.com')
  const home = await patch({ op: 'replace', path: 'emails[type eq "home"].value', value: 'h@example.com' })
  assert.equal(home.emails[0].value, 'b@example.com')
  const wrapped = await patch({ op: 'replace', path: 'name.familyName', value: [{ value: 'Ch' }] })
  assert.deepEqual(wrapped.name, { givenName: 'Pat', familyName: 'Ch' })
  const gone = await patch({ op: 'remove', path: 'emails' }, { op: 'remove', path: 'name' })
  assert.deepEqual([gone.emails, gone.name], [undefined, undefined])
  const renamed = await patch({ op: 'replace', path: 'userName', value: 'renamed@example.com' })
  assert.equal(renamed.userName, 'renamed@example.com')
  assert.equal((await app.userOf('renamed@example.com')).id, user.id)
})

test('a change that is wrapped in the name of the schema is made, and not answered as if it were', async () => {
  const { scim } = await app.addProvider('Wrapped')
  const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
  const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
  const { body: user } = await scim('POST', '/Users', userBody('wrapped@example.com'))
  const patch = async (operation: object) => (await scim('PATCH', `/Users/${user.id}`, patchOf(operation))).body
  assert.equal((await patch({ op: 'replace', path: USER, value: { active: false } })).active, false)
  assert.equal((await patch({ op: 'replace', value: { [USER]: { id: user.id, active: true } } })).active, true)
  assert.equal((await patch({ op: 'remove', path: USER })).scimType, 'noTarget')
  assert.equal((await patch({ op: 'replace', value: { [USER]: true } })).scimType, 'invalidSyntax')
  const { body: group } = await scim('POST', '/Groups', groupBody('Wrapped', [user.id]))
  await scim('PATCH', `/Groups/${group.id}`, patchOf({ op: 'replace', path: GROUP, value: { members: [] } }))
  assert.deepEqual((await scim('GET', `/Groups/${group.id}`)).body.members, [])
})

test('a patch of addresses changes the kept one only when it means that one (RFC 7644 3.5.2)', async () => {
  const { scim } = await app.addProvider('Addresses')
  const kept = 'work@example.com'
  const emails = [{ value: kept, type: 'work', primary: true }]
  const { body: user } = await scim('POST', '/Users', userBody('addressed@example.com', { emails }))
  const [home, other] = [{ value: 'home@example.com', type: 'home' }, 'other@example.com']
  const cases: readonly (readonly [object, string | undefined])[] = [
    [{ op: 'add', path: 'emails', value: [home] }, kept],
    [{ op: 'add', path: 'emails', value: home }, kept],
    [{ op: 'add', value: { emails: [{ ...home, primary: false }] } }, kept],
    [{ op: 'add', path: 'emails', value: [] }, kept],
    [{ op: 'add', path: 'emails', value: [home, { value: other, type: 'work' }] }, other],
    [{ op: 'add', path: 'emails', value: [{ ...home, primary: true }] }, home.value],
    [{ op: 'add', value: { emails: [{ value: other }] } }, other],
    [{ op: 'add', path: 'emails', value: other }, other],
    [{ op: 'add', path: 'emails.value', value: other }, other],
    [{ op: 'replace', path: 'emails', value: [home] }, home.value],
    [{ op: 'remove', path: 'emails', value: [home] }, kept],
    [{ op: 'remove', path: 'emails', value: home.value }, kept],
    [{ op: 'remove', path: 'emails.value', value: home.value }, kept],
    [{ op: 'remove', path: 'emails', value: [] }, kept],
    [{ op: 'remove', path: `emails[value eq "${home.value}"]` }, kept],
    [{ op: 'remove', path: 'emails[type eq "home"]' }, kept],
    [{ op: 'remove', path: 'emails[type eq "work"]', value: [home] }, kept],
    [{ op: 'remove', path: 'emails', value: [home, { value: 'Work@Example.com' }] }, undefined],
    [{ op: 'remove', path: 'emails', value: [{ type: 'work' }] }, undefined],
    [{ op: 'remove', path: 'emails', value: kept }, undefined],
    [{ op: 'remove', path: 'emails[value eq "WORK@example.com"]' }, undefined],
    [{ op: 'remove', path: 'emails[type eq "work"].value' }, undefined],
    [{ op: 'replace', path: 'emails[type eq "work" and primary eq true].value', value: other }, other],
    [{ op: 'replace', path: 'emails[(type eq "work") and value eq "WORK@example.com"].value', value: other }, other],
    [{ op: 'add', path: 'emails[type eq "work" and primary eq "True"]', value: { value: other } }, other],
    [{ op: 'replace', path: 'emails[type eq "home" and primary eq true].value', value: other }, kept],
    [{ op: 'replace', path: 'emails[type eq "work" and primary eq false].value', value: other }, kept],
    [{ op: 'remove', path: `emails[type eq "work" and value eq "${home.value}"]` }, kept],
    [{ op: 'remove', path: 'emails[type eq "work" and primary eq true]' }, undefined],
  ]
  for (const [operation, address] of cases) {
    const reply = await scim('PATCH', `/Users/${user.id}`, patchOf(operation))
    assert.deepEqual([reply.status, reply.body.emails?.[0].value], [200, address], JSON.stringify(operation))
    await scim('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', path: 'emails', value: emails }))
  }
  const first = patchOf({ op: 'remove', path: 'emails' }, { op: 'add', path: 'emails', value: [home] })
  assert.equal((await scim('PATCH', `/Users/${user.id}`, first)).body.emails[0].value, home.value, 'there was none')
})

test('a patch of members changes those whom it names, and never by a path into one (RFC 7644 3.5.2)', async () => {
  const { scim } = await app.addProvider('Members')
  const ids: string[] = []
  for (const name of ['one', 'two', 'three'])
    ids.push((await scim('POST', '/Users', userBody(`${name}@members.example`))).body.id)
  const [one = '', two = '', three = ''] = ids
  const { body: group } = await scim('POST', '/Groups', groupBody('Members', [one, two]))
  const only = (userId: string, sub = ''): string => `members[value eq "${userId}"]${sub}`
  const cases: readonly (readonly [object, readonly string[] | 'noTarget'])[] = [
    [{ op: 'remove', path: only(one, '.display') }, [one, two]],
    [{ op: 'replace', path: only(one, '.display'), value: 'One' }, [one, two]],
    [{ op: 'add', path: only(three, '.display'), value: 'Three' }, [one, two]],
    [{ op: 'replace', path: 'members.display', value: 'All' }, [one, two]],
    [{ op: 'remove', path: 'members.display' }, [one, two]],
    [{ op: 'replace', path: only(three, '.display'), value: 'Three' }, 'noTarget'],
    [{ op: 'replace', path: only(three), value: { value: three } }, 'noTarget'],
    [{ op: 'replace', value: { [only(three)]: { value: three } } }, 'noTarget'],
    [{ op: 'replace', path: only(one), value: { value: three } }, [two, three]],
    [{ op: 'replace', path: only(one), value: [{ value: three }] }, [two, three]],
    [{ op: 'replace', path: only(one, '.value'), value: three }, [two, three]],
    [{ op: 'replace', path: only(one), value: { value: two } }, [two]],
    [{ op: 'replace', path: only(one), value: { value: one } }, [one, two]],
    [{ op: 'replace', path: only(one), value: { display: 'One' } }, [one, two]],
    [{ op: 'replace', path: only(one), value: [{ display: 'One' }] }, [one, two]],
    [{ op: 'replace', path: only(one) }, [one, two]],
    [{ op: 'remove', path: only(three) }, [one, two]],
    [{ op: 'remove', path: only(one) }, [two]],
    [{ op: 'remove', path: `members[value eq "${one}" and type eq "User"]` }, [two]],
    [{ op: 'remove', path: `members[value eq "${one}" and type eq "Group"]` }, [one, two]],
    [{ op: 'remove', path: `members[value eq "${one}" and value eq "${two}"]` }, [one, two]],
    [{ op: 'add', path: 'members', value: [{ value: three }] }, [one, two, three]],
  ]
  for (const [operation, expected] of cases) {
    const reply = await scim('PATCH', `/Groups/${group.id}`, patchOf(operation))
    const refusal = expected === 'noTarget' ? ([400, expected] as const) : ([204, undefined] as const)
    assert.deepEqual([reply.status, reply.body?.scimType], refusal, JSON.stringify(operation))
    const { members } = (await scim('GET', `/Groups/${group.id}`)).body
    const left = members.map((member: { value: string }) => member.value).sort()
    assert.deepEqual(left, [...(expected === 'noTarget' ? [one, two] : expected)].sort(), JSON.stringify(operation))
    await scim('PUT', `/Groups/${group.id}`, groupBody('Members', [one, two]))
  }
})

test('lists are filtered, paged and cut to the wanted attributes', async () => {
  const { scim } = await app.addProvider('Lists')
  for (const [name, values] of [
    ['a%1@list.example', { displayName: 'First', externalId: 'X1' }],
    ['a_2@list.example', { displayName: 'Second', active: false, emails: [{ value: 'two@mail.example' }] }],
    ['b3@list.example', { displayName: 'Third' }],
  ] as const)
    assert.equal((await scim('POST', '/Users', userBody(name, values))).status, 201)
  const names = async (filter: string) => {
    const { status, body } = await scim('GET', `/Users?${buildFilter(filter)}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.totalResults, body.Resources.length)
    return body.Resources.map((user: { displayName: string }) => user.displayName)
  }
  assert.deepEqual(await names('userName sw "A"'), ['First', 'Second'])
  assert.deepEqual(await names('userName co "%"'), ['First'])
  assert.deepEqual(await names('userName sw "a_"'), ['Second'])
  assert.deepEqual(await names('externalId eq "X1"'), ['First'])
  assert.deepEqual(await names('externalId eq "x1"'), [])
  assert.deepEqual(await names('emails.value eq "TWO@mail.example"'), ['Second'])
  assert.deepEqual(await names('emails[type eq "work"].value eq "two@mail.example"'), ['Second'])
  assert.deepEqual(await names('active eq true and (userName co "list" and displayName co "ir")'), ['First', 'Third'])
  assert.deepEqual(await names('active eq "False"'), ['Second'])
  assert.deepEqual(await names('userName eq "x\\" or 1=1 --"'), [])
  const page = await scim('GET', '/Users?startIndex=2&count=1&attributes=userName')
  assert.deepEqual([page.body.totalResults, page.body.startIndex, page.body.itemsPerPage], [3, 2, 1])
  assert.deepEqual(Object.keys(page.body.Resources[0]).sort(), ['id', 'schemas', 'userName'])
  assert.equal(page.body.Resources[0].userName, 'a_2@list.example')
  const count = await scim('GET', '/Users?startIndex=-5&count=0')
  assert.deepEqual([count.body.totalResults, count.body.startIndex, count.body.Resources], [3, 1, []])
  assert.equal((await scim('GET', '/Users?count=9999')).body.itemsPerPage, 3)
})

test('the gateway describes what it supports', async () => {
  const { scim } = await app.addProvider('Discovery')
  const config = (await scim('GET', '/ServiceProviderConfig')).body
  assert.deepEqual(
    [config.patch, config.bulk.supported, config.filter, config.etag],
    [{ supported: true }, false, { supported: true, maxResults: 200 }, { supported: false }],
  )
  const types = (await scim('GET', '/ResourceTypes')).body.Resources
  assert.deepEqual(
    types.map((type: { endpoint: string }) => type.endpoint),
    ['/Users', '/Groups'],
  )
  for (const schema of (await scim('GET', '/Schemas')).body.Resources) {
    const one = await scim('GET', `/Schemas/${schema.id}`)
    assert.deepEqual([one.status, one.body], [200, schema])
  }
  assert.equal((await scim('GET', '/ResourceTypes/User')).body.endpoint, '/Users')
  assert.equal((await scim('GET', '/Schemas/urn:nope')).status, 404)
})
