/** The AI SDK, on which many other clients stand. It speaks the Messages API with code of its own. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AnthropicProvider, createAnthropic } from '@ai-sdk/anthropic'
import { APICallError, generateText, isStepCount, Output, streamText, tool } from 'ai'
import { z } from 'zod'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, requestIdOf } from './path-client.ts'

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

function provider(apiKey = key): AnthropicProvider {
  return createAnthropic({ apiKey, baseURL: `${gateway.url}/v1` })
}

const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `Snow in ${city}`,
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The library asks for as much as it believes that a model answers with; for the second one it is too much here. */
for (const name of ['claude-sonnet-5', 'claude-sonnet-4-6']) {
  test(`${name}: whole and streamed, with either header for the key`, async () => {
    const bearer = createAnthropic({ authToken: key, baseURL: `${gateway.url}/v1` })
    for (const model of [provider()(name), bearer(name)]) {
      const whole = await generateText({ model, prompt: 'Hello there' })
      assert.ok(whole.text.length > 10)
      assert.equal(whole.finishReason, 'stop')
      assert.equal(whole.response.modelId, name)
      assert.ok((whole.usage.inputTokens ?? 0) > 0)
    }
    const streamed = streamText({ model: provider()(name), prompt: 'Hello there' })
    let text = ''
    for await (const part of streamed.textStream) text += part
    assert.ok(text.length > 10)
    assert.ok(((await streamed.usage).outputTokens ?? 0) > 0)
  })

  test(`${name}: a loop of tool calls with thinking, whole and streamed`, async () => {
    const asked = {
      model: provider()(name),
      tools: { get_weather: weather },
      stopWhen: isStepCount(3),
      providerOptions: { anthropic: { thinking: { type: 'adaptive' } } },
      prompt: 'call get_weather {"city":"Zürich \\u2603"}',
    } as const
    const whole = await generateText(asked)
    assert.equal(whole.steps.length, 2)
    assert.ok((whole.steps[0]?.reasoningText ?? '').length > 0)
    assert.match(whole.text, /Snow in Zürich ☃/)
    assert.match(await streamText(asked).text, /Snow in Zürich ☃/)
  })
}

test('instructions in the cache, an image and a document', async () => {
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const
  const ask = () =>
    generateText({
      model: provider()('claude-sonnet-5'),
      instructions: { role: 'system', content: 'You are careful. '.repeat(900), providerOptions: cached },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'file', mediaType: 'image/png', data: Buffer.from(PIXEL, 'base64') },
            { type: 'file', mediaType: 'application/pdf', data: Buffer.from('%PDF-1.4\n%%EOF') },
          ],
        },
      ],
    })
  await ask()
  const second = await ask()
  assert.ok((second.usage.inputTokenDetails.cacheReadTokens ?? 0) > 1_000)
})

test('an answer in a given form', async () => {
  const { output } = await generateText({
    model: provider()('claude-sonnet-4-6'),
    output: Output.object({ schema: z.object({ city: z.string() }) }),
    prompt: 'Hello there',
  })
  assert.equal(typeof output.city, 'string')
})

test('errors arrive with the words of the gateway, and say whether to try again', async () => {
  const failing = async (model: ReturnType<AnthropicProvider>): Promise<APICallError> => {
    const error: unknown = await generateText({ model, prompt: 'x', maxRetries: 0 }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.ok(APICallError.isInstance(error), String(error))
    return error
  }
  const unknown = await failing(provider()('claude-none'))
  assert.deepEqual([unknown.statusCode, unknown.isRetryable], [404, false])
  assert.match(unknown.message, /claude-none is not available here/)
  const foreign = await failing(provider('sk-proxy-wrong')('claude-sonnet-5'))
  assert.deepEqual([foreign.statusCode, foreign.isRetryable], [401, false])
  assert.match(foreign.message, /virtual key is unknown, revoked or expired/)
  const error = { status: 529, type: 'OverloadedException', message: 'Overloaded' }
  await gateway.control.script({ match: { operation: 'invoke' }, behaviour: { error } })
  const overloaded = await failing(provider()('claude-sonnet-5'))
  assert.deepEqual([overloaded.statusCode, overloaded.isRetryable], [529, true])
  const bare = createAnthropic({ apiKey: key, baseURL: gateway.url })
  assert.match((await failing(bare('claude-sonnet-5'))).message, /with \/v1 at its end/)
})

test('a fault inside a stream is an error, not an end', async () => {
  await gateway.control.script({
    match: { operation: 'invoke' },
    behaviour: { exception: { afterEvents: 4, type: 'throttlingException', message: 'Too many tokens' } },
  })
  const faults: unknown[] = []
  const { fullStream } = streamText({
    model: provider()('claude-sonnet-5'),
    prompt: 'Hello there',
    onError: () => {},
  })
  for await (const part of fullStream) if (part.type === 'error') faults.push(part.error)
  assert.match(String(faults), /Too many tokens/)
})

test('a stream that is cancelled has a record', async () => {
  let requestId = ''
  const watching = createAnthropic({
    apiKey: key,
    baseURL: `${gateway.url}/v1`,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      requestId = requestIdOf(response)
      return response
    },
  })
  await gateway.control.script({ match: { operation: 'invoke' }, behaviour: { silence: { afterEvents: 4, ms: 300 } } })
  const cancel = new AbortController()
  const { fullStream } = streamText({
    model: watching('claude-sonnet-5'),
    prompt: 'Hello there',
    abortSignal: cancel.signal,
    onError: () => {},
  })
  for await (const { type } of fullStream) if (type === 'text-delta') cancel.abort()
  assert.ok((await asEvent(gateway, requestId)).flags.includes('aborted'))
})
