import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { flagBits } from '../../src/modules/spend/spend-row.store.ts'
import { post, recordsOf, requestIdOf, stream, until, untilTrue } from '../message-path/path-client.ts'
import { addEndpoint, addKey, addTeam } from '../support/gateway.ts'
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

/** Short for a person, long enough for an engine on a busy machine. */
const TIMEOUT_MS = 2_000

let world: SearchWorld
let teamKey = ''
before(async () => {
  world = await startSearchWorld({
    searchTimeoutMs: TIMEOUT_MS,
    answerLimits: { pingAfterMs: 50 },
    prepare: async (database) => {
      const first = await addEndpoint(database, { name: 'first', region: 'us-east-1', priority: 1 })
      const second = await addEndpoint(database, { name: 'second', region: 'us-west-2', priority: 2 })
      const routing = { strategy: 'primary_fallback', endpointIds: [first, second] } as const
      teamKey = (await addKey(database, { teamId: await addTeam(database, 'two endpoints', routing) })).key
    },
  })
})
beforeEach(() => world.reset())
after(() => world.gateway.stop())

interface Shown {
  readonly content: readonly { readonly type: string; readonly content?: unknown }[]
  readonly stop_reason: string
  readonly usage: { readonly server_tool_use: { readonly web_search_requests: number } }
}

async function whole(body: object = question()): Promise<Shown> {
  return (await (await post(world.gateway, world.key, body)).json()) as Shown
}

const errorIn = (message: Shown) =>
  message.content.flatMap(({ type, content }) => (type === 'web_search_tool_result' ? [content] : []))

const failing = (code: string) => ({ type: 'web_search_tool_result_error', error_code: code })

async function lastToolResult(): Promise<Readonly<Record<string, unknown>>> {
  const result = (await world.hostedBodies()).at(-1)?.messages.at(-1)?.content[0]
  assert.ok(result)
  return result
}

test('an engine that fails costs the turn nothing but that search, and the model is told', async () => {
  const cases = [
    [{ status: 500 }, 'unavailable', /status 500/],
    [{ status: 401 }, 'unavailable', /refused the API key/],
    [{ status: 429 }, 'too_many_requests', /no more questions/],
    [{ status: 200, body: '<html>' }, 'unavailable', /cannot be read/],
  ] as const
  for (const [script, code, words] of cases) {
    await world.gateway.control.scriptSearch(script)
    await world.say(asksFor(search('01', 'tides')), answers(text('Without it.')))
    const message = await whole()
    assert.deepEqual([errorIn(message), message.stop_reason], [[failing(code)], 'end_turn'])
    assert.equal(message.usage.server_tool_use.web_search_requests, 0)
    const result = await lastToolResult()
    assert.equal(result['is_error'], true)
    assert.match(String(result['content']), words)
  }
})

test('one search of several may fail', async () => {
  await world.gateway.control.scriptSearch({ status: 503 })
  await world.say(asksFor(search('01', 'a'), search('02', 'b')), answers(text('Half of it.')))
  const message = await whole()
  const shown = errorIn(message)
  assert.equal(shown.filter((content) => Array.isArray(content)).length, 1)
  assert.equal(shown.length, 2)
  assert.equal(message.usage.server_tool_use.web_search_requests, 1)
})

test('an engine that hangs costs its time limit and a clear error, and streams are kept alive meanwhile', async () => {
  await world.gateway.control.scriptSearch({ delayMs: 60_000 })
  await world.say(asksFor(text('Looking.'), search('01', 'tides')), answers(text('Without it.')))
  const startedMs = performance.now()
  const { events } = await stream(world.gateway, world.key, question())
  assert.ok(performance.now() - startedMs >= TIMEOUT_MS)
  assert.equal(events.at(-1)?.event, 'message_stop')
  const call = events.findIndex(({ data }) => data.includes('server_tool_use'))
  const result = events.findIndex(({ data }) => data.includes('web_search_tool_result_error'))
  assert.ok(events.slice(call, result).some(({ event }) => event === 'ping'))
  assert.match(String((await lastToolResult())['content']), /did not answer within 2 seconds/)
})

test('what the model writes as input is checked', async () => {
  const cases = [
    [search('01', 7), 'invalid_tool_input'],
    [search('01', '  '), 'invalid_tool_input'],
    [{ ...search('01', ''), input: {} }, 'invalid_tool_input'],
    [search('01', 'x'.repeat(401)), 'query_too_long'],
  ] as const
  for (const [call, code] of cases) {
    await world.say(asksFor(call), answers(text('Sorry.')))
    assert.deepEqual(errorIn(await whole()), [failing(code)])
  }
  assert.deepEqual(await world.gateway.control.searches(), [])
})

test('a call that the token limit cut off is not searched, and the next turn can still be read', async () => {
  await world.say({ content: [text('Let me'), search('01', 'tides')], stop: 'max_tokens' })
  const message = await whole()
  assert.deepEqual(
    [message.content.map(({ type }) => type), message.stop_reason],
    [['text', 'server_tool_use'], 'max_tokens'],
  )
  assert.deepEqual(await world.gateway.control.searches(), [])
  const messages = [
    ...question().messages,
    { role: 'assistant', content: message.content },
    { role: 'user', content: 'Go on' },
  ]
  await world.say(answers(text('At noon.')))
  assert.equal((await post(world.gateway, world.key, question({ messages }))).status, 200)
  const hosted = (await world.hostedBodies()).at(-1)
  assert.deepEqual(
    hosted?.messages.at(-1)?.content.map(({ type, is_error }) => [type, is_error]),
    [
      ['tool_result', true],
      ['text', undefined],
    ],
  )
})

test('results come from allowed domains only, and never from blocked ones', async () => {
  const results = ['https://a.example/', 'https://docs.a.example/x', 'https://b.example/'].map((url) => ({
    title: url,
    url,
    snippet: 'about',
  }))
  const cases = [
    [{ allowed_domains: ['a.example'] }, ['https://a.example/', 'https://docs.a.example/x']],
    [{ blocked_domains: ['docs.a.example'] }, ['https://a.example/', 'https://b.example/']],
  ] as const
  for (const [limits, wanted] of cases) {
    await world.gateway.control.scriptSearch({ results })
    await world.say(asksFor(search('01', 'tides')), answers(text('Done.')))
    const [content] = errorIn(await whole(question({ tools: [searchTool(limits)] })))
    assert.deepEqual(
      (content as { url: string }[]).map(({ url }) => url),
      wanted,
    )
  }
})

test('where the person is goes to the engine and to the model', async () => {
  await world.say(asksFor(search('01', 'tides')), answers(text('Done.')))
  const user_location = {
    type: 'approximate',
    city: 'Bremen',
    region: 'Bremen',
    country: 'DE',
    timezone: 'Europe/Berlin',
  }
  await whole(question({ tools: [searchTool({ user_location })] }))
  assert.equal(JSON.parse((await world.gateway.control.searches())[0]?.body ?? '{}').country, 'germany')
  assert.match(String((await world.hostedBodies())[0]?.tools?.[0]?.['description']), /near Bremen, Bremen, DE/)
})

test('a client that leaves during a search ends the turn: no further round, and what was used is recorded', async () => {
  for (const streamed of [true, false]) {
    await world.reset()
    await world.gateway.control.scriptSearch({ delayMs: 60_000 })
    await world.say(asksFor(search('01', 'tides')), answers(text('Never said.')))
    const leaving = new AbortController()
    const answer = post(world.gateway, world.key, question({ stream: streamed }), { signal: leaving.signal })
    const requestId = streamed ? requestIdOf(await answer) : undefined
    await until(async () => (await world.gateway.control.searches())[0])
    leaving.abort()
    await answer.catch(() => undefined)
    const record = requestId === undefined ? await abortedRecord() : (await recordsOf(world.gateway, requestId))[0]
    assert.deepEqual([record?.round, record?.webSearches, record?.flags.includes('aborted')], [0, 0, true])
    assert.equal(record?.usage.inputTokens, 100)
    await untilTrue(async () => (await inFlight()) === 0)
    assert.equal((await world.hostedBodies()).length, 1)
  }
})

/** A client that left before the head knows no id. */
async function abortedRecord() {
  const { database } = world.gateway
  assert.ok(database)
  const { rows } = await until(async () => {
    const found = await database.pool.query<{ request_id: string }>(
      'select request_id from spend_log where not streaming and flags & $1 <> 0',
      [flagBits(['aborted'])],
    )
    return found.rows.length > 0 ? found : undefined
  })
  return (await recordsOf(world.gateway, `req_${rows[0]?.request_id.replaceAll('-', '')}`))[0]
}

async function inFlight(): Promise<number> {
  const metrics = await (await fetch(`${world.gateway.url}/metrics`)).text()
  return Number(/^gateway_in_flight(?:\{[^}]*\})? (\S+)/m.exec(metrics)?.[1] ?? 0)
}

test('each round fails over for itself, and a round that no endpoint answers ends the turn with its error', async () => {
  await world.say(asksFor(search('01', 'tides')))
  await world.gateway.control.script({
    match: { operation: 'invoke', region: 'us-east-1', bodyContains: 'tool_result' },
    behaviour: { error: { status: 503, type: 'ServiceUnavailableException', message: 'busy' } },
  })
  const { events, response } = await stream(world.gateway, teamKey, question())
  assert.equal(events.at(-1)?.event, 'message_stop')
  const [first, second] = await world.records(requestIdOf(response), 2)
  assert.deepEqual([first?.attempts.length, second?.attempts.map(({ status }) => status)], [1, [503, 200]])

  await world.reset()
  await world.say(asksFor(search('01', 'tides')))
  await world.gateway.control.script({
    match: { operation: 'invoke', bodyContains: 'tool_result' },
    times: null,
    behaviour: { error: { status: 400, type: 'ValidationException', message: 'no more of this' } },
  })
  const broken = await stream(world.gateway, teamKey, question())
  const last = JSON.parse(broken.events.at(-1)?.data ?? '{}')
  assert.deepEqual([last.type, last.error?.message], ['error', 'no more of this'])
  assert.ok(!broken.events.some(({ event }) => event === 'message_stop'))
  const records = await world.records(requestIdOf(broken.response), 2)
  assert.deepEqual(
    records.map(({ round, status, costNanoUsd }) => [round, status, costNanoUsd > 0]),
    [
      [0, 200, true],
      [1, 400, false],
    ],
  )
})

test('a beta that the hosted service refuses is learned in one round and not sent in the next', async () => {
  await world.gateway.control.script({
    match: { operation: 'invoke' },
    times: null,
    behaviour: { rejectBetas: { betas: ['brand-new-2026-10-01'], named: true } },
  })
  const body = question({ messages: [{ role: 'user', content: 'Please search the web for tide tables' }] })
  const { events, response } = await stream(world.gateway, world.key, body, {
    'anthropic-beta': 'brand-new-2026-10-01',
  })
  assert.equal(events.at(-1)?.event, 'message_stop')
  const records = await world.records(requestIdOf(response), 2)
  assert.deepEqual(
    records.map(({ attempts, betasStripped }) => [attempts.length, betasStripped]),
    [
      [2, ['brand-new-2026-10-01']],
      [1, ['brand-new-2026-10-01']],
    ],
  )
})

test('a stream that breaks in a later round ends with an error, and both rounds are recorded', async () => {
  await world.say(asksFor(search('01', 'tides')))
  await world.gateway.control.script({
    match: { operation: 'invoke', bodyContains: 'tool_result' },
    behaviour: { cut: { afterEvents: 3 } },
  })
  const { events, response } = await stream(world.gateway, world.key, question())
  assert.equal(events.at(-1)?.event, 'error')
  assert.equal(events.filter(({ event }) => event === 'message_start').length, 1)
  const records = await world.records(requestIdOf(response), 2)
  assert.deepEqual(
    records.map(({ round, flags }) => [round, flags.includes('estimated')]),
    [
      [0, false],
      [1, true],
    ],
  )
})

test('a connection that closes after message_stop of a round does not end the search', async () => {
  const { control } = world.gateway
  const asking = asksFor(search('01', 'tides'))
  await world.say(asking)
  const usual = await stream(world.gateway, world.key, question())
  const operation = 'InvokeModelWithResponseStream'
  const afterEvents = (await control.ledger({ operation })).at(-2)?.eventsSent ?? 0
  assert.ok(afterEvents > 3)
  const answer = { content: asking.content, stopReason: asking.stop, usage: { input_tokens: 100, output_tokens: 10 } }
  await control.script({
    match: { operation: 'invoke', bodyContains: '"web_search"' },
    behaviour: { answer, cut: { afterEvents, how: 'close' } },
  })
  const { events, response } = await stream(world.gateway, world.key, question())
  const names = (answer: typeof events) => answer.map(({ event }) => event).filter((event) => event !== 'ping')
  assert.deepEqual(names(events), names(usual.events))
  const records = await world.records(requestIdOf(response), 2)
  assert.deepEqual(
    records.map(({ errorType, flags, stopReason }) => [errorType, flags, stopReason]),
    [
      [null, [], 'tool_use'],
      [null, [], 'end_turn'],
    ],
  )
})

test('a model that takes no citable results gets plain text after one refusal, and is not asked again', async () => {
  const refusal =
    "messages.2.content.0.tool_result.content.0: Input tag 'search_result' found using 'type' does not match"
  await world.gateway.control.script({
    match: { operation: 'invoke', model: 'anthropic.claude-haiku-5-5', bodyContains: '"search_result"' },
    times: null,
    behaviour: { error: { status: 400, type: 'ValidationException', message: refusal } },
  })
  const body = question({
    model: 'claude-haiku-5-5',
    messages: [{ role: 'user', content: 'Please search the web for tide tables' }],
  })
  const attempts: number[] = []
  for (let n = 0; n < 2; n++) {
    const { events, response } = await stream(world.gateway, world.key, body)
    assert.equal(events.at(-1)?.event, 'message_stop')
    attempts.push(...(await world.records(requestIdOf(response), 2)).map((record) => record.attempts.length))
  }
  assert.deepEqual(attempts, [1, 2, 1, 1])
  const words = String((await lastToolResult())['content'])
  assert.match(words, /^1\. Overview: tide tables\nhttps:\/\/example\.com\/overview\/tide%20tables\nResult 1 about/)
})
