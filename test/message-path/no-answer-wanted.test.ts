/** Calls with `max_tokens: 0`, by which a client fills the prompt cache without an answer. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, hello, post, stream } from './path-client.ts'

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(() => gateway.stop())

const long = {
  ...hello,
  max_tokens: 0,
  system: [{ type: 'text', text: 'Know all of this. '.repeat(1_000), cache_control: { type: 'ephemeral' } }],
} as const

test('the cache is filled, nothing is answered, and what it cost is recorded', async () => {
  const client = new Anthropic({ baseURL: gateway.url, authToken: key, apiKey: null })
  const { data, request_id } = await client.messages
    .create({ ...long, system: [...long.system], messages: [...long.messages] })
    .withResponse()
  assert.deepEqual([data.content, data.stop_reason, data.usage.output_tokens], [[], 'max_tokens', 0])
  assert.ok((data.usage.cache_creation_input_tokens ?? 0) > 1_000)
  const record = await asEvent(gateway, request_id ?? '')
  assert.deepEqual([record.status, record.usage.outputTokens, record.stopReason], [200, 0, 'max_tokens'])
  assert.equal(record.usage.cacheWrite5mTokens, data.usage.cache_creation_input_tokens)
  assert.ok(record.costNanoUsd > 0)
  const next = await client.messages.create({
    ...long,
    max_tokens: 20,
    system: [...long.system],
    messages: [...long.messages],
  })
  assert.equal(next.usage.cache_read_input_tokens, data.usage.cache_creation_input_tokens)
})

test('a stream without an answer ends as it should', async () => {
  const { response, events } = await stream(gateway, key, long)
  assert.equal(response.status, 200)
  assert.deepEqual(
    events.map(({ event }) => event),
    ['message_start', 'message_delta', 'message_stop'],
  )
})

test('where the hosted service wants at least one token, the client hears its words, and other calls are as before', async () => {
  const message = 'max_tokens: Input should be greater than or equal to 1'
  await gateway.control.script({
    match: { bodyContains: '"max_tokens":0' },
    behaviour: { error: { status: 400, type: 'ValidationException', message } },
  })
  const refused = await post(gateway, key, long)
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /greater than or equal to 1/)
  assert.equal((await post(gateway, key, { ...long, max_tokens: 1 })).status, 200)
})
