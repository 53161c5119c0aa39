import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import net from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import tls from 'node:tls'
import { untilTrue } from '../message-path/path-client.ts'
import { type OpenPorts, openPorts } from '../support/open-ports.ts'

/** Requests that are neither whole nor given up. */
let waiting = 0
let ports: OpenPorts

const handler = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.url === '/refused') {
    request.resume()
    response.writeHead(401, { 'content-length': 4 }).end('none')
    return
  }
  waiting += 1
  request.on('close', () => {
    waiting -= 1
  })
  request.on('error', () => undefined)
  request.on('end', () => response.end('whole'))
  request.resume()
}

before(async () => {
  ports = await openPorts({
    limits: { headersTimeout: 600, requestTimeout: 1_000, connectionsCheckingInterval: 100 },
    handler,
  })
})
beforeEach(() => {
  waiting = 0
})
after(() => ports.close())

/** Sends a character every 50 ms whatever it is told, and does not close its side. */
function stubborn(socket: net.Socket, first: string) {
  let received = ''
  socket.write(first)
  const timer = setInterval(() => {
    if (socket.writable) socket.write('a')
  }, 50)
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => clearInterval(timer))
  return { socket, received: () => received }
}

const halfOpen = (port: number) => net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
const ways = {
  'a plain connection': () => halfOpen(ports.port),
  'a secure connection': () => tls.connect({ socket: halfOpen(ports.tlsPort), rejectUnauthorized: false }),
}
const head = 'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const cases = [
  ['a body that comes slowly', `${head}content-length: 100000\r\n\r\n{`, 408],
  ['a body of chunks that comes slowly', `${head}transfer-encoding: chunked\r\n\r\n1000\r\n`, 408],
  ['a head that comes slowly', `${head}x-slow: `, 408],
  ['what is no HTTP', 'what is this?\r\n\r\n', 400],
] as const

for (const [way, open] of Object.entries(ways))
  for (const [name, first, status] of cases)
    test(`${name} over ${way} is refused at its limit and cut off, also when its sender goes on`, async () => {
      const startedMs = performance.now()
      const { socket, received } = stubborn(open(), first)
      await untilTrue(() => socket.closed)
      const tookMs = performance.now() - startedMs
      assert.match(received(), new RegExp(`^HTTP/1\\.1 ${status} .*"type":"error".*"request_id":"req_`, 's'))
      assert.equal(received().split('HTTP/1.1 ').length, 2, 'one answer')
      if (first.startsWith(`${head}content`)) assert.ok(tookMs >= 1_000, `${tookMs} ms`)
      await untilTrue(() => waiting === 0)
    })

test('a body that is slow and within its limit arrives', async (context) => {
  const patient = await openPorts({ limits: { requestTimeout: 120_000, connectionsCheckingInterval: 100 }, handler })
  context.after(() => patient.close())
  const socket = net.connect(patient.port, '127.0.0.1')
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.write(`${head}content-length: 8\r\n\r\n`)
  for (const character of '{"a": 1}') {
    await new Promise((resolve) => setTimeout(resolve, 60))
    socket.write(character)
  }
  await untilTrue(() => received.endsWith('whole'))
  assert.match(received, /^HTTP\/1\.1 200 /)
  socket.destroy()
})

const refusedHead = head.replace('/v1/messages', '/refused')

for (const [way, open] of Object.entries(ways))
  for (const [name, first, second] of [
    ['too late', `${refusedHead}content-length: 100000\r\n\r\n{`, ''],
    ['malformed', `${refusedHead}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`, 'no chunk\r\n'],
  ] as const)
    test(`a request over ${way} that was refused before its body, which is ${name}, has one answer`, async () => {
      const { socket, received } = stubborn(open(), first)
      await untilTrue(() => received().endsWith('none'))
      if (second !== '') socket.write(second)
      await untilTrue(() => socket.closed)
      assert.match(received(), /^HTTP\/1\.1 401 /)
      assert.equal(received().split('HTTP/1.1 ').length, 2, received())
    })

test('after a whole request on the same connection a head that comes slowly is told so', async () => {
  const { socket, received } = stubborn(halfOpen(ports.port), `${head}content-length: 2\r\n\r\n{}${head}x-slow: `)
  await untilTrue(() => socket.closed)
  assert.match(received(), /^HTTP\/1\.1 200 .*HTTP\/1\.1 408 /s)
})
