import assert from 'node:assert/strict'
import net from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { sendRaw } from '../support/raw-http.ts'
import { asEvent, type ErrorBody, hello, post, requestIdOf, toErrorContent } from './path-client.ts'

let gateway: TestGateway
let key = ''
let unmodified: object

before(async () => {
  gateway = await startGateway({
    simulatorSettings: { tokenMode: 'fingerprint' },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  unmodified = { ...Object.prototype }
})

after(() => gateway.stop())

/** Whatever a test sent: the next caller is served, and the ground is clean for the next test. */
afterEach(async () => {
  assert.equal((await post(gateway, key, hello)).status, 200)
  assert.deepEqual({ ...Object.prototype }, unmodified)
  await gateway.control.clearLedger()
})

async function assertRefused(body: Parameters<typeof post>[2], status: number, wording: RegExp): Promise<ErrorBody> {
  const response = await post(gateway, key, body)
  const answer = await toErrorContent(response)
  const shown = JSON.stringify(answer)
  assert.equal(response.status, status, shown)
  assert.equal(answer.type, 'error', shown)
  assert.match(answer.error.message, wording)
  assert.equal(answer.request_id, response.headers.get('request-id'))
  assert.deepEqual(await upstream(), [])
  return answer
}

async function upstream(): Promise<string[]> {
  return (await gateway.control.ledger()).map(({ operation }) => operation).filter((name) => name.startsWith('Invoke'))
}

const notJson: readonly (readonly [name: string, body: string | Buffer])[] = [
  ['nothing', ''],
  ['spaces', '   \n'],
  ['a word', 'hello'],
  ['a list', '[]'],
  ['a string', '"x"'],
  ['null', 'null'],
  ['half an object', '{"model": "claude-sonnet-5", "max_tok'],
  ['two objects', `${JSON.stringify(hello)}${JSON.stringify(hello)}`],
  ['a trailing comma', `${JSON.stringify(hello).slice(0, -1)},}`],
  ['single quotes', "{'model': 'x'}"],
  ['a comment', `/* x */${JSON.stringify(hello)}`],
  ['NaN', JSON.stringify(hello).replace('200', 'NaN')],
  ['a byte order mark', `\uFEFF${JSON.stringify(hello)}`],
  ['UTF-16', Buffer.from(JSON.stringify(hello), 'utf16le')],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
  ['depth 10,000', `{"model":"claude-sonnet-5","max_tokens":9,"messages":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['depth 200,000', `{"a":${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}}`],
]

for (const [name, body] of notJson) {
  test(`${name} instead of a JSON object is 400`, async () => {
    await assertRefused(body, 400, /not valid/)
  })
}

test('raw control characters inside a string are 400, at the latest by the words of the hosted service', async () => {
  for (const text of ['Hel\nlo', 'Hel\u0000lo', 'Hel\u001flo']) {
    const response = await post(gateway, key, JSON.stringify(hello).replace('Hello', text))
    assert.equal(response.status, 400)
    assert.equal((await toErrorContent(response)).error.type, 'invalid_request_error')
  }
})

const wrong: readonly (readonly [name: string, change: Readonly<Record<string, unknown>>, wording: RegExp])[] = [
  ['no model', { model: undefined }, /model: Field required/],
  ['a model that is a number', { model: 5 }, /model: .*string/],
  ['an empty model', { model: '' }, /model: /],
  ['a model of 300 letters', { model: 'c'.repeat(300) }, /model: .*256/],
  ['no messages', { messages: undefined }, /messages: Field required/],
  ['messages that are a text', { messages: 'Hello' }, /messages: .*list/],
  ['no message at all', { messages: [] }, /messages: at least one/],
  ['a message that is a text', { messages: ['Hello'] }, /messages\.0: /],
  ['no max_tokens', { max_tokens: undefined }, /max_tokens: Field required/],
  ['max_tokens as text', { max_tokens: '200' }, /max_tokens: .*integer/],
  ['max_tokens below zero', { max_tokens: -5 }, /max_tokens: .*greater/],
  ['max_tokens with a fraction', { max_tokens: 1.5 }, /max_tokens: .*integer/],
  ['max_tokens beyond all numbers', { max_tokens: 1e30 }, /max_tokens: .*integer/],
  ['stream as text', { stream: 'yes' }, /stream: .*boolean/],
  ['betas that are a text', { anthropic_beta: 'x' }, /anthropic_beta: .*list/],
]

for (const [name, change, wording] of wrong) {
  test(`${name} is 400 and says which field`, async () => {
    const { error } = await assertRefused({ ...hello, ...change }, 400, wording)
    assert.equal(error.type, 'invalid_request_error')
    const [mistake] = error.details ?? []
    assert.equal(error.message, `The request body is not valid: ${mistake?.path}: ${mistake?.message}`)
  })
}

test('an unknown model is 404 in words that give nothing away, however it is written', async () => {
  for (const model of [
    'claude-none',
    '../../etc/passwd',
    'arn:aws:bedrock:us-east-1:1:x/y',
    'a\u202Eb',
    '\ud800',
    '__proto__',
  ])
    assert.equal((await assertRefused({ ...hello, model }, 404, /not available/)).error.type, 'not_found_error')
})

test('a body of 33 MB is 413, announced or not, and the answer comes although the body goes on', async () => {
  const large = Buffer.alloc(33 * 1024 * 1024, 0x61)
  assert.equal((await assertRefused(large, 413, /32 MiB/)).error.type, 'request_too_large')
  const head = `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n`
  const chunk = Buffer.concat([Buffer.from(`${large.length.toString(16)}\r\n`), large, Buffer.from('\r\n0\r\n\r\n')])
  const answer = await sendRaw(
    gateway.port,
    Buffer.concat([Buffer.from(`${head}transfer-encoding: chunked\r\n\r\n`), chunk]),
  )
  assert.equal(answer.status, 413)
})

test('a body of gigabytes is refused for its size, and only to callers who are known', async () => {
  const announce = (credential: string) =>
    sendRaw(gateway.port, `POST /v1/messages HTTP/1.1\r\nhost: x\r\n${credential}content-length: 9000000000\r\n\r\n{`)
  assert.equal((await announce('')).status, 401)
  assert.equal((await announce(`authorization: Bearer ${key}\r\n`)).status, 413)
})

test('a body just under the limit passes the gateway and is refused by the hosted service in its own words', async () => {
  const size = 32 * 1024 * 1024 - 1_000
  const response = await post(gateway, key, { ...hello, messages: [{ role: 'user', content: 'a'.repeat(size) }] })
  assert.equal(response.status, 400)
})

test('the names of an object prototype are data like any other', async () => {
  const body = `{"__proto__":{"polluted":true,"isAdmin":true},"constructor":{"prototype":{"polluted":true}},${JSON.stringify(hello).slice(1)}`
  const response = await post(gateway, key, body)
  assert.ok(response.status === 200 || response.status === 400)
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

test('half characters and escaped NULs are passed on as they came', async () => {
  for (const text of ['\\ud83d', 'a\\u0000b', '\\udc00\\ud800', '\\u202e'])
    assert.equal((await post(gateway, key, JSON.stringify(hello).replace('Hello', text))).status, 200)
})

test('compressed bodies are read, broken ones refused', async () => {
  const plain = Buffer.from(JSON.stringify(hello))
  const send = (encoding: string, body: Buffer): Promise<Response> =>
    post(gateway, key, body, { headers: { 'content-encoding': encoding } })
  assert.equal((await send('gzip', gzipSync(plain))).status, 200)
  assert.equal((await send('GZIP', gzipSync(plain))).status, 200)
  assert.equal((await send('deflate', deflateSync(plain))).status, 200)
  assert.equal((await send('identity', plain)).status, 200)
  await gateway.control.clearLedger()
  for (const [encoding, body, status] of [
    ['br', brotliCompressSync(plain), 415],
    ['gzip, gzip', gzipSync(gzipSync(plain)), 415],
    ['gzip', plain, 400],
    ['gzip', gzipSync(plain).subarray(0, 40), 400],
    ['deflate', Buffer.from('nonsense'), 400],
  ] as const) {
    const response = await send(encoding, body)
    assert.equal(response.status, status, `${encoding} ${response.status}`)
    assert.equal((await toErrorContent(response)).type, 'error')
  }
  assert.deepEqual(await upstream(), [])
})

test('a compression bomb is stopped at the size limit and in little memory', async () => {
  const bomb = gzipSync(Buffer.alloc(512 * 1024 * 1024))
  const before = process.memoryUsage().rss
  const responses = await Promise.all(
    Array.from({ length: 4 }, () => post(gateway, key, bomb, { headers: { 'content-encoding': 'gzip' } })),
  )
  for (const response of responses) assert.equal(response.status, 413)
  assert.ok(process.memoryUsage().rss - before < 400 * 1024 * 1024)
})

test('another content type is 415, several spellings of JSON and none at all are taken', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'nonsense',
  ]) {
    const response = await post(gateway, key, hello, { headers: { 'content-type': type } })
    assert.equal(response.status, 415, type)
    assert.equal((await toErrorContent(response)).type, 'error')
  }
  assert.deepEqual(await upstream(), [])
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.x+json'])
    assert.equal((await post(gateway, key, hello, { headers: { 'content-type': type } })).status, 200, type)
  const body = JSON.stringify(hello)
  const bare = await sendRaw(gateway.port, `${headWith('', body.length)}${body}`)
  assert.equal(bare.status, 200)
})

function headWith(lines: string, length: number): string {
  return `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${lines}content-length: ${length}\r\n\r\n`
}

test('500 headers, and headers of 40 kB, are 431', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `x-header-${index}: 1\r\n`).join('')
  for (const lines of [many, `x-long: ${'a'.repeat(40_000)}\r\n`]) {
    const answer = await sendRaw(gateway.port, `${headWith(lines, 2)}{}`)
    assert.equal(answer.status, 431)
    assert.match(answer.body, /"type":"error"/)
  }
})

test('a body that stops half way costs nobody anything', async () => {
  const body = JSON.stringify(hello)
  const sockets = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = net.connect(gateway.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.resume()
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write(headWith('content-type: application/json\r\n', body.length) + body.slice(0, 20))
      return socket
    }),
  )
  assert.equal((await post(gateway, key, hello)).status, 200)
  assert.equal((await upstream()).length, 1)
  for (const socket of sockets) socket.end()
  await Promise.all(
    sockets.map((socket) => (socket.closed ? undefined : new Promise((resolve) => socket.once('close', resolve)))),
  )
})

test('no credential is 401 before the body is looked at', async () => {
  const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', body: 'not json' })
  assert.equal(response.status, 401)
  assert.equal((await toErrorContent(response)).error.type, 'authentication_error')
})

test('the same mistakes in the hosted form are answered in the hosted form', async () => {
  for (const [body, status] of [
    ['', 400],
    ['{"max_tokens": 5}', 400],
    ['[]', 400],
  ] as const) {
    const response = await post(gateway, key, body, { path: '/model/us.anthropic.claude-sonnet-5/invoke' })
    assert.equal(response.status, status)
    assert.equal(response.headers.get('x-amzn-errortype'), 'ValidationException')
    assert.equal(typeof ((await response.json()) as { message: string }).message, 'string')
  }
  assert.deepEqual(await upstream(), [])
})

test('a content type that is none is judged after the credential, in the form of the route', async () => {
  for (const operation of ['invoke', 'invoke-with-response-stream', 'count-tokens'])
    for (const [credential, status] of [
      ['', 401],
      [key, 415],
    ] as const) {
      const path = `/model/us.anthropic.claude-sonnet-5/${operation}`
      const response = await post(gateway, credential, '{}', { path, headers: { 'content-type': 'odd' } })
      assert.equal(response.status, status)
      assert.match(response.headers.get('x-amzn-errortype') ?? '', /Exception$/)
    }
})

test('headers of the client do not travel to the hosted service', async () => {
  const headers = {
    'x-amz-security-token': 'stolen',
    'x-amz-date': '20200101T000000Z',
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    'x-amzn-bedrock-service-tier': 'priority',
    'x-forwarded-for': '203.0.113.9',
    'x-api-key': key,
    'anthropic-beta': Array.from({ length: 100 }, () => 'context-1m-2025-08-07').join(','),
    'anthropic-version': '2026-10-21',
    cookie: 'session=1',
    'x-canary': 'canary-value',
  }
  assert.equal((await post(gateway, key, hello, { headers })).status, 200)
  const sent = (await gateway.control.requests()).at(-1)
  const allowed =
    /^(accept|authorization|connection|content-length|content-type|host|user-agent|x-amz-date|x-amz-content-sha256|x-amzn-bedrock-accept)$/
  assert.deepEqual(
    Object.keys(sent?.headers ?? {}).filter((name) => !allowed.test(name)),
    [],
  )
  const text = JSON.stringify(sent)
  for (const secret of [key, 'stolen', 'canary-value', '203.0.113.9', '20200101T'])
    assert.ok(!text.includes(secret), secret)
  assert.deepEqual((JSON.parse(sent?.body ?? '{}') as { anthropic_beta: string[] }).anthropic_beta, [
    'context-1m-2025-08-07',
  ])
})

test('in the hosted form headers that change no price travel, and those that do are left out', async () => {
  const headers = {
    'x-amzn-bedrock-trace': 'ENABLED',
    'x-amzn-bedrock-service-tier': 'priority',
    'x-amzn-bedrock-performanceconfig-latency': 'optimized',
  }
  const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages: hello.messages }
  const path = '/model/us.anthropic.claude-sonnet-5/invoke'
  assert.equal((await post(gateway, key, body, { path, headers })).status, 200)
  const sent = Object.entries((await gateway.control.requests()).at(-1)?.headers ?? {})
  assert.deepEqual(
    sent.filter(([name]) => name in headers),
    [['x-amzn-bedrock-trace', 'ENABLED']],
  )
})

test('a header for the hosted service that cannot be sent is 400, and no endpoint pauses for it', async () => {
  const body = JSON.stringify({ max_tokens: 5, messages: hello.messages })
  const line = 'POST /model/us.anthropic.claude-sonnet-5/invoke HTTP/1.1\r\nhost: x\r\n'
  const headers = `authorization: Bearer ${key}\r\nx-amzn-bedrock-trace: \xe9\r\ncontent-length: ${body.length}\r\n`
  for (let round = 0; round < 4; round += 1) {
    const answer = await sendRaw(gateway.port, Buffer.from(`${line}${headers}\r\n${body}`, 'latin1'))
    assert.equal(answer.status, 400)
    assert.match(answer.body, /x-amzn-bedrock-trace/)
  }
  const response = await post(gateway, key, hello)
  assert.equal(response.status, 200)
  assert.doesNotMatch((await asEvent(gateway, requestIdOf(response))).routing ?? '', /pause/)
})
