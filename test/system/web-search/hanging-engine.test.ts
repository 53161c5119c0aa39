import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { post, stream } from '../../message-path/path-client.ts'
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
})
after(() => world.gateway.stop())

test('an engine that never answers costs ten seconds and a clear error, and other requests are served meanwhile', async () => {
  const { control } = world.gateway
  // Once without a fault, so that the provider is known however slow the database is later.
  await world.say(asksFor(search('00', 'tides')), answers(text('Found.')))
  await post(world.gateway, world.key, question())
  await control.scriptSearch({ delayMs: 3_600_000 })
  await world.say(asksFor(search('01', 'tides')), answers(text('Without it.')))
  const startedMs = performance.now()
  const slow = stream(world.gateway, world.key, question()).then((answer) => ({
    ...answer,
    tookMs: performance.now() - startedMs,
  }))
  for (let others = 0; others < 20; others += 1) {
    const { tools: _none, ...plain } = question()
    assert.equal((await post(world.gateway, world.key, plain)).status, 200)
  }
  const { events, tookMs } = await slow
  assert.ok(tookMs >= 10_000, `${tookMs} ms`)
  assert.equal(events.at(-1)?.event, 'message_stop')
  assert.ok(events.some(({ data }) => data.includes('"error_code":"unavailable"')))
  const bodies = await world.hostedBodies()
  const result = bodies.flatMap(({ messages }) => messages.at(-1)?.content ?? []).find((block) => block['is_error'])
  assert.equal(result?.['content'], 'The search engine did not answer within 10 seconds.')
})
