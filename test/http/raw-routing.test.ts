import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createRouting } from '../../src/foundation/http/raw-routing.ts'
import { rawRoute } from '../../src/foundation/http/route.ts'
import { createLogging } from '../../src/foundation/platform/logger.ts'

const lines: string[] = []
const { log } = createLogging({ level: 'info', format: 'json', write: (line) => void lines.push(line) })
const shared = { method: 'POST', access: 'client', tag: 'x', summary: 'x', answers: {} } as const
const routes = [
  rawRoute({
    ...shared,
    path: '/v1/plain',
    handle: (_request, response, context) => {
      context.identify('somebody')
      response.end(`direct ${context.requestId}`)
    },
  }),
  rawRoute({ ...shared, path: '/v1/{id}/more', handle: (_request, response) => void response.end('direct') }),
  rawRoute({
    ...shared,
    path: '/v1/broken',
    handle: () => {
      throw new Error('a mistake in the handler')
    },
  }),
]
const server = http.createServer(
  { requireHostHeader: false },
  createRouting({ routes, log, sourceAddress: () => '' }, (_request, response) => void response.end('others')),
)
let port = 0

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

after(() => server.close())

function ask(path: string, options: http.RequestOptions = {}): Promise<{ status: number; id: string; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, path, method: 'POST', agent: false, ...options },
      (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, id: String(answer.headers['request-id'] ?? ''), text }),
        )
      },
    )
    request.on('error', reject)
    request.end()
  })
}

test('a raw route by its exact path is answered directly, with its id and one log line', async () => {
  const { text, id } = await ask('/v1/plain?beta=true')
  assert.match(id, /^req_[0-9a-f]{32}$/)
  assert.equal(text, `direct ${id}`)
  const entries = lines.map((line) => JSON.parse(line)).filter((entry) => entry.id === id)
  assert.equal(entries.length, 1)
  const [{ method, route, status, caller, msg }] = entries
  assert.deepEqual(
    { method, route, status, caller, msg },
    { method: 'POST', route: '/v1/plain', status: 200, caller: 'somebody', msg: 'request' },
  )
})

test('a target that is a whole address is answered like its path', async () => {
  for (const target of [`http://127.0.0.1:${port}/v1/plain`, 'HTTPS://gateway.example/v1/plain?beta=true'])
    assert.match((await ask(target)).text, /^direct req_/)
})

test('everything unusual is left to the router', async () => {
  assert.equal((await ask('/v1/plain', { method: 'GET' })).text, 'others')
  assert.equal((await ask('/v1/plain/')).text, 'others')
  assert.equal((await ask('/v1/pl%61in')).text, 'others')
  assert.equal((await ask('/v1/7/more')).text, 'others')
  assert.equal((await ask('/v1/plain', { setHost: false })).text, 'others')
  assert.equal((await ask('ftp://127.0.0.1/v1/plain')).text, 'others')
})

test('a handler that throws costs its own call and not the process', async () => {
  const { status, text, id } = await ask('/v1/broken')
  assert.equal(status, 500)
  const answer = JSON.parse(text)
  assert.equal(answer.error.type, 'api_error')
  assert.equal(answer.request_id, id)
  assert.doesNotMatch(text, /a mistake in the handler/)
})
