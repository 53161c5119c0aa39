import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import Anthropic from '@anthropic-ai/sdk'
import OlderAnthropic from 'anthropic-sdk-0'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { post } from './path-client.ts'

let gateway: TestGateway
let key = ''
let limitedKey = ''

before(async () => {
  gateway = await startGateway({
    simulatorSettings: { tokenMode: 'fingerprint' },
    answerLimits: { pingAfterMs: 60 },
    prepare: async (database) => {
      key = (await addKey(database)).key
      limitedKey = (await addKey(database, { rateLimitRpm: 1 })).key
    },
  })
})

after(() => gateway.stop())

const ask = {
  model: 'claude-sonnet-4-6',
  max_tokens: 500,
  messages: [{ role: 'user' as const, content: 'Hello there' }],
}
const weather = {
  name: 'get_weather',
  description: 'The weather of a city',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
}

/** Both releases have the same calls; what they send differs (header of the key, version, query). */
const clients = [
  ['SDK 1', (apiKey: string) => new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 })],
  [
    'SDK 0',
    (apiKey: string) => new OlderAnthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 }) as unknown as Anthropic,
  ],
] as const

for (const [name, clientFor] of clients) {
  test(`${name}: a whole answer`, async () => {
    const message = await clientFor(key).messages.create(ask)
    assert.equal(message.type, 'message')
    assert.equal(message.model, 'claude-sonnet-4-6')
    assert.equal(message.content[0]?.type, 'text')
    assert.ok(message.usage.input_tokens > 1_000_000)
    assert.ok(message._request_id?.startsWith('req_'))
  })

  test(`${name}: a stream, by events and gathered`, async () => {
    const types: string[] = []
    for await (const event of await clientFor(key).messages.create({ ...ask, stream: true })) types.push(event.type)
    assert.equal(types[0], 'message_start')
    assert.equal(types.at(-1), 'message_stop')
    const gathered = clientFor(key).messages.stream(ask)
    let text = ''
    gathered.on('text', (delta) => {
      text += delta
    })
    const final = await gathered.finalMessage()
    assert.ok(text.length > 10)
    assert.equal(final.content[0]?.type === 'text' && final.content[0].text, text)
    assert.equal(final.stop_reason, 'end_turn')
  })

  test(`${name}: a loop of tool calls with thinking, streamed and whole`, async () => {
    for (const streamed of [false, true]) {
      const create = (body: Anthropic.MessageCreateParamsNonStreaming): Promise<Anthropic.Message> =>
        streamed ? clientFor(key).messages.stream(body).finalMessage() : clientFor(key).messages.create(body)
      const first: Anthropic.MessageCreateParamsNonStreaming = {
        ...ask,
        max_tokens: 4_000,
        thinking: { type: 'enabled', budget_tokens: 2_000 },
        tools: [weather],
        messages: [{ role: 'user', content: 'call get_weather {"city":"Zürich \\u2603"}' }],
      }
      const called = await create(first)
      assert.equal(called.stop_reason, 'tool_use')
      const thinking = called.content.find((block) => block.type === 'thinking')
      assert.ok(thinking !== undefined && thinking.signature.length > 10)
      const use = called.content.find((block) => block.type === 'tool_use')
      assert.ok(use !== undefined)
      assert.deepEqual(use.input, { city: 'Zürich ☃' })
      const answered = await create({
        ...first,
        messages: [
          ...first.messages,
          { role: 'assistant', content: called.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'Snow, 2 degrees' }] },
        ],
      })
      assert.equal(answered.stop_reason, 'end_turn')
      assert.match(JSON.stringify(answered.content), /Snow, 2 degrees/)
    }
  })

  test(`${name}: models in pages and one by one`, async () => {
    const client = clientFor(key)
    const ids: string[] = []
    for await (const model of client.models.list({ limit: 3 })) {
      assert.equal(model.type, 'model')
      assert.equal(typeof model.display_name, 'string')
      ids.push(model.id)
    }
    assert.ok(ids.length > 10 && new Set(ids).size === ids.length)
    const whole = await client.models.list({ limit: 1000 })
    assert.deepEqual(
      whole.data.map(({ id }) => id),
      ids,
    )
    assert.equal((await client.models.retrieve('claude-sonnet-4-6')).id, 'claude-sonnet-4-6')
    await assert.rejects(client.models.retrieve('claude-none'), { status: 404 })
  })

  test(`${name}: tokens are counted`, async () => {
    const counted = await clientFor(key).messages.countTokens({ model: ask.model, messages: ask.messages })
    assert.ok(counted.input_tokens > 0)
  })

  test(`${name}: errors come as the classes of the library, with the id of the request`, async () => {
    const { APIError, AuthenticationError, NotFoundError, BadRequestError, RateLimitError } =
      name === 'SDK 1' ? Anthropic : (OlderAnthropic as unknown as typeof Anthropic)
    const failing = async (call: Promise<unknown>): Promise<InstanceType<typeof APIError>> => {
      const error = await call.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof APIError)
      assert.match(error.requestID ?? '', /^req_/)
      return error
    }
    const client = clientFor(key)
    assert.ok((await failing(clientFor('sk-proxy-wrong').messages.create(ask))) instanceof AuthenticationError)
    assert.ok((await failing(client.messages.create({ ...ask, model: 'claude-none' }))) instanceof NotFoundError)
    assert.ok((await failing(client.messages.create({ ...ask, messages: [] }))) instanceof BadRequestError)
    await clientFor(limitedKey)
      .messages.create(ask)
      .catch(() => undefined)
    const limited = await failing(clientFor(limitedKey).messages.create(ask))
    assert.ok(limited instanceof RateLimitError)
    assert.match(limited.headers?.get('retry-after') ?? '', /^\d+$/)
    await gateway.control.script({ match: { operation: 'invoke' }, behaviour: { throttle: { retryAfterSeconds: 1 } } })
    assert.ok((await failing(client.messages.create(ask))) instanceof RateLimitError)
    await gateway.control.script({
      match: { operation: 'invoke' },
      behaviour: { error: { status: 503, type: 'ServiceUnavailableException', message: 'not now' } },
    })
    assert.equal((await failing(client.messages.create(ask))).status, 503)
  })

  test(`${name}: a fault inside a stream is an error, not an end`, async () => {
    await gateway.control.script({
      match: { operation: 'invoke' },
      behaviour: { exception: { afterEvents: 4, type: 'throttlingException' } },
    })
    await assert.rejects(clientFor(key).messages.stream(ask).finalMessage())
  })

  test(`${name}: an answer in a given form is parsed, in both name spaces`, async () => {
    const { messages, beta } = clientFor(key)
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    const format = { type: 'json_schema' as const, schema }
    const answers = [
      await messages.parse({ ...ask, output_config: { format } }),
      await beta.messages.parse({ ...ask, output_config: { format } }),
    ]
    for (const { parsed_output } of answers) assert.deepEqual(parsed_output, { a: 'Hello there' })
  })

  test(`${name}: what is not offered here is said to be nowhere, with the id of the request`, async () => {
    const { messages, beta } = clientFor(key)
    const calls = [
      () => messages.batches.create({ requests: [{ custom_id: 'one', params: ask }] }),
      () => messages.batches.list(),
      () => beta.files.list(),
      () => beta.files.upload({ file: new File(['x'], 'x.txt') }),
    ]
    for (const call of calls)
      await assert.rejects(
        async () => call(),
        (error: InstanceType<typeof Anthropic.APIError>) =>
          error.status === 404 && /There is nothing at \w+ \/v1\//.test(error.message) && error.requestID !== null,
      )
  })
}

test('SDK 1 in the beta name space sends betas that reach the hosted service', async () => {
  const client = new Anthropic({ authToken: key, baseURL: gateway.url, maxRetries: 0 })
  const message = await client.beta.messages.create({
    ...ask,
    betas: ['context-1m-2025-08-07', 'context-management-2025-06-27'],
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  })
  assert.equal(message.type, 'message')
  const call = (await gateway.control.ledger()).at(-1)
  assert.deepEqual([...(call?.betas ?? [])].sort(), ['context-1m-2025-08-07', 'context-management-2025-06-27'])
})

const runnable = { ...weather, type: 'custom' as const, run: () => 'Snow', parse: (input: unknown) => input }

for (const streamed of [false, true]) {
  test(`SDK 1 runs tools ${streamed ? 'in streams' : 'whole'}, with the conversation in every request`, async () => {
    const runner = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 }).beta.messages.toolRunner({
      ...ask,
      messages: [{ role: 'user', content: 'call get_weather {"city":"Oslo"}' }],
      tools: [runnable],
      stream: streamed,
    })
    assert.match(JSON.stringify((await runner.runUntilDone()).content), /Snow/)
  })
}

test('SDK 1 adds and removes tools while it runs them', async () => {
  const runner = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 }).beta.messages.toolRunner({
    ...ask,
    messages: [{ role: 'user', content: 'call get_weather {"city":"Oslo"}' }],
    tools: [runnable],
  })
  let turns = 0
  for await (const _ of runner) {
    turns += 1
    if (turns > 1) continue
    runner.addTools({ ...runnable, name: 'get_tides' })
    runner.removeTools('get_weather')
  }
  assert.equal(turns, 2)
  const { tools } = JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '')
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['get_weather', 'get_tides'],
  )
})

test('SDK 1: a conversation that the service should keep is refused, or sent whole, and never answered without its beginning', async () => {
  const { messages } = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 }).beta
  const { model, max_tokens } = ask
  const saying = (content: string) => ({ role: 'user' as const, content })
  const kept = messages.thread({ model, max_tokens })
  await assert.rejects(kept.send(saying('Hello')), Anthropic.ThreadUnsupportedRequestError)
  const continuing = { ...ask, thread: { type: 'continue', previous_message_id: 'msg_1' } as const, messages: [] }
  await assert.rejects(messages.create(continuing), Anthropic.ThreadUnsupportedRequestError)
  const thread = messages.thread({ model, max_tokens, unsupportedRequestBehavior: 'continue_unthreaded' })
  for (const said of ['Hello', 'Go on']) await thread.send(saying(said))
  const sent = JSON.parse((await gateway.control.requests()).at(-1)?.body ?? '')
  assert.deepEqual([sent.messages.length, sent.thread], [3, undefined])
})

function bedrock(apiKey = key): AnthropicBedrock {
  return new AnthropicBedrock({ apiKey, baseURL: gateway.url, awsRegion: 'us-east-1', maxRetries: 0 })
}

test('the Bedrock SDK: whole, streamed, with tools, counted against the same key', async () => {
  const hosted = { ...ask, model: 'us.anthropic.claude-opus-4-8' }
  const message = await bedrock().messages.create(hosted)
  assert.equal(message.type, 'message')
  const final = await bedrock()
    .messages.stream({
      ...hosted,
      tools: [weather],
      messages: [{ role: 'user', content: 'call get_weather {"city":"Oslo"}' }],
    })
    .finalMessage()
  const use = final.content.find((block) => block.type === 'tool_use')
  assert.deepEqual(use?.input, { city: 'Oslo' })
  assert.equal(final.stop_reason, 'tool_use')
  const types: string[] = []
  for await (const event of await bedrock().messages.create({ ...hosted, stream: true })) types.push(event.type)
  assert.equal(types[0], 'message_start')
  assert.equal(types.at(-1), 'message_stop')
  const calls = (await gateway.control.ledger())
    .filter(({ operation }) => operation.startsWith('InvokeModel'))
    .slice(-3)
  assert.deepEqual(
    calls.map(({ modelId, status }) => [modelId, status]),
    calls.map(() => ['us.anthropic.claude-opus-4-8', 200]),
  )
})

test('the Bedrock SDK: client names, foreign models and wrong keys', async () => {
  assert.equal((await bedrock().messages.create({ ...ask, model: 'claude-sonnet-5' })).type, 'message')
  await assert.rejects(bedrock().messages.create({ ...ask, model: 'us.anthropic.claude-none-v1:0' }), { status: 404 })
  await assert.rejects(
    bedrock().messages.create({
      ...ask,
      model: 'arn:aws:bedrock:us-east-1:999999999999:application-inference-profile/abcdef123456',
    }),
    { status: 404 },
  )
  await assert.rejects(
    bedrock('sk-proxy-wrong').messages.create(ask),
    (error: { status?: number }) => error.status === 401 || error.status === 403,
  )
})

test('the Bedrock SDK: a fault inside a stream is an error', async () => {
  await gateway.control.script({
    match: { operation: 'invoke' },
    behaviour: { exception: { afterEvents: 4, type: 'throttlingException', message: 'Too many tokens' } },
  })
  await assert.rejects(
    bedrock()
      .messages.stream({ ...ask, model: 'us.anthropic.claude-opus-4-8' })
      .finalMessage(),
    /Too many tokens/,
  )
})

test('pings in the middle of a stream disturb no library', async () => {
  const message = { ...ask, model: 'claude-opus-4-8' }
  const open = [
    () => clients[0][1](key).messages.create({ ...message, stream: true }),
    () => clients[1][1](key).messages.create({ ...message, stream: true }),
    () => bedrock().messages.create({ ...message, stream: true }),
  ]
  for (const create of open) {
    await gateway.control.script({
      match: { operation: 'invoke' },
      behaviour: { silence: { afterEvents: 3, ms: 400 } },
    })
    const types: string[] = []
    for await (const event of await create()) types.push(event.type)
    const withoutPings = types.filter((type) => String(type) !== 'ping')
    assert.deepEqual(withoutPings.slice(0, 3), ['message_start', 'content_block_start', 'content_block_delta'])
    assert.equal(withoutPings.at(-1), 'message_stop')
  }
  const hosted = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 500, messages: ask.messages }
  await gateway.control.script({ match: { operation: 'invoke' }, behaviour: { silence: { afterEvents: 3, ms: 400 } } })
  const path = '/model/us.anthropic.claude-opus-4-8/invoke-with-response-stream'
  const bytes = Buffer.from(await (await post(gateway, key, hosted, { path })).arrayBuffer())
  assert.ok(bytes.includes(Buffer.from('{"type":"ping"}').toString('base64')), 'pings were really sent')
})
