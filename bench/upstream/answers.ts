/** The answers of the stub, as the bytes that go onto the wire. Built once: the stub must never be what is measured. */
import { eventFrame } from './frames.ts'

const MODEL = 'claude-sonnet-5'
const USAGE = { input_tokens: 512, output_tokens: 296, cache_read_input_tokens: 2048, cache_creation_input_tokens: 128 }
const METRICS = { inputTokenCount: 512, outputTokenCount: 296, invocationLatency: 2100, firstByteLatency: 310 }

export interface StreamBytes {
  readonly head: Buffer
  /** Each one an HTTP chunk of its own, as the hosted service sends them. */
  readonly events: readonly Buffer[]
  readonly end: Buffer
}

const answerText = 'The test fails because the clock is read twice. I moved the second reading in front of the loop.'

export const invokeAnswer = jsonResponse({
  model: MODEL,
  id: 'msg_bdrk_01bench',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: answerText }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
})

/** What Portkey asks for: it speaks Converse to the hosted service. */
export const converseAnswer = jsonResponse({
  metrics: { latencyMs: 2100 },
  output: { message: { role: 'assistant', content: [{ text: answerText }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 512, outputTokens: 296, totalTokens: 808 },
})

export const profilesAnswer = jsonResponse({
  inferenceProfileSummaries: [
    {
      inferenceProfileId: `us.anthropic.${MODEL}`,
      inferenceProfileArn: `arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.${MODEL}`,
      inferenceProfileName: 'Sonnet',
      status: 'ACTIVE',
      type: 'SYSTEM_DEFINED',
      models: [{ modelArn: `arn:aws:bedrock:us-east-1::foundation-model/anthropic.${MODEL}` }],
    },
  ],
})

export const emptyAnswer = jsonResponse({})

function jsonResponse(body: unknown): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-amzn-requestid: 1f2e3d4c\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

const streamHead = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\nx-amzn-requestid: 1f2e3d4c\r\n' +
    'x-amzn-bedrock-content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
)
const lastChunk = Buffer.from('0\r\n\r\n')

const words = 'the second reading moves in front of the loop so that both branches see one time'.split(' ')

function wordAt(index: number): string {
  return ` ${words[index % words.length]} ${words[(index * 7) % words.length]}`
}

/** Padding of the hosted service: it hides the length of tokens, and it varies. */
function padding(index: number): string {
  return 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.slice(0, 1 + ((index * 17) % 60))
}

/** A Messages stream of exactly `count` events in the frames of invoke-with-response-stream. */
export function invokeStream(count: number): StreamBytes {
  const deltas = Array.from({ length: count - 5 }, (_, index) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: wordAt(index) },
  }))
  const message = { id: 'msg_bdrk_01bench', type: 'message', role: 'assistant', model: MODEL, content: [] }
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, usage: { ...USAGE, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...deltas,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE },
    { type: 'message_stop', 'amazon-bedrock-invocationMetrics': METRICS },
  ]
  const frames = events.map((event, index) => {
    const bytes = Buffer.from(JSON.stringify(event)).toString('base64')
    return eventFrame('chunk', JSON.stringify({ bytes, p: padding(index) }))
  })
  return { head: streamHead, events: frames.map(httpChunk), end: lastChunk }
}

/** The same text in the events of converse-stream, for Portkey. */
export function converseStream(count: number): StreamBytes {
  const frames = [
    eventFrame('messageStart', JSON.stringify({ p: padding(0), role: 'assistant' })),
    ...Array.from({ length: count - 4 }, (_, index) =>
      eventFrame(
        'contentBlockDelta',
        JSON.stringify({ contentBlockIndex: 0, delta: { text: wordAt(index) }, p: padding(index) }),
      ),
    ),
    eventFrame('contentBlockStop', JSON.stringify({ contentBlockIndex: 0, p: padding(1) })),
    eventFrame('messageStop', JSON.stringify({ p: padding(2), stopReason: 'end_turn' })),
    eventFrame(
      'metadata',
      JSON.stringify({
        metrics: { latencyMs: 2100 },
        p: padding(3),
        usage: { inputTokens: 512, outputTokens: 296, totalTokens: 808 },
      }),
    ),
  ]
  return { head: streamHead, events: frames.map(httpChunk), end: lastChunk }
}

function httpChunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}
