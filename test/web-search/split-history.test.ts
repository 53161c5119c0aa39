import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { post } from '../message-path/path-client.ts'
import { startRawGateway } from '../message-path/raw-gateway.ts'
import { answerWhole, type RawHost } from '../message-path/raw-host.ts'
import type { TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let host: RawHost
let key = ''
let stop: () => Promise<void>

before(async () => {
  ;({ gateway, host, key, stop } = await startRawGateway())
  host.answer = (_path, response) =>
    answerWhole(response, '{"type":"message","content":[],"usage":{"input_tokens":1,"output_tokens":1}}')
})

after(() => stop())

const question = { role: 'user', content: 'What is new?' }
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'new' } }
const found = { type: 'web_search_result', url: 'https://a.example', title: 'A page', encrypted_content: 'cw1.TmV3cw' }
const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] }
const words = { type: 'text', text: 'This is new.' }
const thanks = { role: 'user', content: 'Thanks' }

function assistant(...content: readonly object[]): object {
  return { role: 'assistant', content }
}

async function sentFor(messages: readonly object[]): Promise<unknown> {
  const response = await post(gateway, key, { model: 'claude-sonnet-5', max_tokens: 100, messages })
  assert.equal(response.status, 200, await response.text())
  return JSON.parse(host.bodies.at(-1)?.toString() ?? '').messages
}

test('a search and its results are one turn, in however many messages of the assistant a client keeps them', async () => {
  const whole = await sentFor([question, assistant(search, result, words), thanks])
  assert.match(JSON.stringify(whole), /"type":"search_result".*"text":"News"/)
  for (const split of [
    [assistant(search), assistant(result), assistant(words)],
    [assistant(search), assistant(result, words)],
    [assistant(search, result), assistant(words)],
  ])
    assert.deepEqual(await sentFor([question, ...split, thanks]), whole)
})

test('results whose search is gone leave with the message that had nothing else', async () => {
  assert.deepEqual(await sentFor([question, assistant(result), thanks]), [question, thanks])
  assert.deepEqual(await sentFor([assistant(result), question]), [question])
  assert.deepEqual(await sentFor([question, assistant(words), thanks, assistant(result)]), [
    question,
    assistant(words),
    thanks,
  ])
})
