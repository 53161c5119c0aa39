import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import type { Behaviour } from '../../simulator/behaviour.ts'
import { answerLimits } from '../../src/message-path/answer/answer-limits.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { asEvent, gaugeOf, hello, parseEvents, post, requestIdOf, stream, untilTrue } from './path-client.ts'

const PING_AFTER_MS = 200
const HEAD_AFTER_MS = 400

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    simulatorSettings: { tokenMode: 'fingerprint' },
    answerLimits: { pingAfterMs: PING_AFTER_MS, headAfterMs: HEAD_AFTER_MS, drainMs: 100 },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
})

after(() => gateway.stop())

function scripted(behaviour: Behaviour): Promise<unknown> {
  return gateway.control.script({ match: { operation: 'invoke' }, behaviour })
}

/** Each read with the moment it came. */
async function readTimed(response: Response): Promise<{ text: string; atMs: number }[]> {
  const reads: { text: string; atMs: number }[] = []
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? [])
    reads.push({ text: decoder.decode(chunk, { stream: true }), atMs: performance.now() })
  return reads
}

test('the times of the contract are the usual ones', () => {
  assert.deepEqual(answerLimits, {
    pingAfterMs: 10_000,
    headAfterMs: 15_000,
    drainMs: 30_000,
    maxDrains: 50,
    unreadMs: 3_600_000,
  })
})

test('every event is in the hands of the client before the next one is sent', async () => {
  const answer = { content: [{ type: 'text', text: 'one two three four five six seven eight nine ten' }] }
  for (let sent = 1; sent <= 8; sent += 1) {
    await scripted({ answer, silence: { afterEvents: sent, ms: 3_600_000 } })
    const leaving = new AbortController()
    const response = await post(gateway, key, { ...hello, stream: true }, { signal: leaving.signal })
    const reader = (response.body ?? new ReadableStream()).getReader()
    const decoder = new TextDecoder()
    let text = ''
    const seen = (): number => parseEvents(text).filter(({ event }) => event !== 'ping').length
    while (seen() < sent) text += decoder.decode((await reader.read()).value, { stream: true })
    assert.equal(seen(), sent)
    leaving.abort()
  }
})

test('silence is filled with pings between whole events, and none come while events flow', async () => {
  await scripted({ silence: { afterEvents: 3, ms: 5 * PING_AFTER_MS } })
  const { text, events } = await stream(gateway, key)
  const names = events.map(({ event }) => event)
  const pings = names.filter((name) => name === 'ping').length
  assert.ok(pings >= 1)
  assert.deepEqual(names.slice(0, 3), ['message_start', 'content_block_start', 'content_block_delta'])
  assert.equal(names.at(-1), 'message_stop')
  for (const { data } of events) assert.equal(typeof JSON.parse(data).type, 'string')
  assert.ok(text.endsWith('\n\n'))
  assert.ok(!(await stream(gateway, key)).events.some(({ event }) => event === 'ping'))
})

test('the head goes out some time after that of the hosted service, with pings, and the answer follows', async () => {
  await scripted({ silence: { afterEvents: 0, ms: 6 * HEAD_AFTER_MS } })
  const startedMs = performance.now()
  const response = await post(gateway, key, { ...hello, stream: true })
  const headMs = performance.now() - startedMs
  assert.ok(headMs >= HEAD_AFTER_MS - 20, `head after ${headMs} ms`)
  const text = (await readTimed(response)).map((read) => read.text).join('')
  assert.match(text, /^event: ping\n/)
  assert.match(text, /event: message_stop\n/)
})

test('a failure after a head without events becomes an error event, because no status can be sent any more', async () => {
  await scripted({ silence: { afterEvents: 0, ms: 2 * HEAD_AFTER_MS }, cut: { afterEvents: 0, how: 'reset' } })
  const { response, events } = await stream(gateway, key)
  assert.equal(response.status, 200)
  assert.equal(events.at(-1)?.event, 'error')
  const record = await asEvent(gateway, requestIdOf(response))
  assert.equal(record.status >= 500, true)
})

const garbage = '00ff'.repeat(20)
const faults: readonly (readonly [name: string, behaviour: Behaviour])[] = [
  ['a reset', { cut: { afterEvents: 4, how: 'reset' } }],
  ['a close', { cut: { afterEvents: 4, how: 'close' } }],
  ['a clean but early end', { cut: { afterEvents: 4, how: 'end' } }],
  ['a throttling exception', { exception: { afterEvents: 4, type: 'throttlingException' } }],
  [
    'a model error exception',
    {
      exception: {
        afterEvents: 4,
        type: 'modelStreamErrorException',
        body: { message: 'broke', originalStatusCode: 500, originalMessage: 'x' },
      },
    },
  ],
  ['an internal exception', { exception: { afterEvents: 4, type: 'internalServerException' } }],
  ['an error frame', { errorFrame: { afterEvents: 4, code: 'InternalFailure' } }],
  [
    'an error inside a chunk',
    { errorEvent: { afterEvents: 4, error: { type: 'overloaded_error', message: 'too busy' } } },
  ],
  ['a wrong checksum', { corrupt: { frame: 4, offset: -1 } }],
  ['a wrong length', { corrupt: { frame: 4, offset: 0 } }],
  ['a wrong header', { corrupt: { frame: 4, offset: 20 } }],
  ['bytes between frames', { rawBytes: { afterEvents: 4, hex: garbage } }],
  ['bytes after the end', { extraBytes: { hex: garbage } }],
  ['one byte after the end', { extraBytes: { hex: '00' } }],
]

for (const [name, behaviour] of faults) {
  test(`${name} ends the stream with an error and never as if it were whole`, async () => {
    const endings = []
    for (const writes of [{}, { writeBytes: 97 }]) {
      await scripted({ ...behaviour, ...writes })
      const { response, text, events } = await stream(gateway, key)
      assert.equal(response.status, 200)
      assert.doesNotMatch(text, /message_stop/)
      const last = events.at(-1)
      assert.equal(last?.event, 'error')
      const { error } = JSON.parse(last?.data ?? '{}') as { error: { type: string; message: string } }
      assert.match(error.type, /_error$/)
      assert.ok(error.message.length > 5)
      if (behaviour.extraBytes === undefined) assert.equal(events[0]?.event, 'message_start')
      endings.push({ id: requestIdOf(response), type: error.type })
    }
    for (const { id, type } of endings) {
      const record = await asEvent(gateway, id)
      assert.equal(record.status, 200)
      assert.equal(record.errorType, type)
      assert.ok(record.flags.includes('estimated'))
      assert.ok(record.usage.inputTokens > 1_000_000, 'the usage of the first event is known')
      assert.equal(record.attempts.length, 1)
    }
  })
}

test('a stream that breaks is charged for the prompt that it has reported, in whatever kind, and for no guess beside it', async () => {
  const none = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  const written = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 }
  const prompts = [
    { ...none, cache_creation: written, cache_read_input_tokens: 5_000 },
    { ...none, cache_creation: { ...written, ephemeral_5m_input_tokens: 5_000 }, cache_creation_input_tokens: 5_000 },
    { ...none, cache_creation: { ...written, ephemeral_1h_input_tokens: 5_000 }, cache_creation_input_tokens: 5_000 },
  ]
  for (const usage of prompts) {
    await scripted({ answer: { usage }, cut: { afterEvents: 4, how: 'close' } })
    const { response } = await stream(gateway, key)
    const { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens } = (
      await asEvent(gateway, requestIdOf(response))
    ).usage
    assert.equal(inputTokens, 0, JSON.stringify(usage))
    assert.equal(cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens, 5_000)
  }
})

test('a cut at every border and inside every frame ends with an error and one record each', async () => {
  await scripted({ answer: { content: [{ type: 'text', text: 'a b' }] } })
  await stream(gateway, key)
  const ids: string[] = []
  let wholeAt = 0
  for (let afterBytes = 1; wholeAt === 0; afterBytes += 61) {
    await scripted({ answer: { content: [{ type: 'text', text: 'a b' }] }, cut: { afterBytes, how: 'close' } })
    const { response, text } = await stream(gateway, key)
    if (response.status === 200) {
      if (text.includes('message_stop')) wholeAt = afterBytes
      else assert.match(text, /event: error\n/)
    } else assert.equal(response.status, 502)
    ids.push(requestIdOf(response))
  }
  assert.ok(ids.length > 20)
  for (const id of ids) assert.equal((await asEvent(gateway, id)).attempts.length, 1)
})

test('a connection that closes after message_stop leaves the message complete, in both forms, with one normal record', async () => {
  const answer = { content: [{ type: 'text', text: 'a b' }] }
  await scripted({ answer })
  const { events } = await stream(gateway, key)
  const afterEvents = events.filter(({ event }) => event !== 'ping').length
  const hosted = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 200, messages: hello.messages }
  for (const writes of [{}, { writeBytes: 97 }]) {
    const cut = { afterEvents, how: 'close' } as const
    await scripted({ answer, cut, ...writes })
    const messages = await stream(gateway, key)
    const names = (answer: typeof events) => answer.map(({ event }) => event).filter((event) => event !== 'ping')
    assert.deepEqual(names(messages.events), names(events))
    await scripted({ answer, cut, ...writes })
    const path = '/model/claude-sonnet-5/invoke-with-response-stream'
    const frames = await post(gateway, key, hosted, { path })
    const bytes = Buffer.from(await frames.arrayBuffer()).toString('latin1')
    assert.doesNotMatch(bytes, /:exception-type/)
    assert.match(bytes, new RegExp(Buffer.from('{"type":"message_stop"').toString('base64').slice(0, 28)))
    for (const response of [messages.response, frames]) {
      const { status, errorType, stopReason, flags, usage } = await asEvent(gateway, requestIdOf(response))
      assert.deepEqual([status, errorType, stopReason, flags], [200, null, 'end_turn', []])
      assert.ok(usage.inputTokens > 1_000_000 && usage.outputTokens > 0)
    }
  }
})

test('a hosted service that does not hang up after the last event is not waited for', async () => {
  const answer = { content: [{ type: 'text', text: 'a b' }] }
  await scripted({ answer })
  const { events } = await stream(gateway, key)
  await scripted({ answer, silence: { afterEvents: events.length, ms: 3_600_000 } })
  const { text } = await stream(gateway, key)
  assert.match(text, /event: message_stop/)
  await untilTrue(async () => (await gateway.control.ledger()).at(-1)?.aborted === true)
})

test('two hundred streams are open at once, and none waits for the end of another', async () => {
  await gateway.control.script({
    match: { operation: 'invoke' },
    times: 200,
    behaviour: { silence: { afterEvents: 2, ms: 60_000 } },
  })
  const leaving = new AbortController()
  const opened = await Promise.all(
    Array.from({ length: 200 }, () => post(gateway, key, { ...hello, stream: true }, { signal: leaving.signal })),
  )
  for (const response of opened) assert.equal(response.status, 200)
  assert.equal(await gaugeOf(gateway, 'gateway_open_streams'), 200)
  leaving.abort()
})

test('no stream, call or timer stays behind', async () => {
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 0)
  assert.equal(await gaugeOf(gateway, 'gateway_open_streams'), 0)
})

test('what is no HTTP behind a request ends its stream and is not answered in the middle of it', async () => {
  await scripted({ pace: { eventsPerSecond: 5, firstEventDelayMs: 0 } })
  const body = JSON.stringify({ ...hello, stream: true })
  const socket = connect(gateway.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  let received = ''
  for await (const chunk of socket) {
    if (received === '') socket.write('no HTTP\r\n\r\n')
    received += String(chunk)
  }
  assert.match(received, /^HTTP\/1\.1 200 /)
  assert.equal(received.split('HTTP/1.1 ').length - 1, 1, received)
})
