import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import type { Behaviour } from './behaviour.ts'
import { type ControlClient, controlClient } from './control-client.ts'
import type { LedgerEntry } from './ledger.ts'
import { type Simulator, startSimulator } from './simulator.ts'
import { minimalBody, type RawReply, readFrames, sendSigned, signedHeaders, toEvent } from './test-client.fixture.ts'

const STREAM = '/model/us.anthropic.claude-opus-4-8/invoke-with-response-stream'
const INVOKE = '/model/us.anthropic.claude-opus-4-8/invoke'
let simulator: Simulator
let control: ControlClient

before(async () => {
  simulator = await startSimulator({ settings: { tokenMode: 'fingerprint' } })
  control = controlClient(simulator.controlUrl)
})
beforeEach(() => control.reset())
after(() => simulator.close())

async function streamWith(behaviour: Behaviour): Promise<RawReply> {
  await control.script({ behaviour })
  return sendSigned(simulator, { path: STREAM, body: minimalBody() })
}

async function lastEntry(): Promise<LedgerEntry> {
  // The ledger learns of a broken connection a moment after the caller does.
  for (;;) {
    const entry = (await control.ledger()).at(-1)
    if (entry && entry.durationMs !== null) return entry
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test('a plain stream is whole, in order, and ends with the invocation metrics', async () => {
  const reply = await sendSigned(simulator, { path: STREAM, body: minimalBody() })
  const { frames, rest } = readFrames(reply.body)
  const types = frames.map((frame) => toEvent(frame).type)
  assert.equal(rest.length, 0)
  assert.deepEqual(
    [types[0], types[1], types.at(-3), types.at(-2), types.at(-1)],
    ['message_start', 'content_block_start', 'content_block_stop', 'message_delta', 'message_stop'],
  )
  const last = frames.at(-1)
  assert.ok(last)
  const metrics = toEvent(last)['amazon-bedrock-invocationMetrics'] as Record<string, number>
  const entry = await lastEntry()
  assert.equal(metrics['inputTokenCount'], 1_000_000 + entry.n)
  assert.deepEqual([entry.completed, entry.aborted, entry.eventsSent], [true, false, frames.length])
  assert.deepEqual(entry.usageSent, entry.usage)
  assert.equal(reply.headers['x-amzn-requestid'], entry.requestId)
  assert.equal(reply.headers['content-type'], 'application/vnd.amazon.eventstream')
})

test('an error is sent with its status, name, text and headers, once', async () => {
  const error = { status: 503, type: 'ServiceUnavailableException', message: 'later', headers: { 'retry-after': '3' } }
  const reply = await streamWith({ error })
  assert.equal(reply.status, 503)
  assert.equal(reply.headers['x-amzn-errortype'], 'ServiceUnavailableException')
  assert.equal(reply.headers['retry-after'], '3')
  assert.deepEqual(JSON.parse(reply.body.toString()), { message: 'later' })
  assert.equal((await sendSigned(simulator, { path: STREAM, body: minimalBody() })).status, 200)
  assert.deepEqual(await control.scripts(), [])
})

test('a script applies only to the calls it names, and stays when told to', async () => {
  await control.script({
    match: { region: 'eu-west-1', model: 'anthropic.claude-opus-4-8' },
    times: null,
    behaviour: { throttle: true },
  })
  const send = (region: string, prefix: string) =>
    sendSigned(simulator, { path: `/model/${prefix}.anthropic.claude-opus-4-8/invoke`, region, body: minimalBody() })
  assert.equal((await send('us-east-1', 'us')).status, 200)
  for (const _ of [1, 2, 3]) assert.equal((await send('eu-west-1', 'eu')).status, 429)
  const other = { path: '/model/eu.anthropic.claude-opus-5/invoke', region: 'eu-west-1', body: minimalBody() }
  assert.equal((await sendSigned(simulator, other)).status, 200)
  assert.equal((await control.scripts())[0]?.taken, 3)
})

test('a reset before the headers reaches the caller as a reset', async () => {
  await control.script({ behaviour: { reset: true } })
  await assert.rejects(sendSigned(simulator, { path: STREAM, body: minimalBody() }), { code: 'ECONNRESET' })
})

test('a hang ends without an answer, a delay ends with one', async () => {
  await control.script({ behaviour: { hangMs: 60 } })
  const startedAt = performance.now()
  await assert.rejects(sendSigned(simulator, { path: STREAM, body: minimalBody() }), { code: 'ECONNRESET' })
  assert.ok(performance.now() - startedAt >= 58)
  const delayedFrom = performance.now()
  assert.equal((await streamWith({ delayMs: 60 })).status, 200)
  assert.ok(performance.now() - delayedFrom >= 58)
})

test('silence holds the stream back after the given event', async () => {
  const startedAt = performance.now()
  const reply = await streamWith({ silence: { afterEvents: 2, ms: 80 } })
  assert.ok(performance.now() - startedAt >= 78)
  assert.equal(toEvent(readFrames(reply.body).frames.at(-1)!).type, 'message_stop')
})

test('an exception frame ends the stream after k events', async () => {
  const reply = await streamWith({
    exception: { afterEvents: 4, type: 'modelStreamErrorException', body: { message: 'm', originalStatusCode: 500 } },
  })
  const { frames } = readFrames(reply.body)
  assert.equal(frames.length, 5)
  assert.equal(frames[4]?.headers[':exception-type'], 'modelStreamErrorException')
  assert.deepEqual(JSON.parse(frames[4]?.payload.toString() ?? ''), { message: 'm', originalStatusCode: 500 })
  const entry = await lastEntry()
  assert.deepEqual([entry.completed, entry.eventsSent], [false, 4])
})

test('an error frame and an error inside a chunk both end the stream', async () => {
  const framed = readFrames(
    (await streamWith({ errorFrame: { afterEvents: 2, code: 'InternalFailure', message: 'x' } })).body,
  ).frames
  assert.deepEqual(
    [framed.length, framed[2]?.headers[':message-type'], framed[2]?.headers[':error-code']],
    [3, 'error', 'InternalFailure'],
  )
  const chunked = readFrames(
    (await streamWith({ errorEvent: { afterEvents: 2, error: { type: 'overloaded_error', message: 'Overloaded' } } }))
      .body,
  ).frames
  assert.equal(chunked.length, 3)
  assert.deepEqual(toEvent(chunked[2]!), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
})

test('a cut after k events breaks the connection there, and the ledger knows what had been sent', async () => {
  const reply = await streamWith({ cut: { afterEvents: 1 } })
  assert.equal(reply.broken, 'ECONNRESET')
  assert.equal(readFrames(reply.body).frames.length, 1)
  const entry = await lastEntry()
  assert.deepEqual([entry.completed, entry.eventsSent, entry.usageSent?.input], [false, 1, 1_000_000 + entry.n])
  assert.equal(entry.usageSent?.output, 2)
  assert.equal(entry.usage?.output, 7 + (entry.n % 97))
})

test('a cut can also end the body as if it were complete', async () => {
  const reply = await streamWith({ cut: { afterEvents: 3, how: 'end' } })
  assert.equal(reply.broken, undefined)
  assert.equal(readFrames(reply.body).frames.length, 3)
  assert.equal((await lastEntry()).completed, false)
})

test('a cut after n bytes sends exactly n bytes', async () => {
  for (const afterBytes of [1, 11, 200]) {
    const reply = await streamWith({ cut: { afterBytes } })
    assert.equal(reply.body.length, afterBytes)
    assert.equal(reply.broken, 'ECONNRESET')
  }
})

test('a corrupted frame fails its checksum and the frames before it do not', async () => {
  const prelude = await streamWith({ corrupt: { frame: 0, offset: 9 } })
  assert.throws(() => readFrames(prelude.body), /prelude checksum/)
  const payload = await streamWith({ corrupt: { frame: 3, offset: -10 } })
  assert.throws(() => readFrames(payload.body), /message checksum/)
})

test('raw and extra bytes go out as they are', async () => {
  const extra = readFrames((await streamWith({ extraBytes: { hex: 'deadbeef' } })).body)
  assert.equal(extra.rest.toString('hex'), 'deadbeef')
  const raw = await streamWith({ rawBytes: { afterEvents: 0, hex: '7fffffff' } })
  assert.equal(raw.body.subarray(0, 4).toString('hex'), '7fffffff')
})

test('small writes reach a socket in pieces and add up to the same stream', async () => {
  await control.script({ behaviour: { writeBytes: 7 } })
  const { hostname, port } = new URL(simulator.url)
  const body = minimalBody()
  const headers = await signedHeaders(hostname, Number(port), {
    path: STREAM,
    body,
    accessKey: simulator.accessKey,
    secretKey: simulator.secretKey,
  })
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ ...headers, 'content-length': String(body.length), connection: 'close' }).map(
    ([k, v]) => `${k}: ${v}`,
  )
  socket.write(`POST ${STREAM} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  let text = ''
  for await (const chunk of socket) text += (chunk as Buffer).toString('latin1')
  const sizes = [...text.matchAll(/\r\n([0-9a-f]+)\r\n/g)].map((match) => Number.parseInt(match[1] ?? '', 16))
  assert.ok(sizes.filter((size) => size === 7).length > 100)
})

test('an HTML page stands in for a broken proxy', async () => {
  const reply = await streamWith({ html: { status: 502 } })
  assert.deepEqual([reply.status, reply.headers['content-type']], [502, 'text/html'])
  assert.match(reply.body.toString(), /502 Bad Gateway/)
})

test('an answer can be dictated, odd counts included', async () => {
  const usage = {
    input_tokens: -1,
    output_tokens: 1e12,
    cache_read_input_tokens: '12',
    cache_creation_input_tokens: null,
  }
  const content = [{ type: 'text', text: 'dictated' }]
  await control.script({
    behaviour: { answer: { content, stopReason: 'refusal', usage, omitUsage: ['cache_creation'] } },
  })
  const message = JSON.parse((await sendSigned(simulator, { path: INVOKE, body: minimalBody() })).body.toString())
  assert.deepEqual([message.content, message.stop_reason], [content, 'refusal'])
  assert.deepEqual(message.usage, usage)
  const bare = readFrames((await streamWith({ answer: { omitUsage: 'all' } })).body).frames.map(toEvent)
  assert.ok(bare.every((event) => !('usage' in event)))
  assert.ok(!JSON.stringify(bare[0]).includes('usage'))
})

test('pace spreads the events over time', async () => {
  const startedAt = performance.now()
  await streamWith({ pace: { eventsPerSecond: 200, firstEventDelayMs: 30 } })
  assert.ok(performance.now() - startedAt > 60)
})

test('rejected betas and fields hit only requests that carry them', async () => {
  await control.script({ times: null, behaviour: { rejectBetas: { betas: ['effort-2025-11-24'] } } })
  await control.script({ times: null, behaviour: { rejectFields: { paths: ['tools.*.custom.description'] } } })
  const send = async (extra: Record<string, unknown>) => {
    const reply = await sendSigned(simulator, { path: INVOKE, body: minimalBody(extra) })
    return reply.status === 200 ? 200 : JSON.parse(reply.body.toString()).message
  }
  const tool = { name: 'a', input_schema: { type: 'object' } }
  assert.equal(await send({}), 200)
  assert.equal(await send({ anthropic_beta: ['effort-2025-11-24'] }), 'invalid beta flag')
  assert.equal(await send({ tools: [tool] }), 200)
  assert.equal(
    await send({ tools: [tool, { ...tool, name: 'b', description: 'd' }] }),
    'tools.1.custom.description: Extra inputs are not permitted',
  )
})

test('a caller that leaves is recorded as aborted, with the events it could have seen', async () => {
  await control.script({ behaviour: { pace: { eventsPerSecond: 5, firstEventDelayMs: 0 } } })
  const { hostname, port } = new URL(simulator.url)
  const body = minimalBody()
  const headers = await signedHeaders(hostname, Number(port), {
    path: STREAM,
    body,
    accessKey: simulator.accessKey,
    secretKey: simulator.secretKey,
  })
  const leaving = new AbortController()
  const reply = await fetch(`${simulator.url}${STREAM}`, { method: 'POST', headers, body, signal: leaving.signal })
  await reply.body?.getReader().read()
  leaving.abort()
  const entry = await lastEntry()
  assert.deepEqual([entry.aborted, entry.completed], [true, false])
  assert.ok(entry.eventsSent >= 1 && entry.eventsSent < 8)
})

test('a misspelt behaviour is refused instead of ignored', async () => {
  await assert.rejects(
    control.script({ behaviour: { thottle: true } as unknown as Behaviour }),
    /behaviour\.thottle: unknown/,
  )
})

test('a caller that leaves before a plain answer is not recorded as served', async () => {
  await control.script({ behaviour: { delayMs: 3_600_000 } })
  const { hostname, port } = new URL(simulator.url)
  const body = minimalBody()
  const keys = { accessKey: simulator.accessKey, secretKey: simulator.secretKey }
  const headers = await signedHeaders(hostname, Number(port), { path: INVOKE, body, ...keys })
  const earlier = (await control.ledger()).length
  const leaving = new AbortController()
  const asked = fetch(`${simulator.url}${INVOKE}`, { method: 'POST', headers, body, signal: leaving.signal })
  void asked.catch(() => undefined)
  while ((await control.ledger()).length === earlier) await new Promise((resolve) => setTimeout(resolve, 10))
  leaving.abort()
  await assert.rejects(asked)
  const entry = await lastEntry()
  assert.deepEqual([entry.aborted, entry.completed, entry.usageSent], [true, false, null])
})
