import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chunkFrame } from '../bedrock/frames.ts'
import { stream } from '../message-path/path-client.ts'
import { type RawHost, startRawHost, streamHead } from '../message-path/raw-host.ts'
import { question, type SearchWorld, startSearchWorld } from './search-world.ts'

let world: SearchWorld
let host: RawHost

before(async () => {
  host = await startRawHost()
  world = await startSearchWorld({ env: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: host.url } })
})

after(async () => {
  await world.gateway.stop()
  await host.close()
})

const start = {
  type: 'message_start',
  message: { id: 'm', model: 'us.x', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
}
const stop = { type: 'message_stop' }
const begins = (block: object) => ({ type: 'content_block_start', index: 0, content_block: block })
const says = (delta: object) => ({ type: 'content_block_delta', index: 0, delta })
const ends = { type: 'content_block_stop', index: 0 }
const delta = (fields: object, usage: object, more: object = {}) => ({
  type: 'message_delta',
  delta: fields,
  usage,
  ...more,
})

const asks = [
  start,
  begins({ type: 'tool_use', id: 'toolu_1', name: 'web_search', input: {} }),
  says({ type: 'input_json_delta', partial_json: '{"query":"tides"}' }),
  ends,
  delta({ stop_reason: 'tool_use', stop_sequence: null }, { output_tokens: 2 }),
  stop,
]

/** The model searches in its first round and says this in its second. */
function answerWith(events: readonly object[]): void {
  host.answer = (_path, response) => {
    const round = host.bodies.at(-1)?.includes('"tool_result"') ? events : asks
    response.writeHead(200, streamHead).end(Buffer.concat(round.map((event) => chunkFrame(JSON.stringify(event)))))
  }
}

const words = [begins({ type: 'text', text: '' }), says({ type: 'text_delta', text: 'At noon.' })]

test('an event that nobody knows yet is about the block that the client knows by its number', async () => {
  const novel = { type: 'content_block_note', index: 0, note: 'x' }
  const apart = { type: 'novel', note: 'y' }
  answerWith([start, ...words, novel, apart, ends, delta({ stop_reason: 'end_turn' }, { output_tokens: 3 }), stop])
  const { events } = await stream(world.gateway, world.key, question())
  const seen = events.map(({ data }) => JSON.parse(data))
  assert.equal(seen.at(-1)?.type, 'message_stop')
  const place = seen.findLast(({ type }) => type === 'content_block_start')?.index
  assert.equal(place, 2)
  assert.deepEqual(
    seen.filter(({ note }) => note !== undefined),
    [{ ...novel, index: place }, apart],
  )
})

test('a message may tell its end in several pieces', async () => {
  answerWith([
    start,
    ...words,
    ends,
    delta({ stop_reason: 'refusal', stop_sequence: null }, { output_tokens: 3 }, { novel: 1 }),
    delta({ stop_reason: null }, { output_tokens: 4 }),
    stop,
  ])
  const { events } = await stream(world.gateway, world.key, question())
  const last = JSON.parse(events.findLast(({ event }) => event === 'message_delta')?.data ?? '')
  assert.deepEqual([last.delta.stop_reason, last.novel, last.usage.output_tokens], ['refusal', 1, 6])
})
