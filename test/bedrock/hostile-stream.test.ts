import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createModelHost } from '../../src/bedrock/model-host.ts'
import { createServiceCaller } from '../../src/bedrock/service-caller.ts'
import type { Endpoint } from '../../src/foundation/domain/endpoint.ts'
import type { ProviderFailure } from '../../src/foundation/domain/provider-failure.ts'
import { chunkFrame } from './frames.ts'
import { startRawServer } from './raw-server.ts'

const events = [
  '{"type":"message_start","message":{"id":"m"}}',
  ...Array.from({ length: 6 }, (_, index) => `{"type":"content_block_delta","delta":{"text":"part ${index}"}}`),
  '{"type":"message_stop"}',
]
const chunks = events.map((event) => {
  const frame = chunkFrame(event)
  return Buffer.concat([Buffer.from(`${frame.length.toString(16)}\r\n`), frame, Buffer.from('\r\n')])
})
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/vnd.amazon.eventstream\r\ntransfer-encoding: chunked\r\n\r\n'
const sound = Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')])

/** A small generator with a printed seed: the same seed gives the same mutants. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

interface Mutant {
  readonly bytes: Buffer
  readonly cut: number
  readonly how: 'fin' | 'rst'
}

function makeMutant(random: (limit: number) => number): Mutant {
  const bytes = Buffer.from(sound)
  const kind = random(3)
  if (kind !== 0) bytes[random(bytes.length)] = random(256)
  const end = kind === 1 ? bytes.length : random(bytes.length)
  return { bytes: bytes.subarray(0, end), cut: random(end + 1), how: random(2) === 0 ? 'fin' : 'rst' }
}

function serve(socket: Socket, { bytes, cut, how }: Mutant): void {
  socket.write(bytes.subarray(0, cut))
  setImmediate(() => {
    socket.write(bytes.subarray(cut), () => {
      if (how === 'fin') socket.end()
      else setImmediate(() => socket.resetAndDestroy())
    })
  })
}

async function setUp(context: TestContext, mutants: readonly Mutant[]) {
  const server = await startRawServer((socket, request) => {
    // By name and not by order: a call on a socket that the server has just closed is sent twice.
    const mutant = mutants[Number(/^POST \/model\/m(\d+)\//.exec(request)?.[1])]
    assert.ok(mutant !== undefined)
    serve(socket, mutant)
  })
  const credentials = { accessKeyId: 'A', secretAccessKey: 's' }
  const service = createServiceCaller({
    urls: { everyService: server.url.href },
    credentials: {
      require: async () => credentials,
      forget: () => undefined,
      findOwnKind: () => undefined,
    },
  })
  context.after(() => {
    service.close()
    return server.close()
  })
  return createModelHost(service)
}

test('1,500 damaged or cut streams over a socket: each ends once, and only with events that were sent', async (context) => {
  const seed = Date.now() % 1_000_000
  context.diagnostic(`seed ${seed}`)
  const random = randomFrom(seed)
  const mutants = Array.from({ length: 1_500 }, () => makeMutant(random))
  const host = await setUp(context, mutants)
  const endpoint = { id: 'e', region: 'us-east-1', roleArn: null, externalId: null } as Endpoint
  const counts = { failed: 0, ended: 0 }
  for (const [index, mutant] of mutants.entries()) {
    const seen: string[] = []
    let calls = 0
    const failure = await new Promise<ProviderFailure | undefined>((resolve) => {
      host.stream(
        { endpoint, modelId: `m${index}`, body: [Buffer.from('{}')], firstByteTimeoutMs: 5_000 },
        {
          onHead: () => undefined,
          onData(bytes, base64Start, base64End) {
            seen.push(Buffer.from(bytes.toString('latin1', base64Start, base64End), 'base64').toString())
          },
          onReadEnd: () => undefined,
          onEnd() {
            calls += 1
            resolve(undefined)
          },
          onFailure(failed) {
            calls += 1
            resolve(failed)
          },
        },
      )
    })
    const name = `seed ${seed}, mutant ${index}`
    assert.equal(calls, 1, name)
    assert.deepEqual(seen, events.slice(0, seen.length), name)
    if (failure === undefined) counts.ended += 1
    else counts.failed += 1
    // The rest of a cut body can only be missing with a failure, or without the event that ends a message.
    if (mutant.bytes.length < sound.length - 5 && failure === undefined) assert.ok(seen.length < events.length, name)
  }
  assert.ok(counts.failed > 1_000, JSON.stringify(counts))
})
