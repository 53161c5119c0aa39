import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { post, requestIdOf, stream, untilTrue } from '../message-path/path-client.ts'
import { addKey } from '../support/gateway.ts'
import {
  answers,
  asksFor,
  question,
  type SearchWorld,
  search,
  searchTool,
  startSearchWorld,
  text,
} from './search-world.ts'

let world: SearchWorld
before(async () => {
  world = await startSearchWorld()
})
beforeEach(() => world.reset())
after(() => world.gateway.stop())

const sdk = () => new Anthropic({ apiKey: world.key, baseURL: world.gateway.url, maxRetries: 0 })
type Params = Anthropic.MessageCreateParamsNonStreaming
/** A model writes event by event; one that answers at once has them all in one read. */
type Form = 'whole' | 'streamed' | 'streamed event by event'
const ask = async (params: object, form: Form): Promise<Anthropic.Message> => {
  if (form === 'whole') return await sdk().messages.create(params as Params)
  if (form === 'streamed event by event') await world.gateway.control.setSettings({ pace: { eventsPerSecond: 500 } })
  return await sdk()
    .messages.stream(params as Params)
    .finalMessage()
}

const kinds = (message: Anthropic.Message): readonly string[] => message.content.map(({ type }) => type)

for (const form of ['streamed', 'streamed event by event', 'whole'] as const) {
  test(`${form}: a model that does not search costs one call, and its answer is its own`, async () => {
    await world.say(answers(text('I know that.')))
    const message = await ask(question(), form)
    assert.deepEqual([kinds(message), message.stop_reason], [['text'], 'end_turn'])
    assert.equal(message.usage.server_tool_use?.web_search_requests, 0)
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [100, 10])
    const [hosted, ...others] = await world.hostedBodies()
    assert.equal(others.length, 0)
    assert.deepEqual(
      hosted?.tools?.map((tool) => [tool['name'], tool['type'], Object.keys(tool['input_schema'] as object)]),
      [['web_search', undefined, ['type', 'properties', 'required']]],
    )
    assert.deepEqual(await world.gateway.control.searches(), [])
  })

  test(`${form}: one search is one extra round, and the client sees one answer with all of it`, async () => {
    await world.say(asksFor(text('Let me look.'), search('01', 'tides bremen')), answers(text('High tide is at noon.')))
    const message = await ask(question(), form)
    assert.deepEqual(kinds(message), ['text', 'server_tool_use', 'web_search_tool_result', 'text'])
    assert.equal(message.stop_reason, 'end_turn')
    const [, call, result, last] = message.content
    assert.ok(call?.type === 'server_tool_use' && result?.type === 'web_search_tool_result' && last?.type === 'text')
    assert.deepEqual([call.id, call.name, call.input], ['srvtoolu_bdrk_01', 'web_search', { query: 'tides bremen' }])
    assert.equal(result.tool_use_id, call.id)
    assert.ok(Array.isArray(result.content))
    assert.deepEqual(
      result.content.map(({ type, url, title }) => [type, url, title]),
      [
        ['web_search_result', 'https://example.com/overview/tides%20bremen', 'Overview: tides bremen'],
        ['web_search_result', 'https://example.com/guide/tides%20bremen', 'Guide: tides bremen'],
      ],
    )
    // Text is neither doubled nor lost, and usage is the sum of both rounds.
    assert.deepEqual(
      message.content.flatMap((block) => (block.type === 'text' ? block.text : [])),
      ['Let me look.', 'High tide is at noon.'],
    )
    assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [300, 20])
    assert.equal(message.usage.server_tool_use?.web_search_requests, 1)
    const [, second, ...others] = await world.hostedBodies()
    assert.equal(others.length, 0)
    assert.deepEqual(
      second?.messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    )
    assert.deepEqual(second?.messages[1]?.content, [text('Let me look.'), search('01', 'tides bremen')])
    assert.equal(second?.messages[2]?.content[0]?.['tool_use_id'], 'toolu_bdrk_01')
  })

  test(`${form}: the client's forced choice holds for the first round only`, async () => {
    await world.say(asksFor(search('01', 'stub query')), answers(text('Found.')))
    const forced = { tool_choice: { type: 'tool', name: 'web_search' }, thinking: { type: 'disabled' } }
    const message = await ask(question({ ...forced, tools: [searchTool({ max_uses: 8 })] }), form)
    assert.deepEqual(kinds(message), ['server_tool_use', 'web_search_tool_result', 'text'])
    const bodies = await world.hostedBodies()
    assert.deepEqual(
      bodies.map((body) => body.tool_choice),
      [{ type: 'tool', name: 'web_search' }, { type: 'auto' }],
    )
  })

  test(`${form}: searches of one round run at the same time and come back in order`, async () => {
    const delayMs = 600
    await world.gateway.control.scriptSearch({ delayMs, times: 3 })
    await world.say(asksFor(search('01', 'a'), search('02', 'b'), search('03', 'c')), answers(text('Done.')))
    const message = await ask(question(), form)
    const begun = (await world.gateway.control.searches()).map(({ at }) => Date.parse(at))
    assert.ok(Math.max(...begun) - Math.min(...begun) < delayMs, 'the last began before the first was over')
    assert.deepEqual(
      message.content.flatMap((block) => (block.type === 'web_search_tool_result' ? block.tool_use_id : [])),
      ['srvtoolu_bdrk_01', 'srvtoolu_bdrk_02', 'srvtoolu_bdrk_03'],
    )
    assert.equal(message.usage.server_tool_use?.web_search_requests, 3)
  })

  test(`${form}: a round that mixes searches with the client's tools ends the turn, and the next turn goes on`, async () => {
    const weather = { name: 'get_weather', description: 'Weather', input_schema: { type: 'object', properties: {} } }
    const call = { type: 'tool_use', id: 'toolu_bdrk_02', name: 'get_weather', input: { city: 'Bremen' } }
    await world.say(asksFor(text('Both.'), search('01', 'tides'), call))
    const params = question({ tools: [searchTool(), weather] })
    const message = await ask(params, form)
    assert.equal(message.stop_reason, 'tool_use')
    assert.deepEqual(kinds(message), ['text', 'server_tool_use', 'tool_use', 'web_search_tool_result'])
    assert.equal((await world.hostedBodies()).length, 1)
    await world.say(answers(text('Sunny at high tide.')))
    const next = await ask(
      {
        ...params,
        messages: [
          ...params.messages,
          { role: 'assistant', content: message.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'sunny' }] },
        ],
      },
      form,
    )
    assert.equal(next.stop_reason, 'end_turn')
    const hosted = (await world.hostedBodies()).at(-1)
    assert.deepEqual(
      hosted?.messages.map(({ role, content }) => [role, Array.isArray(content) ? content.map(({ type }) => type) : 1]),
      [
        ['user', 1],
        ['assistant', ['text', 'tool_use', 'tool_use']],
        ['user', ['tool_result', 'tool_result']],
      ],
    )
  })

  test(`${form}: the next turn's history is what the model saw, word for word`, async () => {
    await world.say(asksFor(text('Look.'), search('01', 'tides')), answers(text('At noon.')))
    const params = question()
    const message = await ask(params, form)
    const seen = (await world.hostedBodies()).at(-1)
    await world.say(answers(text('Again at midnight.')))
    const messages = [
      ...params.messages,
      { role: 'assistant', content: message.content },
      { role: 'user', content: 'And then?' },
    ]
    await ask({ ...params, messages }, form)
    // Without the tool the history must be readable as well.
    const { tools: _none, ...without } = params
    await world.say(answers(text('Again.')))
    await ask({ ...without, messages }, form)
    const [withTool, withoutTool] = (await world.hostedBodies()).slice(-2)
    assert.deepEqual(withTool?.messages.slice(0, 3), seen?.messages)
    assert.deepEqual(withTool?.messages.slice(3), [
      { role: 'assistant', content: [text('At noon.')] },
      { role: 'user', content: 'And then?' },
    ])
    assert.deepEqual(withoutTool?.messages, withTool?.messages)
  })

  test(`${form}: citations of the model become citations of the web`, async () => {
    const cited = {
      type: 'search_result_location',
      source: 'https://example.com/overview/tides',
      title: 'Overview: tides',
    }
    const place = { ...cited, cited_text: 'Result 1', search_result_index: 0, start_block_index: 0, end_block_index: 1 }
    await world.say(asksFor(search('01', 'tides')), answers(text('At noon.', { citations: [place] })))
    const params = question()
    const message = await ask(params, form)
    const last = message.content.at(-1)
    assert.ok(last?.type === 'text')
    assert.deepEqual(last.citations, [
      {
        type: 'web_search_result_location',
        cited_text: 'Result 1',
        url: cited.source,
        title: cited.title,
        encrypted_index: 'cw1.0',
      },
    ])
    const results = (await world.hostedBodies()).at(-1)?.messages.at(-1)?.content[0]?.['content']
    assert.deepEqual(
      (results as Record<string, unknown>[]).map((block) => [block['type'], block['citations']]),
      [
        ['search_result', { enabled: true }],
        ['search_result', { enabled: true }],
      ],
    )
    await world.say(answers(text('Yes.')))
    const messages = [
      ...params.messages,
      { role: 'assistant', content: message.content },
      { role: 'user', content: 'Sure?' },
    ]
    await ask({ ...params, messages }, form)
    assert.deepEqual((await world.hostedBodies()).at(-1)?.messages.at(-2)?.content, [text('At noon.')])
  })

  test(`${form}: thinking goes back to the model with its signature`, async () => {
    const params = question({
      max_tokens: 4_000,
      thinking: { type: 'adaptive' },
      messages: [{ role: 'user', content: 'Please search the web for tide tables' }],
    })
    const message = await ask(params, form)
    assert.deepEqual(kinds(message), ['thinking', 'server_tool_use', 'web_search_tool_result', 'thinking', 'text'])
    const messages = [
      ...params.messages,
      { role: 'assistant', content: message.content },
      { role: 'user', content: 'Thanks' },
    ]
    assert.equal((await ask({ ...params, messages }, form)).stop_reason, 'end_turn')
  })

  test(`${form}: no more searches than allowed, and a model that does not stop is stopped`, async () => {
    const again = (id: number) => asksFor(search(`0${id}`, `tides ${id}`))
    await world.say(again(1), again(2), again(3), again(4), again(5), again(6))
    const message = await ask(question({ tools: [searchTool({ max_uses: 1 })] }), form)
    const results = message.content.flatMap((block) => (block.type === 'web_search_tool_result' ? [block.content] : []))
    assert.ok(Array.isArray(results[0]))
    assert.deepEqual(results[1], { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' })
    assert.equal(message.stop_reason, 'end_turn')
    assert.equal((await world.gateway.control.searches()).length, 1)
    const choices = (await world.hostedBodies()).map((body) => body.tool_choice)
    assert.deepEqual(choices.slice(0, 3), [undefined, undefined, undefined])
    assert.deepEqual(choices[3], { type: 'none' })
    assert.ok(choices.length <= 10)
  })
}

test('one message, blocks numbered without gaps, and an end for every beginning', async () => {
  await world.say(
    asksFor(text('One.'), search('01', 'a')),
    asksFor(text('Two.'), search('02', 'b'), search('03', 'c')),
    answers(text('Three.')),
  )
  const { events } = await stream(world.gateway, world.key, question())
  const parsed = events.map(({ data }) => JSON.parse(data))
  assert.equal(parsed.filter(({ type }) => type === 'message_start').length, 1)
  assert.equal(parsed.filter(({ type }) => type === 'message_stop').length, 1)
  assert.equal(parsed.at(-1)?.type, 'message_stop')
  assert.equal(parsed.at(-2)?.type, 'message_delta')
  const starts = parsed.filter(({ type }) => type === 'content_block_start').map(({ index }) => index)
  const stops = parsed.filter(({ type }) => type === 'content_block_stop').map(({ index }) => index)
  assert.deepEqual(starts, [0, 1, 2, 3, 4, 5, 6, 7, 8])
  assert.deepEqual(stops, starts)
  for (const { event, data } of events) assert.equal(JSON.parse(data).type, event)
})

test('each round has its record, and searches are counted and charged with the round that made them', async () => {
  await world.setPrice(0.01)
  await world.say(asksFor(search('01', 'a'), search('02', 'b')), answers(text('Done.')))
  const { response } = await stream(world.gateway, world.key, question())
  const [first, second, ...others] = await world.records(requestIdOf(response), 2)
  assert.equal(others.length, 0)
  assert.deepEqual([first?.round, first?.webSearches, first?.usage.inputTokens], [0, 2, 100])
  assert.deepEqual([second?.round, second?.webSearches, second?.usage.inputTokens], [1, 0, 200])
  assert.deepEqual([first?.stopReason, second?.stopReason], ['tool_use', 'end_turn'])
  // Sonnet 5: 3 USD and 15 USD for a million tokens; whatever the prices, both rounds differ by what they used.
  const tokens = (record: typeof first) => (record?.costNanoUsd ?? 0) - (record?.webSearches ?? 0) * 10_000_000
  assert.ok(tokens(first) > 0 && tokens(second) > tokens(first))
  const ledger = await world.gateway.control.ledger({ operation: 'InvokeModelWithResponseStream' })
  assert.equal(ledger.length, 2)
})

test('a key that is revoked during a round gets no further one; what was served stays charged', async () => {
  const { database, url } = world.gateway
  assert.ok(database !== undefined)
  const { id, key } = await addKey(database)
  await world.setPrice(0.01)
  await world.say({ ...asksFor(search('01', 'a')), delayMs: 1_000 }, answers(text('Done.')))
  const before = (await world.gateway.control.ledger({ operation: 'InvokeModel' })).length
  const asked = post(world.gateway, key, question())
  await untilTrue(async () => (await world.gateway.control.ledger({ operation: 'InvokeModel' })).length === before + 1)
  const revoked = await fetch(`${url}/admin/keys/${id}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.admin}` },
  })
  assert.equal(revoked.status, 200)
  const response = await asked
  assert.equal(response.status, 401)
  const [first, second] = await world.records(requestIdOf(response), 2)
  assert.ok((first?.costNanoUsd ?? 0) > 10_000_000)
  assert.deepEqual([second?.status, second?.costNanoUsd], [401, 0])
  assert.equal((await world.gateway.control.ledger({ operation: 'InvokeModel' })).length, before + 1)
})

test('every version of the tool is replaced, and its limits are checked as the API would', async () => {
  for (const type of ['web_search_20250305', 'web_search_20260209', 'web_search_20260318']) {
    await world.say(asksFor(search('01', 'a')), answers(text('Done.')))
    const { response } = await stream(world.gateway, world.key, question({ tools: [searchTool({ type })] }))
    assert.equal(response.status, 200)
    assert.equal((await world.gateway.control.searches()).length, 1)
    await world.reset()
  }
  for (const wrong of [
    { max_uses: 0 },
    { max_uses: 'many' },
    { allowed_domains: 'example.com' },
    { allowed_domains: ['a.example'], blocked_domains: ['b.example'] },
  ]) {
    const response = await post(world.gateway, world.key, question({ tools: [searchTool(wrong)] }))
    assert.equal(response.status, 400)
    const { error } = (await response.json()) as { error: { type: string; message: string } }
    assert.equal(error.type, 'invalid_request_error')
    assert.match(error.message, /tools\.0\.web_search_20250305\.(max_uses|allowed_domains)/)
  }
  assert.equal((await world.hostedBodies()).length, 0)
})
