import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { type OpenPorts, openPorts } from '../../support/open-ports.ts'

let ports: OpenPorts

before(async () => {
  ports = await openPorts()
})

after(() => ports.close())

interface SlowSender {
  readonly socket: net.Socket
  readonly received: () => string
}

/** Sends the first text at once, and then one character every two seconds. */
function slowSender(socket: net.Socket, first: string, drip: string): SlowSender {
  let received = ''
  if (first !== '') socket.write(first)
  const timer = setInterval(() => {
    if (!socket.destroyed && drip !== '') socket.write(drip)
  }, 2_000).unref()
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.on('close', () => clearInterval(timer))
  return { socket, received: () => received }
}

const plain = (): net.Socket => net.connect(ports.port, '127.0.0.1')
const secure = (): net.Socket => net.connect(ports.tlsPort, '127.0.0.1')
const afterHandshake = (): net.Socket =>
  tls.connect({ port: ports.tlsPort, host: '127.0.0.1', rejectUnauthorized: false })

test('who sends a head or a handshake too slowly is cut off, and other requests are answered meanwhile', async (context) => {
  const begin = 'GET /health HTTP/1.1\r\nhost: x\r\nx-slow: '
  const many = (count: number, open: () => net.Socket, first: string, drip: string): readonly SlowSender[] =>
    Array.from({ length: count }, () => slowSender(open(), first, drip))
  const startedMs = performance.now()
  const kinds = {
    'slow heads': many(1_000, plain, begin, 'a'),
    'silent connections': many(50, plain, '', ''),
    'half handshakes': many(50, secure, '\x16\x03', ''),
    'slow heads after a handshake': many(50, afterHandshake, begin, 'a'),
  }
  // Opening them is the work of this process, which is not what others wait for.
  await Promise.all(
    Object.values(kinds)
      .flat()
      .map(({ socket }) => once(socket, socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect')),
  )
  const goneAfterMs: Record<string, number> = {}
  while (Object.keys(goneAfterMs).length < Object.keys(kinds).length) {
    assert.equal((await fetch(`http://127.0.0.1:${ports.port}/health`)).status, 200)
    for (const [kind, senders] of Object.entries(kinds))
      if (senders.every(({ socket }) => socket.closed)) goneAfterMs[kind] ??= Math.round(performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  context.diagnostic(`gone after milliseconds: ${JSON.stringify(goneAfterMs)}`)
  for (const { received } of kinds['slow heads']) assert.match(received(), /^HTTP\/1\.1 408 .*request_timeout/s)
})
