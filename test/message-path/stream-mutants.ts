/** Makes damaged copies of a stream from a seed, and says what must become of each. */
import { buildFrame, chunkFrame } from '../bedrock/frames.ts'

export interface Mutant {
  readonly kind: string
  readonly bytes: Buffer
  /** Sizes of the writes, in order; the last one takes the rest. */
  readonly writes: readonly number[]
  readonly ending: 'end' | 'destroy'
  /** `same`: as if undamaged. `error`: never as if it were whole. `any`: well-formed and over, whichever way. */
  readonly expected: 'same' | 'error' | 'any'
}

export type Random = (below: number) => number

/** A small generator with good spread: the same seed gives the same mutants everywhere. */
function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const texts = ['Once', ' upon', ' a', ' time', ' there', ' was', ' a', ' gateway.']

export const events: readonly string[] = [
  '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"usage":{"input_tokens":25,"output_tokens":1}}}',
  '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  ...texts.map((text) => `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}`),
  '{"type":"content_block_stop","index":0}',
  '{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":15}}',
  '{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":25,"outputTokenCount":15,"invocationLatency":9,"firstByteLatency":4}}',
]
const frames = events.map((event) => chunkFrame(event))
const whole = Buffer.concat(frames)

type Maker = (random: Random) => Omit<Mutant, 'kind' | 'writes'>

const makers: Readonly<Record<string, Maker>> = {
  intact: () => ({ bytes: whole, ending: 'end', expected: 'same' }),
  cut: (random) => ({
    bytes: whole.subarray(0, random(whole.length)),
    ending: random(2) === 0 ? 'end' : 'destroy',
    expected: 'error',
  }),
  'flipped bits': (random) => {
    const bytes = Buffer.from(whole)
    for (let count = 1 + random(3), at = random(bytes.length); count > 0; count -= 1, at = random(bytes.length))
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
    return { bytes, ending: 'end', expected: bytes.equals(whole) ? 'same' : 'error' }
  },
  'a hole': (random) => {
    const from = random(whole.length - 1)
    const size = 1 + random(Math.min(200, whole.length - 1 - from))
    const bytes = Buffer.concat([whole.subarray(0, from), whole.subarray(from + size)])
    return { bytes, ending: 'end', expected: framesOnly(from, from + size) ? 'any' : 'error' }
  },
  'bytes put in': (random) => {
    const at = random(whole.length)
    const bytes = Buffer.concat([whole.subarray(0, at), noise(random, 1 + random(100)), whole.subarray(at)])
    return { bytes, ending: 'end', expected: 'error' }
  },
  'bytes after the end': (random) => ({
    bytes: Buffer.concat([whole, noise(random, 1 + random(64))]),
    ending: 'end',
    expected: 'error',
  }),
  'frames out of order': (random) => {
    const order = [...frames]
    const [from, to] = [random(order.length), random(order.length)]
    order.splice(to, 0, ...order.splice(from, 1))
    return { bytes: Buffer.concat(order), ending: 'end', expected: from === to ? 'same' : 'any' }
  },
  'a frame twice': (random) => {
    const at = random(frames.length)
    return {
      bytes: Buffer.concat([...frames.slice(0, at + 1), ...frames.slice(at)]),
      ending: 'end',
      expected: 'any',
    }
  },
  'a payload that lies': (random) => {
    const at = random(frames.length)
    return { bytes: replaced(at, oddFrame(random, events[at] ?? '')), ending: 'end', expected: 'any' }
  },
  'only noise': (random) => ({ bytes: noise(random, random(2_000)), ending: 'end', expected: 'error' }),
}
const names = Object.keys(makers)

export function makeMutant(seed: number): Mutant {
  const random = createRandom(seed)
  const kind = names[seed % names.length] ?? 'intact'
  const made = (makers[kind] as Maker)(random)
  return { kind, ...made, writes: writesOf(random, made.bytes.length) }
}

/** One write, a few, or very many. */
function writesOf(random: Random, length: number): number[] {
  const size = [length, 1 + random(length + 1), 1 + random(40), 1][random(4)] ?? length
  return size * 400 < length ? [] : Array.from({ length: Math.floor(length / Math.max(1, size)) }, () => size)
}

function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)))
}

function replaced(at: number, frame: Buffer): Buffer {
  return Buffer.concat(frames.map((one, index) => (index === at ? frame : one)))
}

/** True when exactly whole frames are missing, which no checksum can tell. */
function framesOnly(from: number, to: number): boolean {
  const borders = new Set([0])
  let at = 0
  for (const frame of frames) borders.add((at += frame.length))
  return borders.has(from) && borders.has(to)
}

/** Checksums are right and the content is not. */
function oddFrame(random: Random, event: string): Buffer {
  const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
  const base64 = Buffer.from(event).toString('base64')
  const payloads = [
    '',
    '{}',
    'null',
    '{"bytes":5}',
    '{"bytes":"%%%%"}',
    `{"bytes":"${base64.slice(0, -3)}"}`,
    `{"p":"abc","bytes":"${base64}"}`,
    `{"bytes":"${base64}"`,
    `{"bytes":"${Buffer.from('[1,2]').toString('base64')}"}`,
    `{"bytes":"${Buffer.from('"text"').toString('base64')}"}`,
    `{"bytes":"${Buffer.from('{"type":null}').toString('base64')}"}`,
    `{"bytes":"${Buffer.from('{"type":"message_start","message":null}').toString('base64')}"}`,
    `{"bytes":"${Buffer.from('{"type":"message_delta","delta":7,"usage":"x"}').toString('base64')}"}`,
    `{"bytes":"${Buffer.from('{"type":"message_delta","usage":{"input_tokens":-1,"output_tokens":1e99,"cache_read_input_tokens":"9"}}').toString('base64')}"}`,
    `{"bytes":"${Buffer.from(`{"type":"content_block_delta","delta":${'['.repeat(5_000)}${']'.repeat(5_000)}}`).toString('base64')}"}`,
    `{"bytes":"${Buffer.from(`{"type":"message_start","message":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`).toString('base64')}"}`,
    `{"bytes":"${Buffer.from(event.slice(0, 1 + random(event.length - 1))).toString('base64')}"}`,
    `{"bytes":"${Buffer.from([0xff, 0xfe, ...Buffer.from(event)]).toString('base64')}"}`,
  ]
  const payload = payloads[random(payloads.length)] ?? ''
  const kinds: readonly Readonly<Record<string, string>>[] = [
    headers,
    headers,
    headers,
    { ...headers, ':event-type': 'other' },
    { ...headers, ':message-type': 'other' },
    { ':message-type': 'exception', ':exception-type': 'neverHeardOfException' },
    {},
  ]
  return buildFrame(kinds[random(kinds.length)] ?? headers, payload)
}
