import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { CliError } from '../cli-error.ts'
import { nearest } from './find-record.ts'
import { createClient } from './http-client.ts'
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

test('a server that is no gateway is called that, and its 404 is not taken for a missing record', async () => {
  let status = 404
  const server = createServer((_request, response) => response.writeHead(status).end('<h1>Not here</h1>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ base, token: 'sess-x', signal: new AbortController().signal, userAgent: 'test' })
  try {
    for (const [answered, exit] of [
      [404, 'failed'],
      [502, 'unreachable'],
    ] as const) {
      status = answered
      await assert.rejects(
        client.get('/admin/keys'),
        (error: unknown) =>
          error instanceof CliError &&
          error.parts.exit === exit &&
          error.message === `${base} does not answer like a gateway (status ${answered})`,
      )
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('a success of another server is not believed, in whatever form it comes', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false}'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ base, token: 'sess-x', signal: new AbortController().signal, userAgent: 'test' })
  try {
    for (const call of [
      () => client.get('/admin/keys'),
      () => client.send('POST', '/admin/teams', { name: 'platform' }),
      () => client.open('/admin/requests'),
      () => client.ask('POST', '/v1/messages'),
    ])
      await assert.rejects(
        call,
        (error: unknown) =>
          error instanceof CliError &&
          error.parts.exit === 'failed' &&
          error.message === `${base} does not answer like a gateway (status 200)`,
      )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('an answer that breaks off is told like a gateway that cannot be reached', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/refused' ? 503 : 200, { 'content-length': '1000', 'request-id': 'req_1' })
    response.write('{"data":[', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ base, token: 'sess-x', signal: new AbortController().signal, userAgent: 'test' })
  try {
    for (const call of [
      () => client.get('/admin/keys'),
      () => client.open('/refused'),
      () => client.ask('POST', '/auth/cli/poll'),
    ])
      await assert.rejects(
        call,
        (error: unknown) =>
          error instanceof CliError &&
          error.parts.exit === 'unreachable' &&
          /could not be reached: it closed the connection$/.test(error.message),
      )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
