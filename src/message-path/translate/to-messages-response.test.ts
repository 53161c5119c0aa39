import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHostedResponse, toMessagesResponse } from './to-messages-response.ts'

const answer =
  '{"model":"claude-opus-4-8-20260528","id":"msg_1","content":[{"type":"thinking","thinking":"a\\u2028b","signature":"x\\/y"},' +
  '{"type":"tool_use","id":"t","name":"Read","input":{"2":1,"1":12345678901234567890}},{"type":"text","text":"model"},' +
  '{"type":"server_tool_use","id":"s","name":"web_search","input":{}}],"stop_reason":"tool_use",' +
  '"usage":{"input_tokens":3,"output_tokens":4},"amazon-bedrock-invocationMetrics":{"inputTokenCount":99},"new_field":[ 1 ]}'

test('only the model and the metrics change; every other byte is as the model wrote it', () => {
  const translated = toMessagesResponse(Buffer.from(answer), 'claude-opus-4-8[1m]')
  assert.ok(translated)
  const body = Buffer.concat(translated.body)
  assert.equal(
    body.toString(),
    answer
      .replace('"claude-opus-4-8-20260528"', '"claude-opus-4-8[1m]"')
      .replace(',"amazon-bedrock-invocationMetrics":{"inputTokenCount":99}', ''),
  )
  assert.equal(translated.bytes, body.length)
})

test('reads usage, stop reason and the tools that were called', () => {
  const read = readHostedResponse(Buffer.from(answer))
  assert.deepEqual(read?.toolsCalled, ['Read', 'web_search'])
  assert.equal(read?.stopReason, 'tool_use')
  assert.equal(read?.usage.usage.inputTokens, 3)
  assert.equal(read?.usage.usage.outputTokens, 4)
})

test('counts come from the headers when the body has none', () => {
  const read = toMessagesResponse(Buffer.from('{"content":[]}'), 'm', {
    'x-amzn-bedrock-input-token-count': '7',
    'x-amzn-bedrock-output-token-count': '8',
  })
  assert.deepEqual([read?.usage.usage.inputTokens, read?.usage.usage.outputTokens], [7, 8])
  assert.equal(read?.usage.reported, true)
})

test('a model id with quotes or line breaks cannot break the answer', () => {
  const translated = toMessagesResponse(Buffer.from('{"model":"a","id":1}'), 'x"\n,"id":2')
  assert.deepEqual(JSON.parse(Buffer.concat(translated?.body ?? []).toString()), { model: 'x"\n,"id":2', id: 1 })
})

test('what is no JSON object is not passed on as an answer', () => {
  for (const body of ['', '<html>', '[]', '{"a":1']) assert.equal(toMessagesResponse(Buffer.from(body), 'm'), undefined)
})

test('odd shapes inside an answer are passed on and read as nothing', () => {
  const read = toMessagesResponse(Buffer.from('{"content":"text","usage":[],"stop_reason":5,"model":null}'), 'm')
  assert.equal(read?.stopReason, null)
  assert.deepEqual(read?.toolsCalled, [])
  assert.equal(read?.usage.reported, false)
})
