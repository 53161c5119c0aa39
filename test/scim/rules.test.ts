/** Who may provision whom, and what must hold whatever a provider sends. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listProviderRoutes } from '../../src/extensions/scim/module.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { until } from '../message-path/path-client.ts'
import { authorize, createJar, me, signIn } from '../sign-in/login-app.ts'
import { addKey, login, startGateway } from '../support/gateway.ts'
import { groupBody, patchOf, type ScimApp, startScimApp, userBody } from './scim-app.ts'

let app: ScimApp
before(async () => {
  app = await startScimApp()
})
after(() => app.stop())

const models = (key: string): Promise<number> =>
  fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }).then((response) => response.status)

test('only a live provisioning token opens a provisioning route, and it opens nothing else', async () => {
  const provider = await app.addProvider('Access')
  const { id, token: deleted } = await app.addToken(provider.idpId)
  await app.admin('DELETE', `/admin/idps/${provider.idpId}/scim-tokens/${id}`)
  const { key } = await addKey(app.database, {})
  const session = await login(app.url)
  const { token: expired, id: expiredId } = await app.addToken(provider.idpId)
  await app.database.pool.query(`update scim_tokens set expires_at = now() - interval '1 second' where id = $1`, [
    expiredId,
  ])
  // The list is data: making it needs nothing behind the routes.
  const routes = listProviderRoutes({} as Parameters<typeof listProviderRoutes>[0])
  assert.equal(routes.length, 17)
  for (const route of routes) {
    assert.equal(route.access, 'scim')
    const path = route.path.replace('/scim/v2', '').replace('{id}', newId())
    for (const token of [undefined, 'garbage', 'scim-garbage', key, session, deleted, expired]) {
      // Not JSON: who is refused does not learn what the body would have been.
      const body = route.body === undefined ? undefined : '{'
      const reply = await app.scimAs(token, route.method, path, body)
      assert.equal(reply.status, 401, `${route.method} ${path} as ${token?.slice(0, 8)}`)
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="scim"')
    }
  }
  for (const [method, path] of [
    ['GET', '/admin/users'],
    ['GET', '/me'],
    ['GET', '/v1/models'],
    ['POST', `/admin/idps/${provider.idpId}/scim-tokens`],
  ] as const) {
    const response = await fetch(`${app.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${provider.token}` },
    })
    assert.equal(response.status, 401, path)
  }
  await app.admin('PATCH', `/admin/idps/${provider.idpId}`, { enabled: false })
  assert.equal((await provider.scim('GET', '/Users')).status, 401)
})

test('a provider sees and changes only its own users and groups', async () => {
  const [one, two] = [await app.addProvider('One'), await app.addProvider('Two')]
  const { body: user } = await one.scim('POST', '/Users', userBody('own@one.example', { externalId: 'same' }))
  const { body: group } = await one.scim('POST', '/Groups', groupBody('Ones', [user.id]))
  assert.equal((await two.scim('GET', '/Users')).body.totalResults, 0)
  assert.equal((await two.scim('GET', '/Groups')).body.totalResults, 0)
  const off = patchOf({ op: 'replace', path: 'active', value: false })
  for (const [method, path, body] of [
    ['GET', `/Users/${user.id}`],
    ['PUT', `/Users/${user.id}`, userBody('own@one.example')],
    ['PATCH', `/Users/${user.id}`, off],
    ['DELETE', `/Users/${user.id}`],
    ['GET', `/Groups/${group.id}`],
    ['PUT', `/Groups/${group.id}`, groupBody('Ones')],
    ['PATCH', `/Groups/${group.id}`, patchOf({ op: 'remove', path: 'members' })],
    ['DELETE', `/Groups/${group.id}`],
  ] as const)
    assert.equal((await two.scim(method, path, body)).status, 404, `${method} ${path}`)
  const theft = await two.scim('POST', '/Users', userBody('OWN@one.example'))
  assert.deepEqual([theft.status, theft.body.scimType], [409, 'uniqueness'])
  const foreign = await two.scim('POST', '/Groups', groupBody('Twos', [user.id]))
  assert.deepEqual([foreign.status, foreign.body.scimType], [400, 'invalidValue'])
  assert.equal((await two.scim('GET', '/Groups')).body.totalResults, 0)
  // Ids and names of their own are free for each provider.
  const own = await two.scim('POST', '/Users', userBody('own@two.example', { externalId: 'same' }))
  assert.equal(own.status, 201)
  assert.equal((await two.scim('POST', '/Groups', groupBody('ones', [own.body.id]))).status, 201)
  assert.equal(await app.teamNameOf(own.body.id), 'Ones')
  assert.deepEqual((await one.scim('GET', `/Users/${user.id}`)).body.active, true)
})

test('who is provisioned signs in through that provider and no other, and loses session and key at once', async () => {
  const provider = await app.signInProvider()
  const other = await app.addProvider('Other issuer', `${app.simulator.oidcUrl}/issuers/other`)
  const { body: user } = await provider.scim('POST', '/Users', userBody('alice@example.com'))
  const stranger = createJar()
  const start = `${app.url}/auth/sso/${other.idpId}/start`
  const refused = await stranger.send(await authorize(stranger, start, 'alice@example.com'))
  assert.equal(refused.status, 403)
  const shown = await until(async () => {
    const { body } = await app.admin('GET', `/admin/audit?action=sign-in.refused&target=user:${user.id}`)
    return body.data[0]?.after
  })
  assert.deepEqual([shown.reason, shown.idp_id], ['identity_mismatch', other.idpId])

  const jar = await signIn(app, 'alice@example.com')
  assert.equal((await me(app, jar)).user?.id, user.id)
  const { key } = await addKey(app.database, { userId: user.id })
  // A change through the API makes this instance read the key that the test has stored behind its back.
  await app.admin('POST', '/admin/teams', { name: `reload ${newId()}` })
  assert.equal(await models(key), 200)

  const off = await provider.scim(
    'PATCH',
    `/Users/${user.id}`,
    patchOf({ op: 'replace', path: 'active', value: false }),
  )
  assert.equal(off.status, 200)
  assert.equal((await jar.send(`${app.url}/me`)).status >= 401, true)
  assert.equal(await models(key), 401)
  const back = await provider.scim('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', value: { active: true } }))
  assert.equal(back.body.active, true)
  assert.equal((await jar.send(`${app.url}/me`)).status, 401)
  assert.equal(await models(key), 200)
  assert.equal((await provider.scim('DELETE', `/Users/${user.id}`)).status, 204)
  assert.equal(await models(key), 401)
})

test('users whom nobody manages are taken over, unless they are not this provider’s to have', async () => {
  const provider = await app.addProvider('Adopter')
  const early = { subject: 'early@example.com', email: 'kept@example.com', role: 'member' }
  const { body: member } = await app.admin('POST', '/admin/users', early)
  const adopted = await provider.scim('POST', '/Users', userBody('Early@example.com', { displayName: 'Early' }))
  assert.deepEqual([adopted.status, adopted.body.id, adopted.body.displayName], [201, member.id, 'Early'])
  assert.equal(adopted.body.emails[0].value, 'kept@example.com')
  await app.admin('POST', '/admin/users', { subject: 'boss@example.com', role: 'admin' })
  await signIn(app, 'bob@example.com')
  for (const name of ['boss@example.com', 'bob@example.com', 'admin', 'ADMIN', 'ａdmin']) {
    const reply = await provider.scim('POST', '/Users', userBody(name))
    assert.deepEqual([reply.status, reply.body.scimType], [409, 'uniqueness'], name)
    const rename = patchOf({ op: 'replace', path: 'userName', value: name })
    assert.equal((await provider.scim('PATCH', `/Users/${member.id}`, rename)).status, 409, name)
  }
})

test('somebody whom an administrator has suspended is let in again only by a provider that says so', async () => {
  const provider = await app.addProvider('Suspended')
  const suspended = async (subject: string): Promise<string> => {
    const { body } = await app.admin('POST', '/admin/users', { subject, role: 'member' })
    await app.admin('PATCH', `/admin/users/${body.id}`, { active: false })
    return body.id
  }
  for (const [said, isActive] of [
    [undefined, false],
    [null, false],
    [false, false],
    [true, true],
  ] as const) {
    const name = `suspended-${said}@example.com`
    const userId = await suspended(name)
    const adopted = await provider.scim('POST', '/Users', userBody(name, { active: said }))
    assert.deepEqual([adopted.status, adopted.body.id, adopted.body.active], [201, userId, isActive], name)
    assert.equal((await app.admin('GET', `/admin/users/${userId}`)).body.active, isActive, name)
    const { body } = await app.admin('GET', `/admin/audit?action=scim_user.adopt&target=user:${userId}`)
    assert.equal(body.data[0].after.active, isActive, name)
  }
  const fresh = await provider.scim('POST', '/Users', userBody('fresh@example.com', { active: undefined }))
  assert.equal(fresh.body.active, true, 'whom nobody knew')
})

test('a person whom a provider has entered is not entered again in another spelling, by whomever', async () => {
  const provider = await app.signInProvider()
  await app.control.setOidcUser({ sub: 'user-carol', claims: { email: 'carol@example.com' } })
  const { body: carol } = await provider.scim('POST', '/Users', userBody('Carol@Example.com'))
  const again = await app.admin('POST', '/admin/users', { subject: 'carol@example.com', role: 'admin' })
  assert.deepEqual([again.status, again.body.error.type], [409, 'conflict_error'])
  assert.equal((await me(app, await signIn(app, 'carol@example.com'))).user?.id, carol.id)
})

test('a first sign-in finds whom another instance has entered a moment ago, and makes no second user', async () => {
  await app.control.setOidcUser({ sub: 'user-dora', claims: { email: 'dora@example.com' } })
  await app.database.pool.query(
    `insert into users (id, subject, role) values (gen_random_uuid(), 'Dora@Example.com', 'member')`,
  )
  const jar = createJar()
  const back = await authorize(jar, `${app.url}/auth/sso/${app.idpId}/start`, 'dora@example.com')
  assert.equal((await jar.send(back)).status, 403)
  const { rows } = await app.database.pool.query(`select subject from users where lower(subject) = 'dora@example.com'`)
  assert.deepEqual(rows, [{ subject: 'Dora@Example.com' }])
  assert.equal((await me(app, await signIn(app, 'dora@example.com'))).user?.subject, 'Dora@Example.com')
})

test('of several requests at once for the same name one succeeds', async () => {
  const providers = [await app.addProvider('Race one'), await app.addProvider('Race two')]
  const spellings = ['Race@example.com', 'race@example.com', 'RACE@example.com']
  const replies = await Promise.all(
    providers.flatMap(({ scim }) => spellings.map((name) => scim('POST', '/Users', userBody(name)))),
  )
  assert.deepEqual(replies.map((reply) => reply.status).sort(), [201, 409, 409, 409, 409, 409])
})

test('a group of thousands is joined, narrowed by one and left in single requests', async () => {
  const { scim, idpId } = await app.addProvider('Crowd')
  const ids = Array.from({ length: 8_000 }, () => newId())
  await app.database.pool.query(
    `insert into users (id, subject, role) select id, 'crowd-' || id, 'member' from unnest($1::uuid[]) as id`,
    [ids],
  )
  await app.database.pool.query('insert into scim_users (user_id, idp_id) select unnest($1::uuid[]), $2', [ids, idpId])
  const { status, body: group } = await scim('POST', '/Groups?excludedAttributes=members', groupBody('Crowd', ids))
  assert.equal(status, 201)
  const one = patchOf({ op: 'replace', path: `members[value eq "${ids[0]}"]`, value: { value: ids[0] } })
  assert.equal((await scim('PATCH', `/Groups/${group.id}`, one)).status, 204)
  assert.equal((await scim('GET', `/Groups/${group.id}`)).body.members.length, ids.length)
  assert.equal((await scim('DELETE', `/Groups/${group.id}`)).status, 204)
  const { rows } = await app.database.pool.query(
    `select count(*)::int as left from users where subject like 'crowd-%' and team_id is null`,
  )
  assert.deepEqual(rows, [{ left: ids.length }])
})

test('the group joined last decides the team, and leaving it falls back to the one before', async () => {
  const { scim } = await app.addProvider('Teams')
  const { body: user } = await scim('POST', '/Users', userBody('mover@example.com'))
  const { body: blue } = await scim('POST', '/Groups', groupBody('Blue', [user.id]))
  const blueTeam = (await app.admin('GET', `/admin/users/${user.id}`)).body.team_id
  const other = (await app.admin('POST', '/admin/teams', { name: 'Elsewhere' })).body.id
  const { id: follows } = await addKey(app.database, { userId: user.id, teamId: blueTeam })
  const { id: stays } = await addKey(app.database, { userId: user.id, teamId: other })
  const { body: red } = await scim('POST', '/Groups', groupBody('Red', [user.id]))
  const redTeam = (await app.admin('GET', `/admin/users/${user.id}`)).body.team_id
  assert.equal((await app.admin('GET', `/admin/keys/${follows}`)).body.team_id, redTeam)
  assert.equal((await app.admin('GET', `/admin/keys/${stays}`)).body.team_id, other)
  assert.equal(await app.teamNameOf(user.id), 'Red')
  // Joining again is no joining.
  await scim('PATCH', `/Groups/${blue.id}`, patchOf({ op: 'add', path: 'members', value: [{ value: user.id }] }))
  assert.equal(await app.teamNameOf(user.id), 'Red')
  assert.equal((await scim('DELETE', `/Groups/${red.id}`)).status, 204)
  assert.equal(await app.teamNameOf(user.id), 'Blue')
  // The team outlives its group.
  assert.equal((await app.admin('GET', '/admin/teams?q=Red')).body.data.length, 1)
  // A renamed group joins the team that has the name already.
  await scim('PUT', `/Groups/${blue.id}`, groupBody('red', [user.id]))
  assert.equal(await app.teamNameOf(user.id), 'Red')
  // Whom an administrator has moved, a group lets go without moving back.
  const { body: own } = await app.admin('POST', '/admin/teams', { name: 'By hand' })
  await app.admin('PUT', `/admin/users/${user.id}/team`, { team_id: own.id })
  await scim('PATCH', `/Groups/${blue.id}`, patchOf({ op: 'remove', path: 'members' }))
  assert.equal(await app.teamNameOf(user.id), 'By hand')
  const twice = await scim('POST', '/Groups', groupBody('RED'))
  assert.deepEqual([twice.status, twice.body.scimType], [409, 'uniqueness'])
})

test('a provider gives no grants, and a lead whom it moves leads no other team', async () => {
  const { scim } = await app.addProvider('Leads')
  const { body: user } = await scim('POST', '/Users', { ...userBody('lead@example.com'), grants: ['audit:read'] })
  await scim('POST', '/Groups', groupBody('Led', [user.id]))
  const held = async () => (await app.admin('GET', `/admin/users/${user.id}`)).body.grants
  assert.deepEqual(await held(), [])
  await app.admin('PATCH', `/admin/users/${user.id}`, { grants: ['team:lead', 'audit:read'] })
  await scim('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', path: 'externalId', value: 'another' }))
  assert.deepEqual(await held(), ['team:lead', 'audit:read'])
  await scim('POST', '/Groups', groupBody('Not led', [user.id]))
  assert.equal(await app.teamNameOf(user.id), 'Not led')
  assert.deepEqual(await held(), ['audit:read'])
  const { body } = await app.admin('GET', `/admin/audit?target=user:${user.id}&action=user.move`)
  assert.deepEqual(
    [body.data[0].before.grants, body.data[0].after.grants],
    [['team:lead', 'audit:read'], ['audit:read']],
  )
})

test('the group of administrators gives and takes the role, and the last administrator keeps it', async () => {
  const provider = await app.addProvider('Admins')
  const setting = `/admin/idps/${provider.idpId}/scim`
  const { body: user } = await provider.scim('POST', '/Users', userBody('chief@example.com'))
  const roleOf = async () => (await app.admin('GET', `/admin/users/${user.id}`)).body.role
  await app.admin('PUT', setting, { scim_admin_group: 'Gateway Admins' })
  const { body: group } = await provider.scim('POST', '/Groups', groupBody('gateway admins', [user.id]))
  assert.deepEqual([await roleOf(), await app.teamNameOf(user.id)], ['admin', null])
  await provider.scim('PATCH', `/Groups/${group.id}`, patchOf({ op: 'remove', path: `members[value eq "${user.id}"]` }))
  assert.equal(await roleOf(), 'member')
  await provider.scim('PUT', `/Groups/${group.id}`, groupBody('gateway admins', [user.id]))
  assert.equal(await roleOf(), 'admin')
  // The setting moves the role with it; a group that is an ordinary one again has a team.
  await app.admin('PUT', setting, { scim_admin_group: null })
  assert.deepEqual([await roleOf(), await app.teamNameOf(user.id)], ['member', 'gateway admins'])
  await app.admin('PUT', setting, { scim_admin_group: 'Gateway Admins' })
  assert.deepEqual([await roleOf(), await app.teamNameOf(user.id)], ['admin', null])

  await app.database.pool.query(`update users set role = 'member' where id <> $1`, [user.id])
  try {
    const off = patchOf({ op: 'replace', path: 'active', value: false })
    assert.equal((await provider.scim('PATCH', `/Users/${user.id}`, off)).status, 409)
    assert.equal((await provider.scim('DELETE', `/Users/${user.id}`)).status, 409)
    assert.equal((await provider.scim('DELETE', `/Groups/${group.id}`)).status, 204)
    const { rows } = await app.database.pool.query('select role, active from users where id = $1', [user.id])
    assert.deepEqual(rows, [{ role: 'admin', active: true }])
  } finally {
    await app.database.pool.query(`update users set role = 'admin' where bootstrap`)
    // Any change of people, so that the gateway reads what was restored behind its back.
    await provider.scim('POST', '/Users', userBody('reload@example.com'))
  }
  assert.ok((await app.actionsOf('scim:Admins')).includes('scim_group.last_admin_kept'))
})

test('input that makes no sense is refused in the form of the standard and changes nothing', async () => {
  const { scim } = await app.addProvider('Nonsense')
  const { body: user } = await scim('POST', '/Users', userBody('steady@example.com', { displayName: 'Steady' }))
  const { body: group } = await scim('POST', '/Groups', groupBody('Steady'))
  const [users, groups] = [`/Users/${user.id}`, `/Groups/${group.id}`]
  const patch = (...operations: object[]): object => patchOf(...operations)
  const cases: readonly (readonly [string, string, unknown, number, string | undefined])[] = [
    ['POST', '/Users', '{"userName":', 400, 'invalidSyntax'],
    ['POST', '/Users', '[]', 400, 'invalidSyntax'],
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', userBody(''), 400, 'invalidValue'],
    ['POST', '/Users', userBody('x'.repeat(321)), 400, 'invalidValue'],
    ['POST', '/Users', userBody('zero\u200bwidth'), 400, 'invalidValue'],
    ['POST', '/Users', userBody('nul\u0000'), 400, 'invalidValue'],
    ['POST', '/Users', userBody('a@b.example', { active: 'maybe' }), 400, 'invalidValue'],
    ['POST', '/Users', userBody('a@b.example', { emails: [5] }), 400, 'invalidSyntax'],
    ['POST', '/Users', userBody('a@b.example', { name: 'Ada' }), 400, 'invalidSyntax'],
    ['PUT', users, {}, 400, 'invalidValue'],
    ['PATCH', users, {}, 400, 'invalidSyntax'],
    ['PATCH', users, patch(), 400, 'invalidSyntax'],
    ['PATCH', users, patch({ op: 'move', path: 'active', value: true }), 400, 'invalidSyntax'],
    ['PATCH', users, patch({ op: 'remove' }), 400, 'noTarget'],
    ['PATCH', users, patch({ op: 'replace', path: 'id', value: newId() }), 400, 'mutability'],
    ['PATCH', users, patch({ op: 'remove', path: 'userName' }), 400, 'mutability'],
    ['PATCH', users, patch({ op: 'replace', path: 'emails[type', value: 'x' }), 400, 'invalidPath'],
    ['PATCH', users, patch({ op: 'replace', path: 5, value: 'x' }), 400, 'invalidPath'],
    ['PATCH', users, patch({ op: 'replace', value: 'x' }), 400, 'invalidSyntax'],
    [
      'PATCH',
      users,
      patch({ op: 'replace', path: 'displayName', value: 'X' }, { op: 'replace', path: 'active', value: 7 }),
      400,
      'invalidValue',
    ],
    ['POST', '/Groups', {}, 400, 'invalidValue'],
    ['POST', '/Groups', groupBody('x'.repeat(101)), 400, 'invalidValue'],
    ['POST', '/Groups', groupBody('Ghosts', [newId()]), 400, 'invalidValue'],
    ['POST', '/Groups', groupBody('Ghosts', ['nobody']), 400, 'invalidValue'],
    ['PATCH', groups, patch({ op: 'add', path: 'members[display eq "x"]', value: 'x' }), 400, 'invalidPath'],
    ['PATCH', groups, patch({ op: 'remove', path: 'members[type eq "User"]' }), 400, 'invalidPath'],
    ['PATCH', groups, patch({ op: 'remove', path: 'displayName' }), 400, 'mutability'],
    ['GET', '/Users/nope', undefined, 404, undefined],
    ['GET', `/Groups/${newId()}`, undefined, 404, undefined],
    ['GET', '/Users?filter=', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=userName', undefined, 400, 'invalidFilter'],
    [
      'GET',
      `/Users?filter=${encodeURIComponent('userName eq "a" or userName eq "b"')}`,
      undefined,
      400,
      'invalidFilter',
    ],
    ['GET', `/Users?filter=${encodeURIComponent('password eq "a"')}`, undefined, 400, 'invalidFilter'],
    ['GET', `/Users?filter=${encodeURIComponent('userName eq "\\u0000"')}`, undefined, 400, 'invalidFilter'],
    ['GET', `/Users?filter=${'('.repeat(3_000)}`, undefined, 400, 'invalidFilter'],
    ['GET', '/Users?count=many', undefined, 400, 'invalidValue'],
    ['POST', '/Users', `{"userName":"${'x'.repeat(1_100_000)}"}`, 413, undefined],
  ]
  for (const [method, path, body, status, scimType] of cases) {
    const reply = await scim(method, path, body)
    const what = `${method} ${path} ${JSON.stringify(body)}`.slice(0, 200)
    assert.deepEqual([reply.status, reply.body.scimType], [status, scimType], what)
  }
  const typed = await scim('POST', '/Users', userBody('t@example.com'), { 'content-type': 'text/plain' })
  assert.equal(typed.status, 415)
  const encoded = await scim('POST', '/Users', userBody('t@example.com'), { 'content-encoding': 'gzip' })
  assert.equal(encoded.status, 415)
  assert.deepEqual((await scim('GET', '/Users')).body.Resources, [user])
  assert.deepEqual((await scim('GET', '/Groups')).body.Resources, [group])
  assert.equal((await app.admin('GET', '/admin/teams?q=Ghosts')).body.data.length, 0)
})

test('a provider that is deleted in the same moment is unknown to administrators, and its token opens nothing', async () => {
  const provider = await app.addProvider('Short-lived')
  const tables = ['scim_tokens', 'scim_settings', 'scim_users', 'scim_groups']
  // Stands for the other transaction, which commits after the provider was looked up here.
  await app.database.pool.query(`create function lose_idp() returns trigger language plpgsql as $$
    begin delete from idps where id = new.idp_id; return new; end $$`)
  for (const table of tables)
    await app.database.pool.query(
      `create trigger lost before insert on ${table} for each row execute function lose_idp()`,
    )
  try {
    const idp = `/admin/idps/${provider.idpId}`
    assert.equal((await app.admin('POST', `${idp}/scim-tokens`, {})).status, 404)
    assert.equal((await app.admin('PUT', `${idp}/scim`, { scim_admin_group: 'Admins' })).status, 404)
    assert.equal((await provider.scim('POST', '/Users', userBody('late@example.com'))).status, 401)
    assert.equal((await provider.scim('POST', '/Groups', groupBody('Late', []))).status, 401)
  } finally {
    await app.database.pool.query('drop function lose_idp cascade')
  }
  assert.equal(await app.userOf('late@example.com'), undefined)
})

test('without a database a provider is told to come back', async () => {
  const bare = await startGateway({ database: 'none', simulator: app.simulator })
  try {
    const response = await fetch(`${bare.url}/scim/v2/Users`, { headers: { authorization: 'Bearer scim-any' } })
    assert.equal(response.status, 503)
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(((await response.json()) as { status: string }).status, '503')
  } finally {
    await bare.stop()
  }
})
