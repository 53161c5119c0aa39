import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const asAdmin = (method: string, path: string, body?: unknown) => app.call(method, path, { as: app.admin, body })
const list = async (query: string) => (await asAdmin('GET', `/admin/audit?${query}`)).body

test('entries are found by actor, action, target, text and time, and paged without a gap', async () => {
  const other = await app.addUser({ role: 'admin', subject: 'second@example.com' })
  const startedAt = new Date().toISOString()
  const ids: string[] = []
  for (let index = 0; index < 5; index++)
    ids.push((await asAdmin('POST', '/admin/teams', { name: `audited ${index}` })).body.id)
  await app.call('PATCH', `/admin/teams/${ids[0]}`, { as: app.sessionOf(other), body: { name: 'renamed' } })

  assert.equal((await list('actor=second@example.com')).data.length, 1)
  assert.equal((await list('action=team.create')).data.length, 5)
  assert.deepEqual(
    (await list(`target=team:${ids[0]}&sort=at`)).data.map((entry: { action: string }) => entry.action),
    ['team.create', 'team.update'],
  )
  const nameOf = async (query: string) => (await list(query)).data[0].target_name
  assert.equal(await nameOf(`target=team:${ids[0]}&sort=at`), 'renamed')
  assert.equal((await list('q=TEAM.UP')).data.length, 1)
  assert.equal((await list(`from=${startedAt}`)).data.length, 6)
  assert.equal((await list(`to=${startedAt}`)).data.length, 0)
  assert.equal((await list(`from=${encodeURIComponent(startedAt.replace('Z', '+00:00'))}`)).data.length, 6)

  const [newest, next] = (await list('limit=2')).data
  assert.deepEqual((await list(`ids=${next.id},${newest.id}`)).data, [newest, next])
  assert.deepEqual((await list(`ids=${ids[0]}`)).data, [])
  assert.equal((await asAdmin('GET', '/admin/audit?ids=nope')).status, 400)

  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`limit=4${cursor}`)
    seen.push(...page.data.map((entry: { id: string }) => entry.id))
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual([seen.length, new Set(seen).size], [6, 6])
})

test('nobody can change or remove an entry through the API or the tables', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    assert.equal((await asAdmin(method, '/admin/audit')).status, 405)
  for (const statement of ['update audit_log set actor = $$x$$', 'delete from audit_log', 'truncate audit_log'])
    await assert.rejects(app.database.pool.query(statement), /append-only/)
})

test('a refused write leaves no entry', async () => {
  const before = (await list('limit=200')).data.length
  await asAdmin('POST', '/admin/teams', { name: 'audited 1' })
  await asAdmin('POST', '/admin/keys', { name: 'x', user_id: '0190a000-0000-7000-8000-000000000001' })
  assert.equal((await list('limit=200')).data.length, before)
})

test('line breaks, escapes and fake JSON in names and headers stay inside their one log line', async () => {
  const fake = '{"level":"fatal"}'
  await app.call('POST', '/admin/teams', { as: app.admin, body: { name: fake }, headers: { 'user-agent': fake } })
  await asAdmin('POST', '/admin/teams', { name: 'a\r\n\u001b[31mb' })
  await asAdmin('GET', '/admin/teams/%0d%0a%1b')
  const lines = app.logged().trimEnd().split('\n')
  for (const line of lines) assert.notEqual((JSON.parse(line) as { level: string }).level, 'fatal')
  assert.equal(app.logged().includes('\u001b'), false)
})

test('times and ranges that make no sense are 400', async () => {
  for (const query of [
    'from=yesterday',
    'from=2026-01-01',
    'to=2026-13-01T00:00:00Z',
    'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'sort=actor',
    'cursor=x',
    'before=x',
    'actor=',
  ])
    assert.equal((await asAdmin('GET', `/admin/audit?${query}`)).status, 400, query)
})

test('entries about an identity provider name it, also when it is gone', async () => {
  const provider = { name: 'Okta', issuer_url: 'https://okta.example.com', audience: 'gateway', client_id: 'gateway' }
  const { body: added } = await asAdmin('POST', '/admin/idps', provider)
  const named = async () =>
    (await list(`target=idp:${added.id}&sort=at`)).data.map((entry: { action: string; target_name: string }) => [
      entry.action,
      entry.target_name,
    ])
  await asAdmin('PATCH', `/admin/idps/${added.id}`, { name: 'Okta workforce' })
  assert.deepEqual(await named(), [
    ['idp.create', 'Okta workforce'],
    ['idp.update', 'Okta workforce'],
  ])
  await asAdmin('DELETE', `/admin/idps/${added.id}`)
  assert.deepEqual(await named(), [
    ['idp.create', 'Okta'],
    ['idp.update', 'Okta workforce'],
    ['idp.delete', 'Okta workforce'],
  ])
})

test('every declared answer of the audit trail was exercised', () => app.assertCovered('Audit', isOwnStatus))
