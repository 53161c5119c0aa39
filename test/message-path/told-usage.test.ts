/** Where an answer tells what it used differs by deployment; what is charged must not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chunkFrame } from '../bedrock/frames.ts'
import { asEvent, hello, post, requestIdOf, stream } from './path-client.ts'
import { type RawGateway, startRawGateway } from './raw-gateway.ts'
import { answerWhole, streamHead } from './raw-host.ts'

let raw: RawGateway

before(async () => {
  raw = await startRawGateway()
})

after(() => raw.stop())

const text = 'Some thirty-five characters of words. '.repeat(10)

interface Told {
  readonly atStart?: object
  readonly atEnd?: object
  readonly metrics?: object
}

function eventsOf({ atStart, atEnd, metrics }: Told): readonly object[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null }
  return [
    { type: 'message_start', message: { ...message, ...(atStart && { usage: atStart }) } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, ...(atEnd && { usage: atEnd }) },
    { type: 'message_stop', ...(metrics && { 'amazon-bedrock-invocationMetrics': metrics }) },
  ]
}

async function charge(told: Told) {
  raw.host.answer = (_path, response) => {
    response.writeHead(200, streamHead)
    response.end(Buffer.concat(eventsOf(told).map((event) => chunkFrame(JSON.stringify(event)))))
  }
  const { response, events } = await stream(raw.gateway, raw.key)
  assert.equal(events.at(-1)?.event, 'message_stop')
  return await asEvent(raw.gateway, requestIdOf(response))
}

const begun = { input_tokens: 40, output_tokens: 2 }

for (const [where, told] of [
  ['at both ends', { atStart: begun, atEnd: { output_tokens: 90 } }],
  ['at the end alone', { atEnd: { input_tokens: 40, output_tokens: 90 } }],
  ['in the measurements alone', { metrics: { inputTokenCount: 40, outputTokenCount: 90 } }],
  ['at the start and in the measurements', { atStart: begun, metrics: { inputTokenCount: 40, outputTokenCount: 90 } }],
  [
    'with nothing at the end',
    { atStart: begun, atEnd: { output_tokens: null }, metrics: { inputTokenCount: 40, outputTokenCount: 90 } },
  ],
  [
    'by the model, whatever the measurements say',
    { atStart: begun, atEnd: { output_tokens: 90 }, metrics: { outputTokenCount: 5 } },
  ],
] as const)
  test(`usage that is told ${where} is charged as it was`, async () => {
    const { usage, flags } = await charge(told)
    assert.deepEqual([usage.inputTokens, usage.outputTokens, flags], [40, 90, []])
  })

test('an output of which only the beginning was told is estimated, and says so', async () => {
  const { usage, flags } = await charge({ atStart: begun })
  assert.equal(usage.inputTokens, 40)
  assert.ok(usage.outputTokens > 80, `${usage.outputTokens} tokens for ${text.length} characters`)
  assert.deepEqual(flags, ['estimated'])
})

test('a whole answer that tells nothing is charged for what it says, and one that tells its output for that', async () => {
  const outputs = []
  for (const usage of [undefined, { output_tokens: 7 }]) {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text }], usage }
    raw.host.answer = (_path, response) => answerWhole(response, JSON.stringify(message))
    for (const path of ['/v1/messages', '/model/us.anthropic.claude-sonnet-5/invoke']) {
      const response = await post(raw.gateway, raw.key, hello, { path })
      assert.equal(response.status, 200)
      const record = await asEvent(raw.gateway, requestIdOf(response))
      assert.deepEqual(record.flags, ['estimated'])
      outputs.push(record.usage.outputTokens)
    }
  }
  const characters = Math.ceil(text.length / 3.5)
  assert.deepEqual(outputs, [characters, characters, 7, 7])
})
