import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

test('an administrator is let in at once; an unknown topic is 400', async () => {
  const { status, headers, body } = await app.call('GET', '/admin/events', { as: app.admin })
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(body, ': watching\n\n')
  assert.equal((await app.call('GET', '/admin/events?topics=requests,health', { as: app.admin })).status, 200)
  for (const query of ['topics=prompts', 'topics=', 'x=1'])
    assert.equal((await app.call('GET', `/admin/events?${query}`, { as: app.admin })).status, 400, query)
})

test('every declared answer of the live feed was exercised', () => app.assertCovered('Live', isOwnStatus))
