/** What administrators may reach in private networks is not open to the search providers of single people. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answers, asksFor, question, type SearchWorld, search, startSearchWorld, text } from './search-world.ts'

let world: SearchWorld

before(async () => {
  world = await startSearchWorld({ env: { SEARCH_EGRESS_ALLOW: '' } })
})
after(() => world.gateway.stop())

async function send(method: string, path: string, body: object, token: string) {
  const response = await fetch(`${world.gateway.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: documents of several shapes.
  return { status: response.status, body: (await response.json()) as any }
}

test('a person can neither store nor try an address in a private network that EGRESS_ALLOW names', async () => {
  const provider = { provider_type: 'searxng', api_url: world.engineUrl('searxng') }
  for (const [method, path] of [
    ['PUT', '/me/search-provider'],
    ['POST', '/me/search-provider/test'],
  ] as const) {
    const { status, body } = await send(method, path, provider, world.admin)
    assert.equal(status, 400, path)
    assert.equal(body.error.details[0].path, 'api_url')
    assert.match(body.error.message, /SEARCH_EGRESS_ALLOW/)
  }
  const forEverybody = await send('POST', '/admin/websearch-mode/test', provider, world.admin)
  assert.deepEqual([forEverybody.status, forEverybody.body.success], [200, true])
})

test('one that was stored before is not called, and the model is told why', async () => {
  await world.setMode({ mode: 'enabled' })
  const { key } = await world.addPerson({ type: 'custom', apiKey: null, apiUrl: world.engineUrl('custom') })
  await world.say(asksFor(search('1', 'tides')), answers(text('I could not look.')))
  const { status } = await send('POST', '/v1/messages', question(), key)
  assert.equal(status, 200)
  const told = JSON.stringify((await world.hostedBodies()).at(-1)?.messages.at(-1))
  assert.match(told, /may not call/)
})
