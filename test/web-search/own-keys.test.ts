import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { post } from '../message-path/path-client.ts'
import { question, type SearchWorld, startSearchWorld } from './search-world.ts'

let world: SearchWorld
before(async () => {
  world = await startSearchWorld()
  await world.setMode({ mode: 'enabled' })
})
after(() => world.gateway.stop())

const CALLS = 100
const AT_ONCE = 8

test('two people who search at the same time reach their engines with their own keys, a hundred times over', async () => {
  const people = await Promise.all([
    world.addPerson({ type: 'tavily', apiKey: 'tvly-anna', apiUrl: world.engineUrl('tavily') }),
    world.addPerson({ type: 'serper', apiKey: 'serper-bert', apiUrl: world.engineUrl('serper') }),
  ])
  const calls = Array.from({ length: CALLS }, (_, n) => ({ n, who: n % 2 }))
  const worker = async (): Promise<void> => {
    for (let next = calls.shift(); next !== undefined; next = calls.shift()) {
      const words = `Please search the web for ${next.who === 0 ? 'anna' : 'bert'} ${next.n}`
      const body = question({ messages: [{ role: 'user', content: words }] })
      const response = await post(world.gateway, people[next.who]?.key ?? '', body)
      assert.equal(response.status, 200)
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const searches = await world.gateway.control.searches()
  // A database that is too slow to name somebody's provider may cost a search, and is logged.
  const unread = world.gateway.logLines.filter((line) => line.includes('web search cannot be read')).length
  assert.ok(
    searches.length <= CALLS && searches.length >= CALLS - unread,
    `${searches.length} of ${CALLS}, ${unread} unread`,
  )
  assert.ok(searches.length > CALLS / 2)
  for (const { engine, key, query } of searches)
    assert.deepEqual([engine, key], query.startsWith('anna') ? ['tavily', 'tvly-anna'] : ['serper', 'serper-bert'])
  assert.equal(new Set(searches.map(({ query }) => query)).size, searches.length)
})
