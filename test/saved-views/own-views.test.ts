/** Views of the portal under a name of one's own: how many, which addresses, and whose they are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
let ada: string
let adaId: string
let bob: string
before(async () => {
  app = await startApiApp()
  const user = await app.addUser({ subject: 'ada@example.com' })
  adaId = user.id
  ada = app.sessionOf(user)
  bob = app.sessionOf(await app.addUser({ subject: 'bob@example.com' }))
})
after(() => app.stop())

const put = (name: string, path: unknown, as = ada) =>
  app.call('PUT', `/me/views/${encodeURIComponent(name)}`, { as, body: { path } })
const remove = (name: string, as = ada) => app.call('DELETE', `/me/views/${encodeURIComponent(name)}`, { as })
const names = async (as = ada): Promise<string[]> =>
  (await app.call('GET', '/me/views', { as })).body.data.map(({ name }: { name: string }) => name)

test('a view is saved, listed by name, replaced and deleted', async () => {
  const saved = await put('Month close', '#/org-analytics?range=last-month&compare=month')
  assert.equal(saved.status, 200)
  assert.deepEqual(
    [saved.body.name, saved.body.path],
    ['Month close', '#/org-analytics?range=last-month&compare=month'],
  )
  await put('Errors / all', '#/requests?status=error&q=model%3Aopus')
  assert.deepEqual(await names(), ['Errors / all', 'Month close'])
  const again = await put('Month close', '#/org-analytics')
  assert.equal(again.body.path, '#/org-analytics')
  assert.deepEqual(await names(), ['Errors / all', 'Month close'])
  assert.equal((await remove('Errors / all')).status, 204)
  assert.equal((await remove('Errors / all')).status, 404)
  assert.deepEqual(await names(), ['Month close'])
})

test('nobody reads or writes those of another, administrators neither', async () => {
  await put('Mine', '#/requests')
  for (const other of [bob, app.admin]) {
    assert.ok(!(await names(other)).includes('Mine'))
    assert.equal((await remove('Mine', other)).status, 404)
    await put('Mine', '#/me/requests', other)
  }
  const own = (await app.call('GET', '/me/views', { as: ada })).body.data
  assert.equal(own.find(({ name }: { name: string }) => name === 'Mine').path, '#/requests')
})

test('only addresses of the portal that have a view are taken', async () => {
  for (const path of [
    '',
    'https://evil.example.com/',
    '//evil.example.com',
    '/org-analytics',
    '#/settings',
    '#/org-analytics/../settings',
    '#/org-analyticsx',
    '#/requests#/x',
    '#/requests?q=<b>',
    '#/requests?q=a b',
    '#/requests?q="',
    '#/requests?\n',
    'javascript:alert(1)#/requests',
    '#//evil.example.com/requests',
    `#/requests?${'a'.repeat(4_000)}`,
    null,
  ]) {
    const answer = await put('Bad', path)
    assert.equal(answer.status, 400, String(path))
    assert.match(answer.body.error.message, /path/)
  }
  assert.equal((await app.call('PUT', '/me/views/Bad', { as: ada, body: { path: '#/requests', more: 1 } })).status, 400)
  assert.ok(!(await names()).includes('Bad'))
})

test('a name has 1 to 100 characters', async () => {
  assert.equal((await put('n'.repeat(100), '#/requests')).status, 200)
  assert.equal((await put('ü'.repeat(100), '#/requests')).status, 200)
  assert.equal((await put('n'.repeat(101), '#/requests')).status, 400)
  assert.equal((await put(' ', '#/requests')).status, 400)
  assert.equal((await put('a\u0000b', '#/requests')).status, 400)
  assert.equal((await remove('n'.repeat(101))).status, 400)
})

test('fifty are the most, also when they come at once; one that is there can still be replaced', async () => {
  const person = app.sessionOf(await app.addUser({ subject: 'many@example.com' }))
  const answers = await Promise.all(Array.from({ length: 55 }, (_, index) => put(`v${index}`, '#/requests', person)))
  assert.deepEqual(
    [200, 409].map((status) => answers.filter((answer) => answer.status === status).length),
    [50, 5],
  )
  const kept = await names(person)
  assert.equal(kept.length, 50)
  assert.equal((await put(kept[0] ?? '', '#/org-analytics', person)).status, 200)
  assert.match((await put('one more', '#/requests', person)).body.error.message, /50 saved views/)
})

test('they go with the person', async () => {
  await app.call('DELETE', `/admin/users/${adaId}`, { as: app.admin })
  const { kysely } = app.database
  assert.deepEqual(await kysely.selectFrom('saved_views').select('name').where('user_id', '=', adaId).execute(), [])
})

test('every declared answer of saved views was exercised', () => app.assertCovered('Saved views', isOwnStatus))
