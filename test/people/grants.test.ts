import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Grant, grants } from '../../src/foundation/domain/access.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { rangeReportsOf } from '../analytics/range-reports.ts'
import { anEndpoint, aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

/** Everything by which one team could be told from an answer to somebody else. */
interface World {
  readonly teamId: string
  readonly name: string
  readonly lead: string
  readonly person: { readonly id: string; readonly subject: string }
  readonly key: { readonly id: string; readonly name: string }
  readonly requestId: string
  readonly marks: readonly string[]
}

let app: ApiApp
let alpha: World
let beta: World

before(async () => {
  app = await startApiApp()
  alpha = await makeWorld('Alpha, first')
  beta = await makeWorld('Beta')
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const get = (as: string, path: string) => app.call('GET', path, { as })

async function makeWorld(name: string): Promise<World> {
  const word = name.split(/\W/)[0]?.toLowerCase() ?? ''
  const teamId = await app.addTeam(name)
  const lead = await app.addUser({ subject: `lead@${word}.example`, teamId, grants: ['team:lead'] })
  const person = await app.addUser({ subject: `person@${word}.example`, teamId })
  const key = { ...(await app.addKey({ name: `ci of ${word}`, userId: person.id, teamId })), name: `ci of ${word}` }
  const endpoint = await createEndpointStore(app.database.kysely).insert(anEndpoint({ name: `endpoint of ${word}` }))
  const budget = { limit_usd: 50, period: 'monthly', policy: 'standard' }
  await asAdmin('PUT', `/admin/teams/${teamId}/budget`, budget)
  await asAdmin('PUT', `/admin/users/${person.id}/budget`, budget)
  const record = aSpendRecord({
    atMs: Date.now() - 60_000,
    teamId,
    userId: person.id,
    keyId: key.id,
    endpointId: endpoint.id,
    model: `claude-of-${word}`,
    sessionId: `session-of-${word}`,
    tools: [`mcp__${word}__ask`],
  })
  await createSpendLog(app.database.kysely).appendBatch([record])
  const marks = [teamId, name, person.id, person.subject, key.id, key.name, endpoint.name, record.requestId]
  return {
    teamId,
    name,
    lead: app.sessionOf(lead),
    person,
    key,
    requestId: record.requestId,
    marks: [...marks, `claude-of-${word}`, `session-of-${word}`, `mcp__${word}`],
  }
}

/** Every way in which a query can name somebody or something. */
function queriesAbout({ teamId, name, person, key, requestId }: World): string[] {
  const q = (words: string) => `q=${encodeURIComponent(words)}`
  const team = encodeURIComponent(name)
  return [
    ...rangeReportsOf(app.routes).flatMap((section) =>
      [
        '',
        `team=${teamId}`,
        `team=${team}`,
        `user=${person.subject}`,
        `user=${person.id}`,
        'user=(none)',
        `model=claude-of-${name.toLowerCase()}`,
        `endpoint=endpoint of ${name.toLowerCase()}`,
      ].map((query) => `/admin/analytics/${section}?days=1&${query}`),
    ),
    ...[
      '',
      `team=${teamId}`,
      `team=%3D${teamId}`,
      `team=${team}`,
      `team=%3D${team}`,
      'team=e',
      `user=${person.subject}`,
      `user=%3D${person.id}`,
      `key=%3D${key.id}`,
      q(requestId),
      q(`team:${name}`),
      q('team:"(none)"'),
      q(`user:${person.subject}`),
      q(`session:session-of-${name.toLowerCase()}`),
    ].map((query) => `/admin/requests?${query}`),
    `/admin/requests/${requestId}`,
    ...['', `team_id=${teamId}`, `user_id=${person.id}`, q(key.name)].map((query) => `/admin/keys?${query}`),
    ...['', '/members', '/budget'].map((part) => `/admin/teams/${teamId}${part}`),
    `/admin/teams?ids=${teamId}`,
    `/admin/users/${person.id}`,
    `/admin/users/${person.id}/budget`,
    `/admin/users/${person.id}/sessions`,
    `/admin/keys/${key.id}`,
    `/admin/budgets?ids=${teamId}`,
    `/admin/sessions?team=${team}`,
  ]
}

test('a lead learns nothing about another team, whatever the query says', async () => {
  for (const path of queriesAbout(beta)) {
    const { body } = await get(alpha.lead, path)
    const told = JSON.stringify(body)
    for (const mark of beta.marks) assert.ok(!told.includes(mark), `${path} tells ${mark}: ${told}`)
  }
})

test('another team that is named is a refusal, which says why', async () => {
  const named = [
    ...rangeReportsOf(app.routes).flatMap((section) => [
      `/admin/analytics/${section}?team=${beta.teamId}`,
      `/admin/analytics/${section}?team=${encodeURIComponent(`${alpha.name},${beta.name}`)}`,
    ]),
    `/admin/analytics/adoption?team=${beta.teamId}`,
    `/admin/requests?team=${beta.teamId}`,
    `/admin/requests?team=%3D${beta.name}`,
    `/admin/keys?team_id=${beta.teamId}`,
    ...['', '/members', '/budget'].map((part) => `/admin/teams/${beta.teamId}${part}`),
  ]
  for (const path of named) {
    const { status, body } = await get(alpha.lead, path)
    assert.deepEqual([status, body.error.code], [403, 'own_team_only'], path)
  }
})

test('a lead sees the own team: people, budget, keys, numbers and calls', async () => {
  const told = async (path: string) => {
    const { status, body } = await get(alpha.lead, path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return JSON.stringify(body)
  }
  const own = `team=${encodeURIComponent(alpha.name)}`
  assert.match(await told(`/admin/teams/${alpha.teamId}`), /Alpha, first/)
  assert.match(await told(`/admin/teams/${alpha.teamId}/members`), /person@alpha\.example/)
  assert.match(await told(`/admin/teams/${alpha.teamId}/budget`), /"limit_usd":50/)
  assert.match(await told('/admin/keys'), /ci of alpha/)
  assert.match(await told(`/admin/keys?team_id=${alpha.teamId}`), /ci of alpha/)
  for (const query of ['', own, `team=${alpha.teamId}`]) {
    assert.match(await told(`/admin/analytics/org/overview?days=1&${query}`), /"requests":1,.*claude-of-alpha/)
    assert.match(await told(`/admin/analytics/org/export?days=1&${query}`), /person@alpha\.example/)
    assert.match(await told(`/admin/requests?${query}`), new RegExp(alpha.requestId))
  }
  const spend = await told(`/admin/analytics/org/spend?days=1&user=${alpha.person.subject},${beta.person.subject}`)
  assert.match(spend, /"scope":"user","name":"person@alpha\.example"/)
  assert.match(await told(`/admin/requests/${alpha.requestId}`), /endpoint of alpha/)
})

test('a lead of no team sees nothing until there is one', async () => {
  const lead = await app.addUser({ grants: ['team:lead'] })
  const token = app.sessionOf(lead)
  const { status, body } = await get(token, '/admin/requests')
  assert.deepEqual([status, body.error.code], [403, 'team_required'])
  await asAdmin('PUT', `/admin/users/${lead.id}/team`, { team_id: alpha.teamId })
  assert.equal((await get(token, `/admin/teams/${alpha.teamId}`)).status, 200)
})

test('whoever leaves a team does not lead the next one, unless an administrator says so', async () => {
  const held = ['team:lead', 'billing:read'] as const
  const lead = await app.addUser({ teamId: alpha.teamId, grants: held })
  const token = app.sessionOf(lead)
  const moved = await asAdmin('PUT', `/admin/users/${lead.id}/team`, { team_id: beta.teamId })
  assert.deepEqual(moved.body.grants, ['billing:read'])
  for (const { teamId } of [alpha, beta]) assert.equal((await get(token, `/admin/teams/${teamId}`)).status, 403)
  const { body } = await asAdmin('GET', `/admin/audit?target=user:${lead.id}&action=user.move`)
  assert.deepEqual([body.data[0].before.grants, body.data[0].after.grants], [held, ['billing:read']])
  await asAdmin('PATCH', `/admin/users/${lead.id}`, { grants: held })
  assert.equal((await get(token, `/admin/teams/${beta.teamId}`)).status, 200)
})

test('the lead of a team that is deleted leads no other one later', async () => {
  const teamId = await app.addTeam()
  const lead = await app.addUser({ teamId, grants: ['team:lead'] })
  await asAdmin('DELETE', `/admin/teams/${teamId}`)
  const moved = await asAdmin('PUT', `/admin/users/${lead.id}/team`, { team_id: beta.teamId })
  assert.deepEqual(moved.body.grants, [])
})

test('grants are set, listed once each in one order, filtered by, audited and told to the person', async () => {
  const { body: user } = await asAdmin('POST', '/admin/users', {
    subject: 'fin@example.com',
    grants: ['billing:read', 'team:lead', 'billing:read'],
  })
  assert.deepEqual(user.grants, ['team:lead', 'billing:read'])
  const changed = await asAdmin('PATCH', `/admin/users/${user.id}`, { grants: ['audit:read'] })
  assert.deepEqual([changed.body.grants, changed.body.role], [['audit:read'], 'member'])
  assert.deepEqual((await asAdmin('PATCH', `/admin/users/${user.id}`, { email: 'f@example.com' })).body.grants, [
    'audit:read',
  ])
  const holders = await asAdmin('GET', '/admin/users?grant=audit:read')
  assert.deepEqual(
    holders.body.data.map(({ subject }: { subject: string }) => subject),
    ['fin@example.com'],
  )
  for (const [method, path, body] of [
    ['PATCH', `/admin/users/${user.id}`, { grants: ['root'] }],
    ['PATCH', `/admin/users/${user.id}`, { grants: 'audit:read' }],
    ['PATCH', `/admin/users/${user.id}`, { grants: null }],
    ['POST', '/admin/users', { subject: 'x@example.com', grants: ['admin'] }],
    ['GET', '/admin/users?grant=root', undefined],
  ] as const)
    assert.equal((await asAdmin(method, path, body)).status, 400, JSON.stringify(body))
  const { body: trail } = await asAdmin('GET', `/admin/audit?target=user:${user.id}&action=user.update`)
  const [, first] = trail.data
  assert.deepEqual([first.before.grants, first.after.grants], [['team:lead', 'billing:read'], ['audit:read']])
  assert.deepEqual((await get(`jwt-${user.subject}`, '/me')).body.grants, ['audit:read'])
})

test('a grant that is taken away closes what it opened, for the session that is open', async () => {
  const user = await app.addUser({ grants: ['ops:operate'] })
  const token = app.sessionOf(user)
  assert.equal((await get(token, '/admin/status')).status, 200)
  await asAdmin('PATCH', `/admin/users/${user.id}`, { grants: [] })
  const { status, body } = await get(token, '/admin/status')
  assert.deepEqual([status, body.error.message], [403, 'This needs an administrator, or the grant ops:operate.'])
  assert.equal((await get(token, '/me')).status, 200, 'a grant ends no session')
})

test('nobody gives grants but administrators, also not to themselves', async () => {
  const user = await app.addUser({ grants, teamId: alpha.teamId })
  const body = { grants: [...grants], role: 'admin' }
  const token = app.sessionOf(user)
  for (const [method, path] of [
    ['PATCH', `/admin/users/${user.id}`],
    ['POST', '/admin/users'],
    ['PUT', `/admin/users/${user.id}/team`],
  ] as const)
    assert.equal((await app.call(method, path, { as: token, body })).body.error.code, 'admin_required')
})

test('a key of somebody with grants has none, and says so', async () => {
  const user = await app.addUser({ grants, teamId: alpha.teamId })
  const { key } = await app.addKey({ userId: user.id })
  assert.deepEqual((await get(key, '/me')).body.grants, [])
  for (const path of ['/admin/status', '/admin/audit', '/admin/budgets', `/admin/teams/${alpha.teamId}`])
    assert.equal((await get(key, path)).status, 403, path)
})

async function holderOf(grant: Grant): Promise<string> {
  return app.sessionOf(await app.addUser({ grants: [grant] }))
}

test('who may operate and is no administrator gets the origin of a webhook alone', async () => {
  const destination = 'https://hooks.example.com/services/T0/B0/secret'
  await asAdmin('PUT', '/admin/notifications/config', { destination_type: 'webhook', destination })
  const { body } = await get(await holderOf('ops:operate'), '/admin/notifications/config')
  assert.equal(body.draft.destination, 'https://hooks.example.com/…')
  assert.equal((await asAdmin('GET', '/admin/notifications/config')).body.draft.destination, destination)
})

test('who may operate and is no administrator watches everything but the audit trail', async () => {
  const token = await holderOf('ops:operate')
  assert.equal((await get(token, '/admin/events')).status, 200)
  assert.equal((await get(token, '/admin/events?topics=requests,health,budgets')).status, 200)
  const { status, body } = await get(token, '/admin/events?topics=requests,settings')
  assert.deepEqual([status, body.error.code], [403, 'admin_required'])
})

test('an auditor reads keys without their secrets', async () => {
  const token = await holderOf('audit:read')
  const { body } = await get(token, `/admin/keys/${beta.key.id}`)
  assert.equal(body.name, beta.key.name)
  assert.ok(!('key' in body) && !('hash' in body))
})
