import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../foundation/domain/errors.ts'
import { readBedrockRequest, readCountTokensRequest, readMessagesRequest } from './read-request.ts'

const valid = { model: 'claude-x', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }

function read(body: unknown) {
  return readMessagesRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
}

test('reads what the gateway must know', () => {
  const request = read({
    ...valid,
    stream: true,
    anthropic_beta: ['a'],
    betas: ['b'],
    thinking: { type: 'adaptive' },
    tools: [
      { name: 'x', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
    ],
    tool_choice: { type: 'any' },
  })
  const { bytes, document, marksByKey, ...facts } = request
  assert.deepEqual(facts, {
    model: 'claude-x',
    stream: true,
    maxTokens: 5,
    bodyBetas: ['a', 'b'],
    thinkingType: 'adaptive',
    forcesToolChoice: true,
    toolTypes: ['bash_20250124'],
  })
  assert.ok(bytes.length > 0 && document.members.length === 9 && marksByKey.size === 9)
})

test('the last of a repeated key counts, and an escaped key is the key it means', () => {
  const request = read(
    '{"model":"a","\\u006dodel":"b","max_tokens":1,"max_tokens":2,"messages":[{}],"stream":true,"stream":false}',
  )
  assert.equal(request.model, 'b')
  assert.equal(request.maxTokens, 2)
  assert.equal(request.stream, false)
})

test('a call that somebody else should pay is refused; counting it is not, nor what leaves the bill where it is', () => {
  const billed = (policy: unknown) => ({ ...valid, billing_policy: policy })
  const elsewhere = billed({ type: 'billing_policy', bill_to: 'user_profile' })
  const refused = (error: unknown) =>
    error instanceof Problem && /billing_policy\.bill_to: .*AWS account/.test(error.message)
  const bytes = Buffer.from(JSON.stringify(elsewhere))
  assert.throws(() => readMessagesRequest(bytes), refused)
  assert.throws(() => readBedrockRequest(bytes, { model: 'm', stream: false }), refused)
  assert.equal(readCountTokensRequest(bytes).model, 'claude-x')
  for (const policy of [null, {}, { type: 'billing_policy', bill_to: 'self' }, 'user_profile', 7])
    assert.equal(read(billed(policy)).model, 'claude-x')
})

test('absent and null stream mean a whole answer', () => {
  assert.equal(read(valid).stream, false)
  assert.equal(read({ ...valid, stream: null }).stream, false)
})

const refusals: readonly (readonly [string, unknown, RegExp])[] = [
  ['no model', { ...valid, model: undefined }, /model: Field required/],
  ['an empty model', { ...valid, model: '' }, /model: /],
  ['a number as model', { ...valid, model: 5 }, /model: Input should be a valid string/],
  ['a long model', { ...valid, model: 'x'.repeat(257) }, /at most 256/],
  ['a very long ARN', { ...valid, model: `arn:${'x'.repeat(2048)}` }, /at most 2048/],
  ['a model with a bad escape', '{"model":"\\x","max_tokens":1,"messages":[{}]}', /model: /],
  ['no messages', { ...valid, messages: undefined }, /messages: Field required/],
  ['messages that are no list', { ...valid, messages: 'hi' }, /messages: Input should be a valid list/],
  ['no message', { ...valid, messages: [] }, /at least one message/],
  ['no message between spaces', '{"model":"m","max_tokens":1,"messages":[ \n ]}', /at least one message/],
  ['a message that is no object', { ...valid, messages: [1] }, /messages\.0/],
  ['no max_tokens', { ...valid, max_tokens: undefined }, /max_tokens: Field required/],
  ['max_tokens below zero', { ...valid, max_tokens: -1 }, /max_tokens: .*greater/],
  ['a fraction', { ...valid, max_tokens: 1.5 }, /max_tokens: .*integer/],
  ['a number in quotes', { ...valid, max_tokens: '5' }, /max_tokens: .*integer/],
  ['null max_tokens', { ...valid, max_tokens: null }, /max_tokens: .*integer/],
  ['stream as a word', { ...valid, stream: 'true' }, /stream: Input should be a valid boolean/],
  ['betas as a word', { ...valid, anthropic_beta: 'a' }, /anthropic_beta: Input should be a valid list/],
  ['a number among betas', { ...valid, betas: ['a', 1] }, /betas\.1: Input should be a valid string/],
]
for (const [what, body, message] of refusals) {
  test(`refuses ${what} with 400`, () => {
    assert.throws(
      () => read(body),
      (error: unknown) => {
        assert.ok(error instanceof Problem)
        assert.equal(error.status, 400)
        assert.equal(error.code, 'invalid_body')
        assert.match(error.message, message)
        return true
      },
    )
  })
}

test('what is not JSON is told apart from what is not valid', () => {
  for (const body of ['', 'hello', '{"model":', '[]', '{"a":1}}', `{"a":${'['.repeat(600)}`]) {
    assert.throws(
      () => read(body),
      (error: unknown) => error instanceof Problem && error.code === 'invalid_json',
    )
  }
})

test('an ARN may be long', () => {
  const model = `arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/${'a'.repeat(300)}`
  assert.equal(read({ ...valid, model }).model, model)
})

test('counting needs no max_tokens', () => {
  const { max_tokens, ...rest } = valid
  assert.equal(max_tokens, 5)
  assert.equal(readCountTokensRequest(Buffer.from(JSON.stringify(rest))).maxTokens, null)
})

test('the hosted form takes model and streaming from the path', () => {
  const { model, ...rest } = valid
  assert.equal(model, 'claude-x')
  const body = Buffer.from(JSON.stringify({ ...rest, anthropic_beta: ['z'], anthropic_version: 'bedrock-2023-05-31' }))
  const request = readBedrockRequest(body, { model: 'us.anthropic.claude-x', stream: true })
  assert.equal(request.model, 'us.anthropic.claude-x')
  assert.equal(request.stream, true)
  assert.deepEqual(request.bodyBetas, ['z'])
})
