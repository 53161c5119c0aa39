import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { writeChunk } from '../../src/message-path/answer/client-stream.ts'

const sizes = [1, 15, 16, 4_095, 4_096, 4_097, 70_000, 2]
const pieces = sizes.map((size, index) => Buffer.alloc(size, 0x61 + index))
const last = Buffer.from('the end')
const whole = Buffer.concat([...pieces, last])

let server: http.Server
let port = 0
let answer: (response: http.ServerResponse) => void = () => {}

before(async () => {
  server = http.createServer({ highWaterMark: 16_384 }, (_request, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as net.AddressInfo).port
})

after(() => {
  server.closeAllConnections()
  server.close()
})

function writeAll(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) writeChunk(response, piece)
  response.end(last)
}

async function rawAnswer(...requests: readonly string[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(requests.join('')))
  const received: Buffer[] = []
  socket.on('data', (bytes: Buffer) => void received.push(bytes))
  await once(socket, 'end')
  socket.destroy()
  return Buffer.concat(received).toString('latin1')
}

test('pieces of every size arrive as they were written, whoever frames them', async () => {
  answer = writeAll
  const response = await fetch(`http://127.0.0.1:${port}/`)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), whole)
})

test('a client of HTTP/1.0 gets no frames', async () => {
  answer = writeAll
  const text = await rawAnswer('GET / HTTP/1.0\r\nhost: x\r\n\r\n')
  assert.equal(text.slice(text.indexOf('\r\n\r\n') + 4), whole.toString('latin1'))
})

test('answers to requests sent at once come whole and in order', async () => {
  const waiting: http.ServerResponse[] = []
  answer = (response) => {
    waiting.push(response)
    // The second is written first, while the first still holds the connection.
    if (waiting.length === 2) for (const held of waiting.reverse()) writeAll(held)
  }
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  const text = await rawAnswer(request, request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  const bodies = text.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1)
  assert.deepEqual(
    bodies.map((body) => unframed(body)),
    [whole.toString('latin1'), whole.toString('latin1')],
  )
})

function unframed(body: string): string {
  let text = ''
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, lineEnd), 16)
    if (size === 0) return text
    text += body.slice(lineEnd + 2, lineEnd + 2 + size)
    assert.equal(body.slice(lineEnd + 2 + size, lineEnd + 4 + size), '\r\n')
    at = lineEnd + 4 + size
  }
}

test('a client that does not read is noticed and heard of again when it does', async () => {
  const piece = Buffer.alloc(20_000)
  let writes = 0
  const full = new Promise<http.ServerResponse>((resolve) => {
    answer = (response) => {
      response.writeHead(200)
      // What the system takes does not count, so the first pieces pass although each is larger than the limit.
      while (writeChunk(response, piece)) writes += 1
      resolve(response)
    }
  })
  const socket = net.connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'))
  socket.pause()
  const response = await full
  socket.resume()
  await once(response, 'drain')
  assert.ok(writes > 0)
  socket.destroy()
})
