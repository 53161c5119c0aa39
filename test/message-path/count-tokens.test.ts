import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(40)

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database, { rateLimitRpm: 1 })).key
    },
  })
  // The simulator loads its tokenizer with the first count, which may take longer than the gateway waits for one.
  await count('claude-sonnet-4-0')
})

after(() => gateway.stop())

async function count(
  model: string,
  path = '/v1/messages/count_tokens',
  body: object = { model, messages: [{ role: 'user', content: text }] },
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { input_tokens?: number; inputTokens?: number } }
}

test('a model with a counter is counted by the hosted service', async () => {
  const before = (await countCalls()).length
  const { status, body } = await count('claude-sonnet-4-0')
  assert.equal(status, 200)
  assert.ok((body.input_tokens ?? 0) > 300)
  const calls = await countCalls()
  assert.equal(calls.length, before + 1)
  assert.match(calls.at(-1) ?? '', /anthropic\.claude-sonnet-4-20250514-v1/)
})

test('a model without a counter is estimated, close to the truth, and the hosted service is asked once', async () => {
  const counted = (await count('claude-sonnet-4-0')).body.input_tokens ?? 0
  const before = (await countCalls()).length
  const estimates = []
  for (let round = 0; round < 3; round += 1) estimates.push((await count('claude-sonnet-5')).body.input_tokens ?? 0)
  for (const estimate of estimates)
    assert.ok(estimate / counted > 0.8 && estimate / counted < 1.25, `${estimate} for ${counted}`)
  assert.equal((await countCalls()).length, before + 1, 'the refusal is remembered')
})

test('counting stands outside the rate limit', async () => {
  const statuses = await Promise.all(Array.from({ length: 34 }, async () => (await count('claude-sonnet-5')).status))
  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('the same in the form of the hosted service', async () => {
  const inner = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 1, messages: [{ role: 'user', content: text }] }
  const body = { input: { invokeModel: { body: Buffer.from(JSON.stringify(inner)).toString('base64') } } }
  const answer = await count('', '/model/us.anthropic.claude-sonnet-5/count-tokens', body)
  assert.equal(answer.status, 200)
  assert.ok((answer.body.inputTokens ?? 0) > 300)
})

test('an unknown model is 404 and a bad body 400', async () => {
  assert.equal((await count('claude-nonexistent-9')).status, 404)
  assert.equal((await count('', '/v1/messages/count_tokens', { model: 'claude-sonnet-5' })).status, 400)
  assert.equal((await count('', '/model/us.anthropic.claude-sonnet-5/count-tokens', {})).status, 400)
})

test('a request that cannot be counted leaves the counter to all others', async () => {
  const refused = (message: string) =>
    gateway.control.script({
      match: { operation: 'CountTokens' },
      behaviour: { error: { status: 400, type: 'ValidationException', message } },
    })
  const counted = (await count('claude-sonnet-4-0')).body.input_tokens
  const odd = (model: string) => ({ model, messages: [{ role: 'nobody', content: text }] })
  // One that was counted before, and one that was not.
  await refused('The conversation is not acceptable.')
  assert.equal((await count('', '/v1/messages/count_tokens', odd('claude-sonnet-4-0'))).status, 200)
  await refused('messages.0.role: Input should be user or assistant')
  assert.equal((await count('', '/v1/messages/count_tokens', odd('claude-opus-4-1'))).status, 200)
  for (const model of ['claude-sonnet-4-0', 'claude-opus-4-1']) {
    const before = (await countCalls()).length
    assert.equal((await count(model)).body.input_tokens, counted, model)
    assert.equal((await countCalls()).length, before + 1)
  }
})

const tool = { name: 'lookup', description: 'Looks up a word.', input_schema: { type: 'object', properties: {} } }
const plain = { model: 'claude-sonnet-4-0', messages: [{ role: 'user', content: text }], tools: [tool] }

for (const [what, news, headers] of [
  ['a beta', {}, { 'anthropic-beta': 'claude-code-20250219,brand-new-2026-12-01' }],
  ['a field', { brand_new: { deeply: true } }, {}],
  ['a field of a tool', { tools: [{ ...tool, brand_new: true }] }, {}],
  ['a type of tool', { tools: [tool, { type: 'brand_new_20261201', name: 'new' }] }, {}],
] as const)
  test(`${what} that the counter does not know is left out: the count is right, and the next one needs no second try`, async () => {
    const counted = (await count('', '/v1/messages/count_tokens', plain)).body.input_tokens
    const before = (await countCalls()).length
    for (const tries of [2, 3]) {
      const { status, body } = await count('', '/v1/messages/count_tokens', { ...plain, ...news }, headers)
      assert.deepEqual([status, body.input_tokens], [200, counted])
      assert.equal((await countCalls()).length, before + tries)
    }
    assert.equal((await count('', '/v1/messages/count_tokens', plain)).body.input_tokens, counted)
  })

test('a thinking budget, which comes to a count without max_tokens, is counted at the first try', async () => {
  const before = (await countCalls()).length
  const counted = (await count('', '/v1/messages/count_tokens', plain)).body.input_tokens
  const thinking = { type: 'enabled', budget_tokens: 12_000 }
  const { body } = await count('', '/v1/messages/count_tokens', { ...plain, thinking })
  assert.equal(body.input_tokens, counted)
  assert.equal((await countCalls()).length, before + 2)
})

/** Paths of the counting calls that reached the hosted service, oldest first. */
async function countCalls(): Promise<string[]> {
  const requests = await gateway.control.requests()
  return requests.map((request) => request.path).filter((path) => path.endsWith('/count-tokens'))
}
