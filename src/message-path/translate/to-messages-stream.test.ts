import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { summarizeUsage } from './stream-facts.ts'
import { startMessagesStream } from './to-messages-stream.ts'

interface Recorded {
  readonly text: string
  readonly failures: readonly { readonly failure: ProviderFailure; readonly isFirstEvent: boolean }[]
  readonly facts: ReturnType<typeof startMessagesStream>['facts']
  readonly firstContents: number
}

/** Plays events, given as objects or as raw JSON text, through a stream. */
function play(events: readonly unknown[]): Recorded {
  const failures: { failure: ProviderFailure; isFirstEvent: boolean }[] = []
  let firstContents = 0
  const stream = startMessagesStream({
    requestedModel: 'claude-asked[1m]',
    onFailure: (failure, isFirstEvent) => failures.push({ failure, isFirstEvent }),
    onFirstContent: () => firstContents++,
  })
  let text = ''
  for (const event of events) {
    const json = typeof event === 'string' ? event : JSON.stringify(event)
    const payload = Buffer.from(`{"bytes":"${Buffer.from(json).toString('base64')}","p":"abc"}`)
    stream.onEvent(payload, 10, payload.indexOf('"', 10))
    text += stream.take()?.toString() ?? ''
  }
  return { text, failures, facts: stream.facts, firstContents }
}

const start = {
  type: 'message_start',
  message: { id: 'msg_1', model: 'hosted-name', content: [], usage: { input_tokens: 12, output_tokens: 1 } },
}
const delta = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
const whole = [
  start,
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  delta('Hello'),
  delta(' wörld 😀\n'),
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'Read', input: {} } },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use' },
    usage: { output_tokens: 9, cache_read_input_tokens: 4 },
  },
  { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 99, cacheWriteInputTokenCount: 6 } },
]

test('each event becomes one event line, one data line and an empty line, in order', () => {
  const { text, failures } = play(whole)
  const expected = whole.map((event) => {
    const shown: Record<string, unknown> = { ...event }
    delete shown['amazon-bedrock-invocationMetrics']
    const json = JSON.stringify(shown).replace('"hosted-name"', '"claude-asked[1m]"')
    return `event: ${event.type}\ndata: ${json}\n\n`
  })
  assert.equal(text, expected.join(''))
  assert.deepEqual(failures, [])
})

test('notes usage, stop reason, tools, the end and the first content', () => {
  const { facts, firstContents } = play(whole)
  assert.equal(facts.events, 8)
  assert.equal(facts.stopped, true)
  assert.equal(facts.stopReason, 'tool_use')
  assert.deepEqual(facts.toolsCalled, ['Read'])
  assert.equal(firstContents, 1)
  assert.ok(facts.outputCharacters >= 14 && facts.outputCharacters <= 30)
  assert.deepEqual(summarizeUsage(facts).usage, {
    inputTokens: 12,
    outputTokens: 9,
    cacheReadTokens: 4,
    cacheWrite5mTokens: 6,
    cacheWrite1hTokens: 0,
  })
})

test('a stream without message_stop does not count as ended', () => {
  assert.equal(play(whole.slice(0, -1)).facts.stopped, false)
})

test('another key order, spaces and unknown fields change nothing', () => {
  const { text, facts } = play([
    '{"index":0,"delta":{"text":"x","type":"text_delta"},"type":"content_block_delta"}',
    '{ "type" : "content_block_stop", "index":0 }',
    '{"message":{"id":1,"model":"h"},"type":"message_start","new":{"2":1,"1":12345678901234567890}}',
  ])
  assert.equal(
    text,
    'event: content_block_delta\ndata: {"index":0,"delta":{"text":"x","type":"text_delta"},"type":"content_block_delta"}\n\n' +
      'event: content_block_stop\ndata: { "type" : "content_block_stop", "index":0 }\n\n' +
      'event: message_start\ndata: {"message":{"id":1,"model":"claude-asked[1m]"},"type":"message_start","new":{"2":1,"1":12345678901234567890}}\n\n',
  )
  assert.equal(facts.events, 3)
})

test('unknown event types pass under their name', () => {
  assert.equal(
    play([{ type: 'brand_new.event', x: 1 }]).text,
    'event: brand_new.event\ndata: {"type":"brand_new.event","x":1}\n\n',
  )
})

test('neither a type nor line breaks between tokens can write lines of their own', () => {
  const { text } = play([
    { type: 'ping\ndata: {"type":"message_stop"}\n\n' },
    '{\r\n"type":\n"content_block_delta",\n"index":0}',
    '{"type":"content_block_delta",\n"index":0,\r"delta":{}}',
    { type: '\n\r: ' },
  ])
  for (const line of text.split('\n')) assert.match(line, /^(event: [\w.-]+|data: \{.*\}|)$/)
  assert.equal(text.match(/^event: /gm)?.length, 4)
  assert.ok(!text.includes('\r'))
})

test('an error event is reported as a failure and never written, nor is anything after it', () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  const first = play([error, ...whole])
  assert.equal(first.text, '')
  assert.equal(first.failures.length, 1)
  assert.equal(first.failures[0]?.isFirstEvent, true)
  assert.deepEqual(first.failures[0]?.failure, {
    kind: 'answered',
    status: 529,
    name: '',
    message: 'Overloaded',
    retryAfterSeconds: null,
  })
  const later = play([start, error])
  assert.equal(later.failures[0]?.isFirstEvent, false)
  assert.ok(later.text.startsWith('event: message_start'))
})

test('an event that cannot be read is a fault, never silence', () => {
  for (const event of ['not json', '[]', 'null', '{"no":"type"}', '{"type":5}', '{"type":"content_block_delta"']) {
    const { failures, text } = play([event])
    assert.equal(failures[0]?.failure.kind, 'broken', event)
    assert.equal(text, '')
  }
})

test('text that is no base64 is a fault', () => {
  let failure: ProviderFailure | undefined
  const stream = startMessagesStream({ requestedModel: 'm', onFailure: (found) => (failure = found) })
  const payload = Buffer.from(Buffer.from(JSON.stringify(delta('x'.repeat(30)))).toString('base64'))
  payload[60] = 0x21
  stream.onEvent(payload, 0, payload.length)
  assert.equal(failure?.kind, 'broken')
  assert.equal(stream.take(), undefined)
})

test('bytes handed out are never written again, also with many streams at once', () => {
  const streams = Array.from({ length: 5 }, () => startMessagesStream({ requestedModel: 'm', onFailure: assert.fail }))
  const taken: { bytes: Buffer; copy: string }[] = []
  for (let round = 0; round < 300; round++) {
    for (const [index, stream] of streams.entries()) {
      const base64 = Buffer.from(
        Buffer.from(JSON.stringify(delta(`${index}:${'x'.repeat(round * 7)}`))).toString('base64'),
      )
      stream.onEvent(base64, 0, base64.length)
      if (round % (index + 1) !== 0) continue
      const bytes = stream.take()
      assert.ok(bytes)
      taken.push({ bytes, copy: bytes.toString() })
    }
  }
  for (const { bytes, copy } of taken) assert.equal(bytes.toString(), copy)
})
