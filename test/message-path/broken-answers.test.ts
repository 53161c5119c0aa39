import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, hello, post, requestIdOf, toErrorContent } from './path-client.ts'
import { answerWhole, type RawHost, startRawHost } from './raw-host.ts'

let gateway: TestGateway
let host: RawHost
let key = ''
let calls = 0

before(async () => {
  host = await startRawHost()
  gateway = await startGateway({
    env: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: host.url },
    prepare: async (database) => {
      const endpointIds = []
      for (const name of ['one', 'two']) endpointIds.push(await addEndpoint(database, { name, region: 'us-east-1' }))
      const teamId = await addTeam(database, 'both', { strategy: 'primary_fallback', endpointIds })
      key = (await addKey(database, { teamId })).key
    },
  })
})

after(async () => {
  await gateway.stop()
  await host.close()
})

/** The service says what it has used, begins its answer and goes away. */
function breakOff(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000, ...headers })
  response.write('{"type":"message",')
  setTimeout(() => response.destroy(), 50)
}

/** For as long as anybody reads. */
function sendWithoutEnd(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' })
  while (!response.destroyed) if (!response.write(' '.repeat(1_048_576))) break
  response.once('drain', () => sendWithoutEnd(response))
}

const used = { 'x-amzn-bedrock-input-token-count': '17', 'x-amzn-bedrock-output-token-count': '5' }

const cases: readonly (readonly [
  name: string,
  answer: (response: ServerResponse) => void,
  tokens: readonly [number, number] | 'estimated',
])[] = [
  ['breaks off after a head that tells its usage', (response) => breakOff(response, used), [17, 5]],
  ['breaks off after a head that tells nothing', (response) => breakOff(response, {}), 'estimated'],
  ['has no end', sendWithoutEnd, 'estimated'],
  ['is no JSON', (response) => answerWhole(response, 'not JSON'), 'estimated'],
]
for (const [name, answer, tokens] of cases)
  test(`an answer that ${name} was served: it is charged, once, and no other endpoint is asked`, async () => {
    calls = 0
    host.answer = (_path, response) => {
      calls += 1
      answer(response)
    }
    const response = await post(gateway, key, hello)
    assert.equal(response.status, 502)
    await response.arrayBuffer()
    assert.equal(calls, 1)
    const record = await asEvent(gateway, requestIdOf(response))
    assert.equal(record.status, 502)
    assert.ok(record.costNanoUsd > 0)
    if (tokens === 'estimated') assert.deepEqual(record.flags, ['estimated'])
    else assert.deepEqual([record.usage.inputTokens, record.usage.outputTokens, record.flags], [...tokens, []])
  })

const error = '"error":{"type":"overloaded_error","message":"Overloaded, 123456789012"}'
const overloaded = `{"type":"error",${error}}`
const messages = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages: hello.messages }
const invoke = '/model/claude-sonnet-5/invoke'

test('an error under the status of a success is the failure that it tells: the next endpoint answers', async () => {
  const served = '{"type":"message","content":[],"usage":{"input_tokens":3,"output_tokens":2}}'
  for (const [path, body] of [
    ['/v1/messages', hello],
    [invoke, messages],
  ] as const) {
    calls = 0
    host.answer = (_path, response) => answerWhole(response, ++calls === 1 ? overloaded : served)
    const response = await post(gateway, key, body, { path })
    assert.equal(response.status, 200)
    assert.equal(await response.text(), served)
    const { attempts, usage, flags } = await asEvent(gateway, requestIdOf(response))
    assert.deepEqual(
      attempts.map(({ status }) => status),
      [529, 200],
    )
    assert.deepEqual([usage.inputTokens, usage.outputTokens, flags], [3, 2, []])
  }
})

test('when all answer with such an error, the client gets its status and words, and nothing is charged', async () => {
  const inAnyOrder = [overloaded, `{${error},"type":"error"}`, `{"request_id":"req_1",${error}, "type" : "error"}`]
  for (const body of inAnyOrder) {
    host.answer = (_path, response) => answerWhole(response, body)
    const response = await post(gateway, key, hello)
    assert.equal(response.status, 529)
    const { error } = await toErrorContent(response)
    assert.deepEqual([error.type, error.message], ['overloaded_error', 'Overloaded, [account]'])
    const record = await asEvent(gateway, requestIdOf(response))
    assert.deepEqual([record.status, record.costNanoUsd, record.attempts.length], [529, 0, 2])
  }
  const hosted = await post(gateway, key, messages, { path: invoke })
  assert.equal(hosted.status, 529)
  assert.equal(hosted.headers.get('x-amzn-errortype'), 'InternalServerException')
})

test('an answer that is complete when its connection breaks reaches the client, and is charged as it says', async () => {
  const served = '{"type":"message","content":[],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":2}}'
  const breaks: readonly ((response: ServerResponse) => void)[] = [
    // Chunked, and the last chunk never comes.
    (response) => void response.writeHead(200).write(served, () => response.destroy()),
    (response) =>
      void response.writeHead(200, { 'content-length': served.length }).write(served, () => response.destroy()),
  ]
  for (const breakOff of breaks) {
    host.answer = (_path, response) => breakOff(response)
    for (const [path, body] of [
      ['/v1/messages', hello],
      [invoke, messages],
    ] as const) {
      const response = await post(gateway, key, body, { path })
      assert.deepEqual([response.status, await response.text()], [200, served])
      const { status, errorType, usage, flags } = await asEvent(gateway, requestIdOf(response))
      assert.deepEqual([status, errorType, usage.inputTokens, usage.outputTokens, flags], [200, null, 3, 2, []])
    }
  }
})

test('an answer that speaks of an error is an answer', async () => {
  const answer =
    '{"type":"message","content":[{"type":"tool_use","id":"t","name":"f","input":{"type":"error","error":1}}]}'
  host.answer = (_path, response) => answerWhole(response, answer)
  assert.equal(await (await post(gateway, key, hello)).text(), answer)
})

test('an error in the form of the model keeps its words, which clients act on', async () => {
  const words = 'prompt is too long: 206456 tokens > 200000 maximum'
  const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: words } })
  host.answer = (_path, response) => void response.writeHead(400, { 'content-type': 'application/json' }).end(body)
  const { error } = await toErrorContent(await post(gateway, key, hello))
  assert.deepEqual([error.type, error.message], ['invalid_request_error', words])
  const hosted = await post(gateway, key, messages, { path: invoke })
  assert.deepEqual([hosted.status, await hosted.json()], [400, { message: words }])
})

test('a broken text that begins like such an error is an answer that cannot be read', async () => {
  host.answer = (_path, response) => answerWhole(response, overloaded.slice(0, 30))
  const response = await post(gateway, key, hello)
  assert.equal(response.status, 502)
  await response.arrayBuffer()
  assert.deepEqual((await asEvent(gateway, requestIdOf(response))).flags, ['estimated'])
})
