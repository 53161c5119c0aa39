import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { post } from './path-client.ts'
import { answerWhole, type RawHost, startRawHost } from './raw-host.ts'

let gateway: TestGateway
let host: RawHost
let key = ''

before(async () => {
  host = await startRawHost()
  gateway = await startGateway({
    env: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: host.url },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(async () => {
  await gateway.stop()
  await host.close()
})

const messages = [{ role: 'user', content: 'Hello' }]

function accept(response: ServerResponse): void {
  answerWhole(response, '{"type":"message","content":[],"usage":{"input_tokens":1,"output_tokens":1}}')
}

/** What the hosted service received last of a request that was answered well. */
async function sentFor(body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await post(gateway, key, { max_tokens: 2_000, messages, ...body })
  assert.equal(response.status, 200, await response.text())
  return JSON.parse(host.bodies.at(-1)?.toString() ?? '')
}

test('a mark for the cache on a reference to a tool stays where the model gets the reference as text', async () => {
  host.answer = (_path, response) => accept(response)
  const reference = { type: 'tool_reference', tool_name: 'f', cache_control: { type: 'ephemeral', scope: 'global' } }
  const sent = await sentFor({
    model: 'claude-opus-4-1',
    messages: [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [reference] }] },
    ],
    tools: [{ name: 'f', description: 'd', input_schema: { type: 'object' }, defer_loading: true }],
  })
  assert.match(
    JSON.stringify(sent['messages']),
    /\[\{"type":"text","text":"The tool f is available\.","cache_control":\{"type":"ephemeral"\}\}\]/,
  )
})
