/** Keys of search engines that were stored under another SECRET_KEY. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { post } from '../../message-path/path-client.ts'
import { login } from '../../support/gateway.ts'
import {
  answers,
  asksFor,
  question,
  type SearchWorld,
  search,
  startSearchWorld,
  text,
} from '../../web-search/search-world.ts'

let world: SearchWorld
before(async () => {
  world = await startSearchWorld()
  const sealed = Buffer.from([1, ...Buffer.alloc(40, 7)])
  await world.gateway.database?.pool.query('update search_providers set api_key = $1', [sealed])
})
after(() => world.gateway.stop())

test('a call goes on without its searches, and the log says why', async () => {
  await world.say(asksFor(search('01', 'tides')), answers(text('Done.')))
  const response = await post(world.gateway, world.key, question())
  assert.equal(response.status, 200, await response.text())
  assert.deepEqual(await world.gateway.control.searches(), [])
  assert.match(world.gateway.logLines.join(''), /another SECRET_KEY/)
})

test('trying the provider says that the key has to be stored again', async () => {
  const token = await login(world.gateway.url)
  const tried = await fetch(`${world.gateway.url}/admin/websearch-mode/test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(tried.status, 409)
  assert.match(await tried.text(), /another SECRET_KEY/)
})
