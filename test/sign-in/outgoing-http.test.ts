import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { parseEgressAllow } from '../../src/foundation/platform/egress-guard.ts'
import {
  createOutgoingHttp,
  type OutgoingFailure,
  type OutgoingHttp,
  OutgoingHttpError,
} from '../../src/foundation/platform/outgoing-http.ts'

const stops: (() => unknown)[] = []
after(() => Promise.all(stops.map((stop) => stop())))

interface TestServer {
  readonly port: number
  readonly url: string
  readonly seen: IncomingMessage[]
  readonly connections: () => number
}

async function startServer(listener: RequestListener, host = '127.0.0.1'): Promise<TestServer> {
  const seen: IncomingMessage[] = []
  let connections = 0
  const server: Server = createServer((request, response) => {
    seen.push(request)
    listener(request, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://${host}:${port}`, seen, connections: () => connections }
}

function createClient(
  allow: string,
  resolve?: (host: string) => Promise<{ address: string; family: number }[]>,
): OutgoingHttp {
  const client = createOutgoingHttp({ allow: parseEgressAllow(allow), ...(resolve === undefined ? {} : { resolve }) })
  stops.push(client.close)
  return client
}

async function toFailure(answer: Promise<unknown>): Promise<OutgoingFailure> {
  const error = await answer.then(
    () => assert.fail('was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof OutgoingHttpError, String(error))
  return error.kind
}

const loopback = createClient('127.0.0.1')

test('JSON comes back parsed with its status; an error without JSON has a null body', async () => {
  const server = await startServer((request, response) => {
    if (request.url === '/error') response.writeHead(503).end('<html>')
    else response.end('{"ok":true}')
  })
  assert.deepEqual((await loopback.fetchJson(`${server.url}/a?b=1#c`)).body, { ok: true })
  assert.equal(server.seen[0]?.url, '/a?b=1')
  const { status, body } = await loopback.fetchJson(`${server.url}/error`)
  assert.deepEqual([status, body], [503, null])
})

test('a successful answer that is not JSON is unreadable', async () => {
  const server = await startServer((_, response) => response.end('<html>'))
  assert.equal(await toFailure(loopback.fetchJson(server.url)), 'unreadable')
})

test('an endless answer is cut at the limit', async () => {
  const server = await startServer((_, response) => {
    const piece = Buffer.alloc(65_536, 32)
    const pump = (): void => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', pump)
    }
    pump()
  })
  assert.equal(await toFailure(loopback.fetchJson(server.url)), 'too-large')
})

test('a gzip bomb is cut by what comes out of it', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 9 })
  const server = await startServer((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
  const before = process.memoryUsage().rss
  assert.ok(bomb.length < 1024 * 1024)
  assert.equal(await toFailure(loopback.fetchJson(server.url)), 'too-large')
  assert.ok(process.memoryUsage().rss - before < 50 * 1024 * 1024)
})

test('honest compression is read, although it was not asked for; an unknown one is refused', async () => {
  const server = await startServer((request, response) => {
    response.setHeader('content-encoding', request.url === '/zip' ? 'gzip' : 'gzip, gzip').end(gzipSync('{"a":1}'))
  })
  assert.deepEqual((await loopback.fetchJson(`${server.url}/zip`)).body, { a: 1 })
  assert.equal(server.seen[0]?.headers['accept-encoding'], 'identity')
  assert.equal(await toFailure(loopback.fetchJson(`${server.url}/twice`)), 'unreadable')
})

test('one deadline covers silence before the head and a trickling body', async () => {
  const server = await startServer((request, response) => {
    if (request.url === '/silent') return
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  const failures = ['/silent', '/trickle'].map((path) =>
    toFailure(loopback.fetchJson(server.url + path, { timeoutMs: 150 })),
  )
  assert.deepEqual(await Promise.all(failures), ['timeout', 'timeout'])
})

test('a host that refuses connections is unreachable', async () => {
  const server = await startServer(() => undefined)
  await (stops.pop() as () => unknown)()
  assert.equal(await toFailure(loopback.fetchJson(server.url)), 'unreachable')
})

test('a read follows three redirects and no fourth', async () => {
  const server = await startServer((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('{"end":true}')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  assert.deepEqual((await loopback.fetchJson(`${server.url}/3`)).body, { end: true })
  assert.equal(await toFailure(loopback.fetchJson(`${server.url}/4`)), 'too-many-redirects')
})

test('every redirect is judged anew: no way from an allowed host to a closed one', async () => {
  const canary = await startServer((_, response) => response.end('{}'), '127.0.0.2')
  const places = [
    canary.url,
    `http://[::ffff:127.0.0.2]:${canary.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://2852039166/',
    'file:///etc/passwd',
    'http://user@127.0.0.1/',
    'https://10.0.0.1/',
    'http://public.example/',
  ]
  let at = 0
  let status = 301
  const server = await startServer((_, response) => response.writeHead(status, { location: places[at] ?? '' }).end())
  for (status of [301, 302, 303, 307, 308]) {
    for (at = 0; at < places.length; at += 1) {
      assert.equal(await toFailure(loopback.fetchJson(server.url)), 'refused', `${status} ${places[at]}`)
    }
  }
  assert.equal(canary.connections(), 0)
})

test('a write is never redirected: its 3xx is the answer', async () => {
  const canary = await startServer((_, response) => response.end('{}'))
  for (const code of [301, 302, 303, 307, 308]) {
    const server = await startServer((_, response) => response.writeHead(code, { location: canary.url }).end())
    const { status } = await loopback.fetchJson(server.url, { method: 'POST', body: '{"secret":1}' })
    assert.equal(status, code)
  }
  assert.equal(canary.connections(), 0)
})

test('headers meant for one host do not travel to another', async () => {
  const other = await startServer((_, response) => response.end('{}'))
  const server = await startServer((request, response) => {
    response.writeHead(302, { location: request.url === '/' ? '/again' : other.url }).end()
  })
  await loopback.fetchJson(`${server.url}/`, {
    headers: { authorization: 'Bearer s', 'x-api-key': 's', 'x-custom': 's' },
  })
  assert.equal(server.seen[1]?.headers['x-api-key'], 's')
  const received = other.seen[0]?.headers ?? {}
  assert.deepEqual(
    [received['authorization'], received['x-api-key'], received['x-custom']],
    [undefined, undefined, undefined],
  )
  assert.equal(received['accept'], 'application/json')
})

test('a name that resolves inside is refused at connect time, in every address form', async () => {
  const canary = await startServer((_, response) => response.end('{}'))
  for (const [address, family] of [
    ['127.0.0.1', 4],
    ['::ffff:127.0.0.1', 6],
    ['169.254.169.254', 4],
    ['::ffff:a9fe:a9fe', 6],
    ['10.0.0.1', 4],
    ['fd00:ec2::254', 6],
  ] as const) {
    const client = createClient('', async () => [{ address, family }])
    assert.equal(await toFailure(client.fetchJson(`https://public.example:${canary.port}/`)), 'refused', address)
  }
  assert.equal(canary.connections(), 0)
})

test('a name that flips between two answers is connected only to an address that was checked in the same step', async () => {
  const canary = await startServer((_, response) => response.end('{}'), '127.0.0.2')
  const honest = await startServer((_, response) => response.setHeader('connection', 'close').end('{"honest":true}'))
  let asked = 0
  const flipping = createClient('127.0.0.1/32,rebind.invalid', async () => {
    asked += 1
    return [{ address: asked % 2 === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]
  })
  const outcomes: unknown[] = []
  for (let call = 0; call < 6; call += 1) {
    const url = `http://rebind.invalid:${honest.port}/`
    outcomes.push(
      await flipping.fetchJson(url).then(
        ({ body }) => body,
        (error: OutgoingHttpError) => error.kind,
      ),
    )
  }
  const [good, refused] = [{ honest: true }, 'refused']
  assert.deepEqual(outcomes, [good, refused, good, refused, good, refused])
  assert.equal(asked, 6)
  assert.equal(canary.connections(), 0)
})

test('of several addresses only the allowed ones are tried', async () => {
  const canary = await startServer((_, response) => response.end('{}'), '127.0.0.2')
  const mixed = createClient('127.0.0.1', async () => [
    { address: '127.0.0.2', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ])
  assert.equal(await toFailure(mixed.fetchJson(`https://mixed.example:${canary.port}/`)), 'unreachable')
  assert.equal(canary.connections(), 0)
})

test('the fetch form hands redirects back and carries form bodies', async () => {
  let body = ''
  const server = await startServer((request, response) => {
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/elsewhere' }).end()
    request.on('data', (piece: Buffer) => {
      body += piece
    })
    request.on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end('{"a":1}'))
  })
  assert.equal((await loopback.fetch(`${server.url}/redirect`)).status, 302)
  const answer = await loopback.fetch(server.url, { method: 'post', body: new URLSearchParams({ code: 'x y' }) })
  assert.deepEqual([answer.status, await answer.json(), body], [201, { a: 1 }, 'code=x+y'])
  assert.equal(server.seen.length, 2)
})
