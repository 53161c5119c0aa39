import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { StreamTranslator } from '../dialect.ts'
import { messagesDialect } from '../messages-dialect.ts'
import { readMessagesRequest } from '../translate/read-request.ts'
import { createSearchTurn, type TurnInput } from './search-turn.ts'

const request = readMessagesRequest(
  Buffer.from(JSON.stringify({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'q' }], tools: [] })),
)

function startTurn() {
  const response = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
  const input = {
    request,
    response,
    tool: { maxUses: null, allowedDomains: [], blockedDomains: [], location: null, json: '' },
    form: 'plain',
    provider: { type: 'tavily', apiKey: 'key', apiUrl: null, maxResults: 3, isOwn: false },
    search: async () => ({ kind: 'found', hits: [] }),
  }
  return createSearchTurn(input as unknown as TurnInput)
}

function feed(translator: StreamTranslator, events: readonly object[]): void {
  for (const event of events) {
    const bytes = Buffer.from(Buffer.from(JSON.stringify(event)).toString('base64'))
    assert.equal(translator.add(bytes, 0, bytes.length, 0, bytes.length), undefined)
  }
}

const started = {
  input_tokens: 100,
  cache_read_input_tokens: 5_000,
  cache_creation_input_tokens: 700,
  cache_creation: { ephemeral_5m_input_tokens: 700, ephemeral_1h_input_tokens: 0 },
  output_tokens: 1,
}
/** As the Messages form allows it: what was said at the start is left open. */
const ended = {
  input_tokens: null,
  cache_read_input_tokens: null,
  cache_creation_input_tokens: null,
  cache_creation: { ephemeral_5m_input_tokens: null, ephemeral_1h_input_tokens: 0 },
  output_tokens: 20,
  server_tool_use: null,
}

function roundOf(block: object, delta: object, stopReason: string): readonly object[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
  return [
    { type: 'message_start', message: { ...message, usage: started } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: ended },
    { type: 'message_stop' },
  ]
}

test('counts that the end of a round leaves open are those of its start, summed over the rounds', async () => {
  const turn = startTurn()
  let sent = ''
  const send = (bytes: Buffer): void => {
    sent += bytes
  }
  const first = turn.translateStream(messagesDialect.translateStream('m'))
  const call = { type: 'tool_use', id: 'toolu_1', name: 'web_search', input: {} }
  feed(first, roundOf(call, { type: 'input_json_delta', partial_json: '{"query":"tides"}' }, 'tool_use'))
  assert.equal((await turn.afterStream(send)).goesOn, true)
  const last = turn.translateStream(messagesDialect.translateStream('m'))
  feed(last, roundOf({ type: 'text', text: '' }, { type: 'text_delta', text: 'Noon.' }, 'end_turn'))
  assert.equal((await turn.afterStream(send)).goesOn, false)
  sent += last.take()
  const data = sent.split('\n').find((line) => line.startsWith('data: {"type":"message_delta"')) ?? ''
  const { usage } = JSON.parse(data.slice('data: '.length)) as { readonly usage: object }
  assert.deepEqual(usage, {
    input_tokens: 200,
    cache_read_input_tokens: 10_000,
    cache_creation_input_tokens: 1_400,
    cache_creation: { ephemeral_5m_input_tokens: 1_400, ephemeral_1h_input_tokens: 0 },
    output_tokens: 40,
    server_tool_use: { web_fetch_requests: 0, web_search_requests: 1 },
  })
})
