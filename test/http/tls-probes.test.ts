import assert from 'node:assert/strict'
import { once } from 'node:events'
import https from 'node:https'
import net from 'node:net'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { type OpenPorts, openPorts } from '../support/open-ports.ts'
import { sendRaw } from '../support/raw-http.ts'

let ports: OpenPorts
let port: number

before(async () => {
  ports = await openPorts()
  port = ports.tlsPort
})

after(() => ports.close())

/** What a proper client gets: after every probe it must be the same. */
async function assertServes(): Promise<void> {
  const request = https.get({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false })
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage]
  response.resume()
  assert.equal(response.statusCode, 200)
}

/** The protocol that was agreed on, or why there is none. */
function handshake(options: tls.ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(`${socket.getProtocol()} ${socket.alpnProtocol || 'none'}`)
      socket.destroy()
    })
    socket.on('error', (error) => resolve(error.message))
  })
}

test('plain text and noise on the HTTPS port end the connection and nothing else', async () => {
  const noise = [
    'GET /health HTTP/1.1\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    Buffer.alloc(400, 7),
    Buffer.from('1603010200010001fc0303', 'hex'),
    '\r\n\r\n',
  ]
  for (const bytes of noise) {
    const answer = await sendRaw(port, bytes, { waitMs: 300 })
    assert.equal(answer.status || 0, 0, JSON.stringify(String(bytes)))
    await assertServes()
  }
})

test('a TLS handshake on the HTTP port is 400 and closes', async () => {
  const hello = Buffer.concat([Buffer.from('16030100c8010000c40303', 'hex'), Buffer.alloc(194, 1)])
  const answer = await sendRaw(ports.port, hello)
  assert.equal(answer.status, 400)
})

test('only TLS from 1.2 on and HTTP/1.1 are offered', async () => {
  const old = { ciphers: 'DEFAULT@SECLEVEL=0' }
  for (const version of ['TLSv1', 'TLSv1.1'] as const)
    assert.match(await handshake({ ...old, minVersion: version, maxVersion: version }), /alert|unsupported|version/i)
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
    assert.equal(
      await handshake({ minVersion: version, maxVersion: version, ALPNProtocols: ['h2', 'http/1.1'] }),
      `${version} http/1.1`,
    )
  assert.match(await handshake({ ALPNProtocols: ['h2'] }), /alert|protocol/i)
})

test('a client cannot ask for one handshake after the other', async () => {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' })
  await once(socket, 'secureConnect')
  const outcome = new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve(error.message))
    socket.on('close', () => resolve('closed'))
    socket.renegotiate({}, (error) => resolve(error === null ? 'renegotiated' : error.message))
  })
  assert.match(await outcome, /renegotiation|closed|reset/i)
  assert.notEqual(await outcome, 'renegotiated')
  socket.destroy()
  await assertServes()
})

test('a thousand handshakes that stop half-way keep nobody out', async () => {
  const sockets = Array.from({ length: 1_000 }, (_, index) => {
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(Buffer.from('160301'.slice(0, 2 * (index % 4)), 'hex')),
    )
    socket.on('error', () => undefined)
    return socket
  })
  try {
    await Promise.all(sockets.slice(-10).map((socket) => once(socket, 'connect')))
    await assertServes()
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
