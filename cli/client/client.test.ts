import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { CliError, type ExitName } from '../terminal/cli-error.ts'
import { nearest } from './find-record.ts'
import { type Client, createClient } from './http-client.ts'
import { parseBlock } from './server-events.ts'

test('the nearest name is offered when it is near enough', () => {
  const names = ['ci-build', 'nightly', 'ada@example.com']
  assert.equal(nearest('ci-biuld', names), 'ci-build')
  assert.equal(nearest('ada', names), 'ada@example.com')
  assert.equal(nearest('something else', names), undefined)
})

test('events are read with their name and data, comments are passed over', () => {
  assert.deepEqual(parseBlock('event: request\ndata: {"a":\ndata: 1}'), { event: 'request', data: '{"a":\n1}' })
  assert.equal(parseBlock(': still here'), undefined)
})

/** A server and a client of it, for as long as the work takes. */
async function asking(answer: RequestListener, work: (client: Client, base: string) => Promise<void>): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await work(createClient({ base, token: 'sess-x', signal: new AbortController().signal, userAgent: 'test' }), base)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function assertFails(call: () => Promise<unknown>, exit: ExitName, message: RegExp): Promise<void> {
  return assert.rejects(
    call,
    (error: unknown) => error instanceof CliError && error.parts.exit === exit && message.test(error.message),
  )
}

test('a server that is no gateway is called that, and its 404 is not taken for a missing record', async () => {
  let status = 404
  const answer: RequestListener = (_request, response) => response.writeHead(status).end('<h1>Not here</h1>')
  await asking(answer, async (client) => {
    for (const [answered, exit] of [
      [404, 'failed'],
      [502, 'unreachable'],
    ] as const) {
      status = answered
      const words = new RegExp(`^http\\S+ does not answer like a gateway \\(status ${answered}\\)$`)
      await assertFails(() => client.get('/admin/keys'), exit, words)
    }
  })
})

test('a success of another server is not believed, in whatever form it comes', async () => {
  const answer: RequestListener = (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false}')
  await asking(answer, async (client, base) => {
    for (const call of [
      () => client.get('/admin/keys'),
      () => client.send('POST', '/admin/teams', { name: 'platform' }),
      () => client.open('/admin/requests'),
      () => client.ask('POST', '/v1/messages'),
    ])
      await assertFails(call, 'failed', new RegExp(`^${base} does not answer like a gateway \\(status 200\\)$`))
  })
})

test('an answer that breaks off is told like a gateway that cannot be reached', async () => {
  const answer: RequestListener = (request, response) => {
    response.writeHead(request.url === '/refused' ? 503 : 200, { 'content-length': '1000', 'request-id': 'req_1' })
    response.write('{"data":[', () => response.destroy())
  }
  await asking(answer, async (client) => {
    for (const call of [
      () => client.get('/admin/keys'),
      () => client.open('/refused'),
      () => client.ask('POST', '/auth/cli/poll'),
    ])
      await assertFails(call, 'unreachable', /could not be reached: it closed the connection$/)
  })
})
