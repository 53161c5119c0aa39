import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailableError } from '../../src/foundation/database/store-errors.ts'
import { defaultSettings } from '../../src/foundation/domain/settings.ts'
import { createChanged } from '../../src/foundation/http/write-change.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { nameOf } from '../support/api-coverage.ts'
import { extensionSamples } from '../support/extensions.ts'
import { sampleBody, samplePath, sampleQuery } from './sample-requests.ts'

const targets = { keyId: newId(), teamId: newId(), userId: newId(), idpId: newId() }

/** These answer from memory. */
const independent = [
  'GET /admin/settings',
  'GET /admin/pricing',
  'GET /admin/status',
  'GET /admin/logs',
  'POST /admin/idps/test',
  'GET /me',
  'GET /me/budget',
  ...extensionSamples.flatMap(({ fromMemory = [] }) => fromMemory),
]

async function assertAllRefused(app: ApiApp, code: string): Promise<void> {
  for (const route of app.routes) {
    const body = sampleBody(route, targets)
    const answer = await app.call(route.method, `${samplePath(route, targets)}?${sampleQuery(route)}`, {
      as: app.admin,
      body,
    })
    if (independent.includes(nameOf(route))) {
      assert.equal(answer.status, 200, nameOf(route))
      continue
    }
    assert.deepEqual([answer.status, answer.body.error.code], [503, code], nameOf(route))
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    assert.doesNotMatch(JSON.stringify(answer.body), /select|ECONN|127\.0\.0\.1/i)
  }
  for (const tag of new Set(app.routes.map((route) => route.tag))) app.assertCovered(tag, (status) => status === 503)
}

test('without a database, what needs one says so, and the settings are the defaults', async () => {
  const app = await startApiApp({ database: 'none' })
  await assertAllRefused(app, 'database_required')
  assert.deepEqual((await app.call('GET', '/admin/settings', { as: app.admin })).body, { ...defaultSettings })
  assert.equal((await app.call('GET', '/me', { as: app.admin })).body.role, 'admin')
  await app.stop()
})

test('while the database has not been reached yet, everything that needs it can be tried again later', async () => {
  const app = await startApiApp({ database: 'away' })
  await assertAllRefused(app, 'database_unavailable')
  await app.stop()
})

test('when the database goes away later, reads and writes are 503, and settings come from memory', async () => {
  const app = await startApiApp()
  await app.database.close()
  await assertAllRefused(app, 'database_unavailable')
  await app.stop()
})

test('a write that is committed succeeds even when this instance cannot reload afterwards', async () => {
  const failures: unknown[] = []
  const changed = createChanged(
    () => Promise.reject(new Error('the reload failed')),
    (error) => failures.push(error),
  )
  const app = await startApiApp({ ports: { changed } })
  const { status, body } = await app.call('POST', '/admin/teams', { as: app.admin, body: { name: 'kept' } })
  assert.deepEqual([status, failures.length], [201, 1])
  assert.equal((await app.call('GET', `/admin/teams/${body.id}`, { as: app.admin })).status, 200)
  await app.stop()
})

test('the error that the database layer throws never reaches a client as 500', async () => {
  const app = await startApiApp({
    ports: {
      database: () => {
        throw new DatabaseUnavailableError('canary host', 'ECONNREFUSED')
      },
    },
  })
  const { status, body } = await app.call('GET', '/admin/keys', { as: app.admin })
  assert.equal(status, 503)
  assert.doesNotMatch(JSON.stringify(body), /canary/)
  await app.stop()
})
