import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import type { Caller } from '../../src/foundation/domain/caller.ts'
import { problem } from '../../src/foundation/domain/errors.ts'
import { type Listeners, listen } from '../../src/foundation/http/listeners.ts'
import { apiRoute, noContent, ok, rawRoute } from '../../src/foundation/http/route.ts'
import { createServer } from '../../src/foundation/http/server.ts'
import { createSourceAddress } from '../../src/foundation/http/source-address.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'
import { requireAccess } from '../../src/modules/sign-in/roles.ts'
import { untilTrue } from '../message-path/path-client.ts'
import { sendRaw } from '../support/raw-http.ts'

const lines: string[] = []
const { log } = createLogging({ level: 'debug', format: 'json', write: (line) => lines.push(line) })

const person = (role: 'member' | 'admin'): Caller => ({
  kind: 'session',
  sessionId: 's',
  team: null,
  user: {
    id: '0190a000-0000-7000-8000-000000000001',
    subject: role,
    email: null,
    grants: [],
    role,
    teamId: null,
    active: true,
    identity: null,
    bootstrap: false,
    sessionEpoch: 0,
    createdAt: '2026-01-01T00:00:00Z',
  },
})

const answers = { 200: { text: 'fine' } }
const described = { tag: 'Test', summary: 'test', answers }

const routes = [
  apiRoute({
    ...described,
    method: 'POST',
    path: '/admin/things/{id}',
    access: 'admin',
    params: z.object({ id: z.uuid() }),
    query: z.strictObject({ limit: z.coerce.number().int().max(10).optional() }),
    body: z.strictObject({ name: z.string().min(1) }),
    handle: ({ body, params, query }) => ok({ ...body, ...params, ...query }),
  }),
  apiRoute({ ...described, method: 'DELETE', path: '/admin/things/{id}', access: 'admin', handle: () => noContent }),
  apiRoute({
    ...described,
    method: 'POST',
    path: '/admin/things/{id}/revoke',
    access: 'admin',
    handle: () => noContent,
  }),
  apiRoute({
    ...described,
    method: 'POST',
    path: '/admin/things/{id}/rotate',
    access: 'admin',
    body: z.strictObject({ grace: z.number().optional() }).optional(),
    handle: ({ body }) => ok({ grace: body?.grace ?? 0 }),
  }),
  apiRoute({
    ...described,
    method: 'GET',
    path: '/admin/things/all',
    access: 'admin',
    handle: () => ok({ data: [] }),
  }),
  apiRoute({
    ...described,
    method: 'GET',
    path: '/broken',
    access: 'open',
    handle: () => {
      throw new Error('select * from secrets where host = canary')
    },
  }),
  rawRoute({
    ...described,
    method: 'POST',
    path: '/v1/raw',
    access: 'client',
    handle: (request, response) => {
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      request.on('end', () => response.end(JSON.stringify({ size })))
    },
  }),
  rawRoute({
    ...described,
    method: 'POST',
    path: '/v1/plain',
    access: 'client',
    handle: (_request, response, context) => {
      context.identify('somebody')
      response.end(`direct ${context.requestId}`)
    },
  }),
  rawRoute({
    ...described,
    method: 'POST',
    path: '/v1/silent',
    access: 'client',
    handle: (_request, response) => void response.write('begun'),
  }),
  rawRoute({
    ...described,
    method: 'POST',
    path: '/v1/broken',
    access: 'client',
    handle: () => {
      throw new Error('a mistake in the handler')
    },
  }),
]

let listeners: Listeners
let base = ''
const id = '0190a000-0000-7000-8000-000000000002'

before(async () => {
  const app = await createServer({
    routes,
    log,
    requireAccess,
    sourceAddress: createSourceAddress(['127.0.0.1']),
    authenticate: (headers) => {
      if (headers.authorization === 'Bearer admin') return person('admin')
      if (headers.authorization === 'Bearer member') return person('member')
      throw problem(headers.authorization === undefined ? 'missing_credential' : 'invalid_credential')
    },
  })
  listeners = await listen({ host: '127.0.0.1', port: 0, tls: null, handler: app.routing, log })
  base = `http://127.0.0.1:${listeners.port}`
})

after(() => {
  listeners.stopAccepting()
  listeners.closeAll()
})

const json = { 'content-type': 'application/json' }

interface ErrorAnswer {
  readonly type: string
  readonly error: {
    readonly type: string
    readonly message: string
    readonly code: string
    readonly details?: { path: string }[]
  }
  readonly request_id: string
}

async function post(path: string, options: { token?: string; body?: string; type?: string; headers?: object }) {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    body: options.body ?? '{"name":"x"}',
    headers: {
      'content-type': options.type ?? 'application/json',
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as ErrorAnswer }
}

test('a valid call gets through, with a request id on the answer and in the log', async () => {
  const { status, headers, body } = await post(`/admin/things/${id}?limit=3`, { token: 'admin' })
  assert.equal(status, 200)
  assert.deepEqual(body, { name: 'x', id, limit: 3 })
  const requestId = headers.get('request-id') ?? ''
  assert.match(requestId, /^req_[0-9a-f]{32}$/)
  assert.ok(lines.some((line) => line.includes(requestId) && line.includes('/admin/things/:id')))
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

function linesOf(requestId: string): readonly Record<string, unknown>[] {
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((entry) => entry['id'] === requestId && entry['msg'] === 'request')
}

test('a raw route is answered with the id of the call, and has one log line', async () => {
  const response = await fetch(`${base}/v1/plain?beta=true`, { method: 'POST' })
  const requestId = response.headers.get('request-id') ?? ''
  assert.match(requestId, /^req_[0-9a-f]{32}$/)
  assert.equal(await response.text(), `direct ${requestId}`)
  const entries = linesOf(requestId)
  assert.equal(entries.length, 1)
  const { method, route, status, caller } = entries[0] ?? {}
  assert.deepEqual([method, route, status, caller], ['POST', '/v1/plain', 200, 'somebody'])
})

test('a raw answer that its client leaves in the middle has its log line too', async () => {
  const leaving = new AbortController()
  const response = await fetch(`${base}/v1/silent`, { method: 'POST', signal: leaving.signal })
  const requestId = response.headers.get('request-id') ?? ''
  assert.deepEqual(linesOf(requestId), [])
  leaving.abort()
  await untilTrue(() => linesOf(requestId).length === 1)
})

test('a raw handler that throws costs its own call and not the process', async () => {
  const { status, body, headers } = await post('/v1/broken', {})
  assert.deepEqual([status, body.error.type, body.request_id], [500, 'api_error', headers.get('request-id')])
  assert.doesNotMatch(body.error.message, /a mistake in the handler/)
})

test('errors have one shape and carry the request id of the header', async () => {
  const { headers, body } = await post('/nowhere', {})
  assert.equal(body.type, 'error')
  assert.equal(body.error.type, 'not_found_error')
  assert.equal(body.error.code, 'route_not_found')
  assert.equal(body.request_id, headers.get('request-id'))
})

test('checks come in order: credential, role, media type, size, body', async () => {
  const path = `/admin/things/${id}`
  const bad = { body: 'not json', type: 'text/plain' }
  assert.equal((await post(path, bad)).status, 401)
  assert.equal((await post(path, { ...bad, token: 'wrong' })).status, 401)
  assert.equal((await post(path, { ...bad, token: 'member' })).status, 403)
  assert.equal((await post(path, { ...bad, token: 'admin' })).status, 415)
  const large = JSON.stringify({ name: 'x'.repeat(1_100_000) })
  assert.equal((await post(path, { body: large, token: 'admin' })).status, 413)
  assert.equal((await post(path, { body: '{"name":', token: 'admin' })).body.error.code, 'invalid_json')
  assert.equal((await post(path, { body: '{"__proto__":{"a":1}}', token: 'admin' })).status, 400)
  const unknown = await post(path, { body: '{"name":"x","nmae":"y"}', token: 'admin' })
  assert.deepEqual(
    unknown.body.error.details?.map((detail) => detail.path),
    ['nmae'],
  )
  assert.equal((await post('/admin/things/7', { token: 'admin' })).body.error.code, 'invalid_id')
  assert.equal((await post(`${path}?limit=99`, { token: 'admin' })).body.error.code, 'invalid_parameter')
})

test('without a body a JSON content type is no mistake, unless the route needs one', async () => {
  const path = `/admin/things/${id}`
  const bare = (method: string, target: string, headers: Record<string, string> = json) =>
    fetch(`${base}${target}`, { method, headers: { authorization: 'Bearer admin', ...headers } })
  assert.equal((await bare('DELETE', path)).status, 204)
  assert.equal((await bare('POST', `${path}/revoke`)).status, 204)
  assert.equal(
    (await bare('POST', `${path}/revoke`, { 'content-type': 'application/json; charset=utf-8' })).status,
    204,
  )
  assert.equal((await bare('POST', `${path}/rotate`)).status, 200, 'a body that may be left out')
  const chunked = `POST ${path}/revoke HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
  assert.equal((await sendRaw(listeners.port, chunked, { waitMs: 500 })).status, 204)
  for (const headers of [json, {}]) {
    const missing = await bare('POST', path, headers)
    assert.equal(missing.status, 400)
    const { error } = (await missing.json()) as ErrorAnswer
    assert.deepEqual(
      [error.code, error.message],
      ['invalid_json', 'The request body is not valid JSON: the body is empty'],
    )
  }
  for (const target of [path, `${path}/revoke`])
    for (const body of ['{', ' ', '{"__proto__":{}}', '{"constructor":{"prototype":{}}}'])
      assert.equal((await post(target, { body, token: 'admin' })).body.error.code, 'invalid_json', `${target} ${body}`)
})

test('a body that is not UTF-8 is 400 and says where it goes wrong', async () => {
  const target = `/admin/things/${id}`
  for (const [head, bad] of [
    ['{"name":"é', [0xff]],
    [`{"name":"${'é'.repeat(3_000)}`, [0xc3]],
  ] as const) {
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bad), Buffer.from('"}')])
    const response = await fetch(`${base}${target}`, {
      method: 'POST',
      body,
      headers: { ...json, authorization: 'Bearer admin' },
    })
    assert.equal(response.status, 400)
    const { error } = (await response.json()) as ErrorAnswer
    assert.deepEqual(
      [error.code, error.message],
      [
        'invalid_json',
        `The request body is not valid JSON: invalid UTF-8 at byte ${Buffer.byteLength(head)}. Encode the body as UTF-8.`,
      ],
    )
  }
})

test('a wrong method is 405 and names the right ones', async () => {
  const response = await fetch(`${base}/admin/things/${id}`, { method: 'PUT' })
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'POST, DELETE')
})

test('the methods of a path are its own, not those of one that a parameter would match', async () => {
  for (const method of ['OPTIONS', 'PUT'])
    for (const [path, allow] of [
      ['/admin/things/all', 'GET'],
      [`/admin/things/${id}`, 'POST, DELETE'],
      [`/admin/things/${id}/revoke`, 'POST'],
    ] as const) {
      const response = await fetch(`${base}${path}`, { method })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, allow], `${method} ${path}`)
    }
})

test('null is no object, also where the body may be left out', async () => {
  for (const path of [`/admin/things/${id}`, `/admin/things/${id}/rotate`]) {
    const { status, body } = await post(path, { token: 'admin', body: 'null' })
    assert.equal(status, 400, path)
    assert.deepEqual(
      [body.error.code, body.error.message],
      ['invalid_body', 'The request body is not valid: body: must be an object'],
    )
  }
})

test('where nothing is, nothing is said about the body', async () => {
  const large = JSON.stringify({ name: 'x'.repeat(1_100_000) })
  for (const options of [{ body: large }, { body: '{' }, { type: 'odd' }, { type: 'text/plain' }]) {
    assert.equal((await post('/v1/v1/raw', options)).body.error.code, 'route_not_found')
    assert.equal((await post('/broken', options)).body.error.code, 'method_not_allowed')
  }
  const query = await sendRaw(listeners.port, 'QUERY /v1/raw HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal(query.status, 405)
  assert.match(query.head, /\r\nallow: POST\r\n/)
})

test('an unexpected error tells the client nothing about itself', async () => {
  const response = await fetch(`${base}/broken`)
  const text = await response.text()
  assert.equal(response.status, 500)
  assert.doesNotMatch(text, /canary|select|secrets/)
  assert.ok(lines.some((line) => line.includes('canary') && line.includes('"level":"error"')))
})

test('no path or host trick reaches an admin route without a credential', async () => {
  const target = `/admin/things/${id}`
  const body = 'content-type: application/json\r\ncontent-length: 12\r\n\r\n{"name":"x"}'
  const tricks = [
    `POST ${target} HTTP/1.1\r\nHost: x/health?\r\n`,
    `POST ${target} HTTP/1.1\r\nHost: x#\r\n`,
    `POST ${target} HTTP/1.1\r\nHost: x/portal/\r\n`,
    `POST ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n`,
    `POST http://x${target} HTTP/1.1\r\nHost: x\r\n`,
    `POST /health HTTP/1.1\r\nHost: x\r\nX-Original-URL: ${target}\r\nX-Rewrite-URL: ${target}\r\nX-Forwarded-Uri: ${target}\r\n`,
    `POST /${target} HTTP/1.1\r\nHost: x\r\n`,
    `POST /.${target} HTTP/1.1\r\nHost: x\r\n`,
    `POST ${target.replace('admin', '%61dmin')} HTTP/1.1\r\nHost: x\r\n`,
    `POST /health/..;${target} HTTP/1.1\r\nHost: x\r\n`,
    `POST /health/../admin/things/${id} HTTP/1.1\r\nHost: x\r\n`,
    `POST ${target}/ HTTP/1.1\r\nHost: x\r\n`,
    `POST ${target}?/health HTTP/1.1\r\nHost: x\r\n`,
  ]
  for (const trick of tricks) {
    const { status, body: answer } = await sendRaw(listeners.port, trick + body)
    assert.ok([400, 401, 404, 405].includes(status), `${status} for ${trick}`)
    assert.doesNotMatch(answer, /"name":"x"/)
  }
})

test('smuggling attempts are refused and the connection is closed', async () => {
  const attempts = [
    'POST /v1/raw HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST /v1/raw HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'POST /v1/raw HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'POST /v1/raw HTTP/1.1\r\nHost : x\r\nContent-Length: 0\r\n\r\n',
    'GET /health HTTP/1.1\nHost: x\n\n',
    'POST /v1/raw HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /v1/raw HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
  ]
  for (const attempt of attempts) {
    const answer = await sendRaw(listeners.port, attempt)
    assert.equal(answer.status, 400, attempt)
    assert.match(answer.head, /request-id: req_/i)
  }
})

test('a chunked body under HTTP/1.0 is refused on both ways to a route, and the connection ends with it', async () => {
  for (const path of ['/v1/raw', '/health']) {
    const head = `POST ${path} HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n`
    const answer = await sendRaw(listeners.port, `${head}0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n`)
    assert.equal(answer.status, 400, path)
    assert.match(answer.head, /connection: close/i)
  }
})

test('a path that cannot be read, or with an endless part, is 400 in the common shape', async () => {
  for (const part of ['%ff', 'a'.repeat(3_000)]) {
    const { status, headers, body } = await post(`/admin/things/${part}`, {})
    assert.deepEqual([status, body.error.code], [400, 'invalid_request_line'])
    assert.match(body.request_id, /^req_/)
    assert.equal(headers.get('request-id'), body.request_id)
  }
})

test('an expectation that nobody knows is ignored', async () => {
  const request = 'POST /v1/raw HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 2\r\n\r\nhi'
  const answer = await sendRaw(listeners.port, request, { waitMs: 500 })
  assert.equal(answer.status, 200)
  assert.match(answer.head, /request-id: req_/i)
  assert.match(answer.body, /"size":2/)
})

test('too many or too large headers are 431 in the common shape', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `x-h${index}: 1\r\n`).join('')
  for (const headers of [many, `x-large: ${'a'.repeat(40_000)}\r\n`]) {
    const answer = await sendRaw(listeners.port, `GET /health HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
    assert.equal(answer.status, 431)
    assert.equal((JSON.parse(answer.body) as ErrorAnswer).error.code, 'headers_too_large')
  }
})

test('a raw route takes bodies of any type and size limit of its own', async () => {
  const response = await fetch(`${base}/v1/raw`, {
    method: 'POST',
    body: 'x'.repeat(3_000_000),
    headers: { 'content-type': 'text/odd' },
  })
  assert.deepEqual(await response.json(), { size: 3_000_000 })
})
