import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createHttp1Client, type Http1ClientOptions } from '../../src/bedrock/http1/http1-client.ts'
import { send, startRawServer, toBody, until } from './raw-server.ts'

type Serve = Parameters<typeof startRawServer>[0]

async function setUp(context: TestContext, serve: Serve, options: Http1ClientOptions = {}) {
  const server = await startRawServer(serve)
  const client = createHttp1Client(options)
  context.after(async () => {
    client.close()
    await server.close()
  })
  return { server, client, origin: client.origin(server.url) }
}

test('calls one after another use one connection', async (context) => {
  const { origin, server } = await setUp(context, (socket, request) => socket.write(toBody(request.slice(-2))))
  for (const body of ['aa', 'bb', 'cc']) assert.equal((await send(origin, body).done).body, body)
  assert.equal(server.sockets.length, 1)
})

test('a large body arrives whole, in as many pieces as it was given', async (context) => {
  const { origin } = await setUp(context, (socket, request) => socket.write(toBody(String(request.length))))
  const body = 'x'.repeat(600_000)
  const { body: answer } = await send(origin, body).done
  assert.ok(Number(answer) > body.length)
})

test('every concurrent call gets its own socket at once, and only some sockets are kept', async (context) => {
  const width = 500
  let requests = 0
  const { origin, server } = await setUp(
    context,
    () => {
      requests += 1
      // Nobody is answered before everybody has asked: a queue anywhere would hang here.
      if (requests === width) for (const socket of server.sockets) socket.write(toBody('ok'))
    },
    { maxIdleSockets: 50 },
  )
  const all = await Promise.all(Array.from({ length: width }, () => send(origin).done))
  assert.ok(all.every(({ body }) => body === 'ok'))
  assert.deepEqual(origin.counts(), { active: 0, idle: 50 })
  await until(() => server.sockets.filter((socket) => !socket.destroyed).length === 50)
})

test('idle sockets are closed after their time', async (context) => {
  const { origin, server } = await setUp(context, (socket) => socket.write(toBody('ok')), { idleSocketMs: 50 })
  await send(origin).done
  await until(() => server.sockets.every((socket) => socket.destroyed))
  assert.deepEqual(origin.counts(), { active: 0, idle: 0 })
  assert.equal((await send(origin).done).body, 'ok')
})

test('a call on a socket that the server had closed is sent once more on a fresh one', async (context) => {
  const { origin, server } = await setUp(context, (socket, _request, count) => {
    if (count === 1) socket.write(toBody('ok'))
    else socket.destroy()
  })
  await send(origin).done
  assert.equal((await send(origin).done).body, 'ok')
  assert.equal(server.sockets.length, 2)
})

test('a call is not repeated when a fresh socket dies, nor after the first byte of an answer', async (context) => {
  let requests = 0
  const { origin } = await setUp(context, (socket, _request, count) => {
    requests += 1
    if (requests === 1 || count === 2) socket.write('H')
    else if (requests === 2) socket.write(toBody('ok'))
    if (count === 2 || requests === 1) setImmediate(() => socket.destroy())
  })
  const fresh = await send(origin).done
  assert.deepEqual([fresh.failure?.kind, fresh.failure?.status, requests], ['unreachable', 502, 1])
  assert.equal((await send(origin).done).body, 'ok')
  const reused = await send(origin).done
  assert.deepEqual([reused.failure?.kind, requests], ['unreachable', 3])
})

test('a refused connection is unreachable', async (context) => {
  const server = await startRawServer(() => undefined)
  const client = createHttp1Client()
  context.after(() => client.close())
  await server.close()
  const { failure } = await send(client.origin(server.url)).done
  assert.deepEqual([failure?.kind, failure?.status], ['unreachable', 502])
  assert.match(failure?.message ?? '', /ECONNREFUSED/)
})

test('silence before the head ends the call at its first-byte limit, also when half a head has come', async (context) => {
  const { origin } = await setUp(context, (socket, request) => {
    if (request.endsWith('half')) socket.write('HTTP/1.1 200 OK\r\nx: ')
    if (request.endsWith('1xx')) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  })
  for (const body of ['none', 'half', '1xx']) {
    const { failure, status } = await send(origin, body, 50).done
    assert.deepEqual([failure?.kind, failure?.status, status], ['unreachable', 504, 0])
  }
})

test('a server that accepts but never speaks TLS is given up at the connect limit', async (context) => {
  const { server, client } = await setUp(context, () => undefined, { connectTimeoutMs: 50 })
  const { failure } = await send(client.origin(new URL(server.url.href.replace('http:', 'https:')))).done
  assert.deepEqual([failure?.kind, failure?.status], ['unreachable', 504])
})

const cutAnswers = {
  'before the head': '',
  'inside the head': 'HTTP/1.1 200 OK\r\ncontent-',
  'inside a counted body': 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc',
  'before a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
  'inside a chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc',
  'before the last line': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n',
}

for (const [place, text] of Object.entries(cutAnswers)) {
  test(`an answer that is closed or reset ${place} is a failure`, async (context) => {
    const { origin } = await setUp(context, (socket, request) => {
      if (request.endsWith('fin')) socket.end(text)
      else socket.write(text, () => setImmediate(() => socket.resetAndDestroy()))
    })
    for (const body of ['fin', 'rst']) {
      const { failure } = await send(origin, body).done
      assert.equal(failure?.kind, text.includes('\r\n\r\n') ? 'broken' : 'unreachable', body)
      assert.equal(failure?.status, 502)
    }
    assert.deepEqual(origin.counts(), { active: 0, idle: 0 })
  })
}

test('a body that ends with the connection is whole at a clean close and broken at a reset', async (context) => {
  const { origin } = await setUp(context, (socket, request) => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nabc'
    if (request.endsWith('fin')) socket.end(text)
    else socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20))
  })
  const closed = await send(origin, 'fin').done
  assert.deepEqual([closed.body, closed.failure], ['abc', undefined])
  assert.equal((await send(origin, 'rst').done).failure?.kind, 'broken')
})

test('a malformed answer is broken and costs its socket', async (context) => {
  const { origin } = await setUp(context, (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n'))
  const { failure } = await send(origin).done
  assert.deepEqual([failure?.kind, failure?.status], ['broken', 502])
  assert.deepEqual(origin.counts(), { active: 0, idle: 0 })
})

test('silence inside the body ends the call at the silence limit, but not while the caller has paused it', async (context) => {
  const { origin } = await setUp(context, (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'), {
    silenceLimitMs: 150,
  })
  const paused = send(origin)
  await until(() => paused.collected.status === 200)
  paused.exchange.pause()
  const { failure, body } = await send(origin).done
  assert.deepEqual([failure?.kind, failure?.status, body], ['broken', 504, 'abc'])
  assert.equal(paused.collected.failure, undefined)
  paused.exchange.resume()
  assert.equal((await paused.done).failure?.status, 504)
})

test('an answer that may take only so long ends there, however steadily it trickles in', async (context) => {
  const { origin } = await setUp(context, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  const { exchange, collected, done } = send(origin)
  await until(() => collected.body.length > 2)
  exchange.limitRest(10_000, 300)
  const { failure } = await done
  assert.deepEqual([failure?.kind, failure?.status], ['broken', 504])
  assert.deepEqual(origin.counts(), { active: 0, idle: 0 })
})

test('a paused answer stops the server, and resumed it arrives whole', async (context) => {
  const bodyBytes = 60_000_000
  let accepted = 0
  const { origin } = await setUp(context, (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bodyBytes}\r\n\r\n`)
    const piece = Buffer.alloc(1_000_000, 'x')
    const more = (): void => {
      while (accepted < bodyBytes) {
        accepted += piece.length
        if (!socket.write(piece)) {
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  })
  const { exchange, collected, done } = send(origin)
  await until(() => collected.status === 200)
  exchange.pause()
  let before = -1
  while (before !== collected.body.length) {
    before = collected.body.length
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  assert.ok(accepted < bodyBytes, 'the server must have been held back')
  exchange.resume()
  assert.equal((await done).body.length, bodyBytes)
})

test('an exchange paused before its connection is up gets nothing until it is resumed', async (context) => {
  const { origin, server } = await setUp(context, (socket) => socket.write(toBody('ok')))
  const { exchange, collected, done } = send(origin)
  exchange.pause()
  await until(() => (server.sockets[0]?.bytesWritten ?? 0) > 0)
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(collected.status, 0)
  exchange.resume()
  assert.equal((await done).body, 'ok')
})

test('abort closes the connection and the handler hears nothing more', async (context) => {
  const { origin, server } = await setUp(context, (socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
  )
  const { exchange, collected } = send(origin)
  await until(() => collected.body === 'abc')
  assert.equal(exchange.abort(), 'sent')
  await until(() => server.sockets[0]?.destroyed === true)
  assert.equal(collected.failure, undefined)
  assert.deepEqual(origin.counts(), { active: 0, idle: 0 })
})

test('abort before the connection is up sends nothing, and says so', async (context) => {
  let requests = 0
  const { origin } = await setUp(context, (socket) => {
    requests += 1
    socket.write(toBody('ok'))
  })
  assert.equal(send(origin).exchange.abort(), 'unsent')
  await send(origin).done
  assert.equal(requests, 1)
})

test('a socket that speaks without being asked is not used again', async (context) => {
  const { origin, server } = await setUp(context, (socket) => socket.write(toBody('ok')))
  await send(origin).done
  server.sockets[0]?.write(toBody('forged'))
  await until(() => origin.counts().idle === 0)
  assert.equal((await send(origin).done).body, 'ok')
})

test('bytes behind an answer never become the next answer', async (context) => {
  const { origin } = await setUp(context, (socket, _request, count) => {
    socket.write(count === 1 ? toBody('ok') + toBody('forged') : toBody('late'))
  })
  for (let index = 0; index < 3; index += 1) assert.equal((await send(origin).done).body, 'ok')
})

test('a server that answers before it has read the request does not get another one on that socket', async (context) => {
  const raw = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(toBody('early'))
  })
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  const address = raw.address()
  assert.ok(typeof address === 'object' && address !== null)
  const client = createHttp1Client()
  context.after(() => {
    client.close()
    raw.close()
  })
  const origin = client.origin(new URL(`http://127.0.0.1:${address.port}`))
  assert.equal((await send(origin, 'x'.repeat(20_000_000)).done).body, 'early')
  assert.deepEqual(origin.counts(), { active: 0, idle: 0 })
})

test('a handler that throws costs its own exchange only', async (context) => {
  const { origin } = await setUp(context, (socket) => socket.write(toBody('ok')))
  const failures: string[] = []
  origin.send(
    { head: 'GET / HTTP/1.1\r\nhost: x\r\n\r\n', body: [], firstByteTimeoutMs: 1_000 },
    {
      onHead() {
        throw new Error('a mistake')
      },
      onData: () => undefined,
      onReadEnd: () => undefined,
      onEnd: () => undefined,
      onFailure: (failure) => failures.push(failure.message),
    },
  )
  await until(() => failures.length === 1)
  assert.match(failures[0] ?? '', /a mistake/)
  assert.equal((await send(origin).done).body, 'ok')
})

test('all spans of one read are followed by one call of onReadEnd', async (context) => {
  const { origin } = await setUp(context, (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(200)}0\r\n\r\n`),
  )
  const { body, reads } = await send(origin).done
  assert.deepEqual([body.length, reads], [200, 1])
})

test('closing the client fails what is running and what comes later', async (context) => {
  const { origin, client } = await setUp(context, (socket, request) => {
    if (request.endsWith('head')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')
  })
  const waiting = send(origin, 'wait')
  const answered = send(origin, 'head')
  await until(() => answered.collected.status === 200)
  client.close()
  assert.equal((await waiting.done).failure?.kind, 'unreachable')
  assert.equal((await answered.done).failure?.kind, 'broken')
  assert.equal((await send(origin).done).failure?.kind, 'unreachable')
})
