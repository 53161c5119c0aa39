import assert from 'node:assert/strict'
import type { Server } from 'node:net'
import { before, test } from 'node:test'
import { createServer, type TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'
import { createHttp1Client } from '../../src/bedrock/http1/http1-client.ts'
import { type RawServer, send, startRawServer, toBody } from './raw-server.ts'

let certificate: { readonly cert: string; readonly private: string }

before(async () => {
  certificate = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  })
})

function startTlsServer(serve: Parameters<typeof startRawServer>[0]): Promise<RawServer> {
  const options = { cert: certificate.cert, key: certificate.private, ALPNProtocols: ['h2', 'http/1.1'] }
  return startRawServer(serve, (onSocket) => createServer(options, onSocket) as Server)
}

test('a certificate nobody vouches for ends the call before a byte of it is sent', async (context) => {
  let requests = 0
  const server = await startTlsServer(() => {
    requests += 1
  })
  const client = createHttp1Client()
  context.after(() => {
    client.close()
    return server.close()
  })
  const { failure } = await send(client.origin(server.url)).done
  assert.equal(failure?.kind, 'unreachable')
  assert.match(failure?.message ?? '', /self-signed|certificate/)
  assert.equal(requests, 0)
})

test('a certificate for another name ends the call', async (context) => {
  const server = await startTlsServer((socket) => socket.write(toBody('ok')))
  const client = createHttp1Client({ ca: certificate.cert })
  context.after(() => {
    client.close()
    return server.close()
  })
  const { failure } = await send(client.origin(new URL(server.url.href.replace('127.0.0.1', 'localhost')))).done
  assert.equal(failure?.kind, 'unreachable')
})

test('trusted connections speak HTTP/1.1, are kept, and new ones resume the TLS session', async (context) => {
  const protocols: (string | false | null)[] = []
  const resumed: boolean[] = []
  const server = await startTlsServer((socket, request, count) => {
    if (count === 1) {
      protocols.push((socket as TLSSocket).alpnProtocol)
      resumed.push((socket as TLSSocket).isSessionReused())
    }
    socket.write(toBody(request.slice(-2), request.endsWith('bb') ? 'connection: close\r\n' : ''))
  })
  const client = createHttp1Client({ ca: certificate.cert })
  context.after(() => {
    client.close()
    return server.close()
  })
  const origin = client.origin(server.url)
  for (const body of ['aa', 'bb', 'cc']) assert.equal((await send(origin, body).done).body, body)
  assert.deepEqual(protocols, ['http/1.1', 'http/1.1'])
  assert.deepEqual(resumed, [false, true])
})

test('a large answer and a paused answer arrive whole over TLS', async (context) => {
  const body = 'x'.repeat(5_000_000)
  const server = await startTlsServer((socket) => socket.write(toBody(body)))
  const client = createHttp1Client({ ca: certificate.cert })
  context.after(() => {
    client.close()
    return server.close()
  })
  const { exchange, done } = send(client.origin(server.url), 'y'.repeat(300_000))
  exchange.pause()
  setTimeout(() => exchange.resume(), 20)
  assert.equal((await done).body.length, body.length)
})
