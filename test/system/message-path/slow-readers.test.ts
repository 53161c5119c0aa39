import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { chunkFrame } from '../../bedrock/frames.ts'
import { type MeasuredGateway, startMeasuredGateway } from '../../message-path/measured-gateway.ts'
import { gaugeOf, hello, post, untilTrue } from '../../message-path/path-client.ts'
import { streamHead } from '../../message-path/raw-host.ts'
import { events } from '../../message-path/stream-mutants.ts'

const READERS = 50
const KIB = 1024
/** What waits in the process for one slow reader: one read of its answer, on top of what any open stream holds. */
const SLOW_READER = 64 * KIB
/** Sockets, parsers and objects of both sides of an open stream, before a single byte waits in it. */
const OPEN_STREAM = 40 * KIB
/** Of the resident set: freed memory that the allocator keeps counts here too, and differs from run to run. */
const MAX_RSS = 192 * KIB

let gateway: MeasuredGateway

before(async () => {
  // Little room for young objects: of the resident set only what is held counts here, not garbage.
  gateway = await startMeasuredGateway(['--max-semi-space-size=1'])
})

after(async () => {
  await gateway.close()
})

const delta = chunkFrame(
  `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${'word '.repeat(1_600)}"}}`,
)

/** Writes as fast as it is taken, up to 20 MB; counts what was taken. */
function flood(response: ServerResponse, count: (bytes: number) => void): void {
  response.writeHead(200, streamHead)
  for (const event of events.slice(0, 2)) response.write(chunkFrame(event))
  const piece = Buffer.concat(Array.from({ length: 4 }, () => delta))
  let left = 20 * KIB * KIB
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length
      count(piece.length)
      if (!response.write(piece)) {
        response.once('drain', more)
        return
      }
    }
  }
  more()
}

function openReader(): net.Socket {
  const body = JSON.stringify({ ...hello, stream: true })
  const socket = net.connect(gateway.port, '127.0.0.1', () =>
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    ),
  )
  socket.on('error', () => undefined)
  // A kilobyte a second, in ten steps.
  const timer = setInterval(() => void socket.read(100), 100)
  socket.on('readable', () => undefined)
  socket.on('close', () => clearInterval(timer))
  return socket
}

/** Opens the readers and waits until the hosted service cannot write any more. */
async function stall(): Promise<{ readonly takenBytes: number; readonly leave: () => void }> {
  let takenBytes = 0
  let lastBytes = -1
  let quietSinceMs = performance.now()
  gateway.host.answer = (_path, response) =>
    flood(response, (bytes) => {
      takenBytes += bytes
    })
  const readers = Array.from({ length: READERS }, openReader)
  await untilTrue(() => {
    if (takenBytes !== lastBytes) quietSinceMs = performance.now()
    lastBytes = takenBytes
    return takenBytes > 0 && performance.now() - quietSinceMs > 500
  })
  const leave = (): void => {
    for (const reader of readers) reader.destroy()
  }
  return { takenBytes, leave }
}

async function untilGone(): Promise<void> {
  await untilTrue(async () => (await gaugeOf(gateway, 'gateway_in_flight')) === 0)
}

test(`${READERS} slow readers of a fast answer cost little memory, and other requests are answered`, async (t) => {
  // The first time fills the kernel's buffers in a burst whose garbage no process gives back: only what comes on top counts.
  ;(await stall()).leave()
  await untilGone()
  let residentBytes = Number.POSITIVE_INFINITY
  // Twice at least, because a young process still lets go of memory in the first round; what readers cost, they cost every
  // time, and what the allocator keeps comes and goes.
  for (let round = 0; round < 2 || (round < 4 && residentBytes > MAX_RSS); round += 1) {
    const before = await gateway.settledMemory()
    const { takenBytes, leave } = await stall()
    try {
      const during = await gateway.settledMemory()
      assert.ok(takenBytes < READERS * 15 * KIB * KIB, 'the hosted service was not slowed down')
      const grownBytes = (during.rss - before.rss) / READERS
      residentBytes = Math.min(residentBytes, grownBytes)
      const heldBytes = (during.heapUsed + during.external - before.heapUsed - before.external) / READERS
      t.diagnostic(
        `per stream: ${Math.round(grownBytes / KIB)} KiB of RSS, ${Math.round(heldBytes / KIB)} KiB of heap and buffers`,
      )
      assert.ok(
        heldBytes <= OPEN_STREAM + SLOW_READER,
        `${Math.round(heldBytes / KIB)} KiB of heap and buffers a stream`,
      )
      await assertAnswered()
    } finally {
      leave()
      await untilGone()
    }
  }
  assert.ok(residentBytes <= MAX_RSS, `${Math.round(residentBytes / KIB)} KiB a stream`)
})

/** Another user's request, while the slow readers wait. */
async function assertAnswered(): Promise<void> {
  const short = Buffer.concat(events.map((event) => chunkFrame(event)))
  gateway.host.answer = (_path, response) => void response.writeHead(200, streamHead).end(short)
  assert.match(await (await post(gateway, gateway.token, { ...hello, stream: true })).text(), /message_stop/)
}
