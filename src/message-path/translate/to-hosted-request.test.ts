import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decidePlan, type PlanInput } from './plan-request.ts'
import { readBedrockRequest, readCountTokensRequest, readMessagesRequest } from './read-request.ts'
import { toCountTokensRequest, toHostedRequest } from './to-hosted-request.ts'

const messages = [{ role: 'user', content: 'hi' }]

function planFor(request: PlanInput['request'], extra: Partial<PlanInput> = {}) {
  return decidePlan({
    request,
    headerBetas: [],
    hostedModelId: 'anthropic.claude-opus-4-8',
    longContext: false,
    verdict: () => 'unknown',
    webSearchTool: { kind: 'keep' },
    ...extra,
  })
}

test('untouched bytes are passed on, not copied', () => {
  const bytes = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 1, messages, metadata: { user_id: 'u' } }))
  const request = readMessagesRequest(bytes)
  const { body } = toHostedRequest(request, planFor(request))
  assert.equal(body.at(-1)?.buffer, bytes.buffer)
  assert.ok(body.length <= 4)
})

test('every copy of a removed key leaves, however it is spelt', () => {
  const bytes = Buffer.from(
    '{"stream":true,"mod\\u0065l":"a","messages":[{}],"model":"b","max_tokens":1,"anthropic_version":"x","spe\\u0065d":1,"speed":2}',
  )
  const request = readMessagesRequest(bytes)
  const out = Buffer.concat(toHostedRequest(request, planFor(request)).body).toString()
  assert.equal(out, '{"anthropic_version":"bedrock-2023-05-31","messages":[{}],"max_tokens":1}')
})

test('nested keys spelt with escapes are found', () => {
  const bytes = Buffer.from(
    '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"sc\\u006fpe":"global","type":"ephemeral"}}]}]}',
  )
  const request = readMessagesRequest(bytes)
  const out = Buffer.concat(toHostedRequest(request, planFor(request)).body).toString()
  assert.ok(out.includes('"cache_control":{"type":"ephemeral"}'))
})

test('names of betas are written as JSON, whatever is in them', () => {
  const request = readMessagesRequest(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 1, messages })))
  const out = Buffer.concat(toHostedRequest(request, planFor(request, { headerBetas: ['a"],"x":["'] })).body).toString()
  assert.deepEqual(JSON.parse(out).anthropic_beta, ['a"],"x":["'])
})

test('counting sends a whole request in base64, with max_tokens and without fields that its counter refuses', () => {
  const body = {
    model: 'm',
    messages,
    tools: [{ name: 'a', input_schema: { properties: { strict: {} } }, defer_loading: true, strict: true }],
  }
  const request = readCountTokensRequest(Buffer.from(`  ${JSON.stringify(body)}`))
  const plan = planFor(request, { headerBetas: ['token-counting-2024-11-01', 'context-management-2025-06-27'] })
  const counted = toCountTokensRequest(request, plan)
  const outer = JSON.parse(Buffer.concat(counted.body).toString())
  assert.deepEqual(JSON.parse(Buffer.from(outer.input.invokeModel.body, 'base64').toString()), {
    anthropic_version: 'bedrock-2023-05-31',
    anthropic_beta: ['context-management-2025-06-27'],
    max_tokens: 1,
    messages,
    tools: [{ name: 'a', input_schema: { properties: { strict: {} } } }],
  })
})

test('a max_tokens that is there is kept for counting', () => {
  const request = readCountTokensRequest(Buffer.from(JSON.stringify({ model: 'm', messages, max_tokens: 77 })))
  const outer = JSON.parse(Buffer.concat(toCountTokensRequest(request, planFor(request)).body).toString())
  assert.equal(JSON.parse(Buffer.from(outer.input.invokeModel.body, 'base64').toString()).max_tokens, 77)
})

test('a body in the hosted form keeps its fields and gets one version and one list of betas', () => {
  const bytes = Buffer.from(
    '{"anthropic_version":"2026-10-21","anthropic_beta":["x-2026-01-01"],"max_tokens":5,"messages":[{"role":"user","content":"hi"}],"top_k":9}',
  )
  const request = readBedrockRequest(bytes, { model: 'anthropic.claude-opus-4-6-v1', stream: false })
  const plan = planFor(request, { hostedModelId: 'anthropic.claude-opus-4-6-v1' })
  assert.equal(
    Buffer.concat(toHostedRequest(request, plan).body).toString(),
    '{"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["x-2026-01-01"],"max_tokens":5,"messages":[{"role":"user","content":"hi"}],"top_k":9}',
  )
})
