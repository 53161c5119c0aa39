import assert from 'node:assert/strict'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { chunkFrame } from '../bedrock/frames.ts'
import { type MeasuredGateway, startMeasuredGateway } from './measured-gateway.ts'
import { hello, untilTrue } from './path-client.ts'
import { streamHead } from './raw-host.ts'
import { events } from './stream-mutants.ts'

const STREAMS = 20
const MIB = 1024 * 1024
const PROMPT_BYTES = 2 * MIB
/** An open stream takes some tens of kilobytes; a prompt that is held would be eight times as much. */
const MOST_BYTES = MIB / 4

let gateway: MeasuredGateway

before(async () => {
  gateway = await startMeasuredGateway()
  // As a model that thinks: the answer begins, and then nothing comes for a long time.
  gateway.host.answer = (_path, response) => {
    response.writeHead(200, streamHead)
    for (const event of events.slice(0, 2)) response.write(chunkFrame(event))
  }
})

after(async () => {
  await gateway.close()
})

const long = JSON.stringify({ ...hello, stream: true, system: 'word '.repeat(PROMPT_BYTES / 5) })

/** With its length announced, or in chunks: the gateway gathers the two in different ways. */
function openStream(isChunked: boolean): { readonly hasBegun: () => boolean; readonly leave: () => void } {
  let received = ''
  const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${long.length}`
  const body = isChunked ? `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n` : long
  const head = `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.token}\r\n${framing}\r\n\r\n`
  const socket = net.connect(gateway.port, '127.0.0.1', () => void socket.write(`${head}${body}`))
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.on('error', () => undefined)
  return { hasBegun: () => received.includes('message_start'), leave: () => void socket.destroy() }
}

async function usedBytes(): Promise<number> {
  const { heapUsed, external } = await gateway.measure()
  return heapUsed + external
}

for (const [form, isChunked] of [
  ['with a length', false],
  ['in chunks', true],
] as const)
  test(`a prompt sent ${form} is let go once its answer streams`, async (t) => {
    const before = await usedBytes()
    const streams = Array.from({ length: STREAMS }, () => openStream(isChunked))
    try {
      await untilTrue(() => streams.every(({ hasBegun }) => hasBegun()))
      let heldBytes = Number.POSITIVE_INFINITY
      // A buffer goes some collections after nobody holds it.
      for (let turn = 0; turn < 50 && heldBytes >= MOST_BYTES; turn += 1)
        heldBytes = ((await usedBytes()) - before) / STREAMS
      t.diagnostic(`${Math.round(heldBytes / 1024)} KiB a stream, with prompts of ${PROMPT_BYTES / 1024} KiB`)
      assert.ok(heldBytes < MOST_BYTES, `${Math.round(heldBytes / 1024)} KiB a stream`)
    } finally {
      for (const { leave } of streams) leave()
    }
  })
