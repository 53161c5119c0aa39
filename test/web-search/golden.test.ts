/** The stream of a turn, byte for byte as the client gets it, one file for each case. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { post, requestIdOf, until } from '../message-path/path-client.ts'
import {
  answers,
  asksFor,
  question,
  type Round,
  type SearchWorld,
  search,
  searchTool,
  startSearchWorld,
  text,
} from './search-world.ts'

let world: SearchWorld
before(async () => {
  world = await startSearchWorld()
})
beforeEach(() => world.reset())
after(() => world.gateway.stop())

const weather = { name: 'get_weather', description: 'Weather', input_schema: { type: 'object', properties: {} } }
const callWeather = { type: 'tool_use', id: 'toolu_bdrk_09', name: 'get_weather', input: { city: 'Bremen' } }
const cited = {
  type: 'search_result_location',
  source: 'https://example.com/overview/tides',
  title: 'Overview: tides',
  cited_text: 'Result 1',
  search_result_index: 0,
  start_block_index: 0,
  end_block_index: 1,
}

interface Case {
  readonly rounds: readonly Round[]
  readonly tools?: readonly object[]
  readonly engine?: object
}

const cases: Readonly<Record<string, Case>> = {
  none: { rounds: [answers(text('I know that without looking.'))] },
  one: {
    rounds: [
      asksFor(text('Let me look.'), search('01', 'tides')),
      answers(text('High tide is at noon.', { citations: [cited] })),
    ],
  },
  several: {
    rounds: [
      asksFor(search('01', 'tides'), search('02', 'moon')),
      asksFor(text('And once more.'), search('03', 'wind')),
      answers(text('All is calm.')),
    ],
  },
  failing: { engine: { status: 500 }, rounds: [asksFor(search('01', 'tides')), answers(text('I could not look.'))] },
  mixed: { tools: [searchTool(), weather], rounds: [asksFor(text('Both.'), search('01', 'tides'), callWeather)] },
  'max-uses-reached': {
    tools: [searchTool({ max_uses: 1 })],
    rounds: [asksFor(search('01', 'tides'), search('02', 'moon')), answers(text('One had to do.'))],
  },
  'domains-filtered': {
    tools: [searchTool({ allowed_domains: ['a.example'] })],
    engine: {
      results: [
        { title: 'Elsewhere', url: 'https://b.example/', snippet: 'Not wanted.' },
        { title: 'Here', url: 'https://docs.a.example/tides', snippet: 'Wanted.' },
      ],
    },
    rounds: [asksFor(search('01', 'tides')), answers(text('Found here.'))],
  },
}

for (const [name, { rounds, tools, engine }] of Object.entries(cases)) {
  test(`golden stream: ${name}`, async () => {
    if (engine !== undefined) await world.gateway.control.scriptSearch(engine)
    await world.say(...rounds)
    const body = question({ stream: true, ...(tools === undefined ? {} : { tools }) })
    const response = await post(world.gateway, world.key, body)
    assertGolden(name, await response.text())

    await world.reset()
    if (engine !== undefined) await world.gateway.control.scriptSearch(engine)
    await world.say(...rounds)
    const sdk = new Anthropic({ apiKey: world.key, baseURL: world.gateway.url, maxRetries: 0 })
    const message = await sdk.messages.stream(body as Anthropic.MessageStreamParams).finalMessage()
    assert.ok(message.content.length > 0 && message.usage.output_tokens === 10 * rounds.length)
  })
}

test('golden stream: aborted-mid-search', async () => {
  await world.gateway.control.scriptSearch({ delayMs: 60_000 })
  await world.say(asksFor(text('Let me look.'), search('01', 'tides')), answers(text('Never said.')))
  const leaving = new AbortController()
  const response = await post(world.gateway, world.key, question({ stream: true }), { signal: leaving.signal })
  assert.ok(response.body)
  let seen = ''
  const reading = (async () => {
    for await (const piece of response.body as AsyncIterable<Uint8Array>) seen += Buffer.from(piece).toString()
  })()
  await until(async () => (await world.gateway.control.searches())[0])
  await until(() => (seen.includes('"index":1}') ? true : undefined))
  leaving.abort()
  await reading.catch(() => undefined)
  assertGolden('aborted-mid-search', seen)
  const [record, ...others] = await world.records(requestIdOf(response), 1)
  assert.deepEqual([record?.flags, others.length], [['aborted'], 0])
})

/** Only what the simulator makes up differs from run to run. */
function assertGolden(name: string, sse: string): void {
  const stable = sse.replace(/"id":"msg_[^"]*"/g, '"id":"msg_1"')
  assert.equal(stable, readFileSync(new URL(`golden/${name}.sse`, import.meta.url), 'utf8'))
}
