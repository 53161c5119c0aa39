import assert from 'node:assert/strict'
import { createServer, IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { KnownRequest } from './known-headers.ts'

type Head = readonly (readonly [name: string, value: string])[]

/** What Node itself makes of the headers, whatever was known before. */
function byNode(request: IncomingMessage): unknown {
  return Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')?.get?.call(request)
}

/** Sends requests one after the other over one connection, and gives back how each was read, with what Node reads. */
async function readAll(heads: readonly Head[], spoil = false): Promise<readonly (readonly [unknown, unknown])[]> {
  const seen: (readonly [unknown, unknown])[] = []
  const server = createServer({ IncomingMessage: KnownRequest, requireHostHeader: false }, (request, response) => {
    seen.push([{ ...request.headers }, byNode(request)])
    if (spoil) request.headers['x-spoiled'] = 'yes'
    response.end('x')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  try {
    for (const head of heads) {
      socket.write(`GET / HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
    }
  } finally {
    socket.destroy()
    server.close()
  }
  return seen
}

const plain: Head = [
  ['Host', 'gateway'],
  ['Content-Type', 'application/json'],
  ['anthropic-beta', 'a,b'],
  ['X-Length', '12'],
]

test('headers that come again are read as Node reads them, with other values too', async () => {
  const changed = plain.map(([name, value]) => [name, name === 'X-Length' ? '345' : value] as const)
  const seen = await readAll([plain, plain, changed, plain, changed])
  for (const [read, expected] of seen) assert.deepEqual(read, expected)
  assert.deepEqual(
    seen.map(([read]) => (read as Record<string, string>)['x-length']),
    ['12', '12', '345', '12', '345'],
  )
})

test('what one request writes into its headers is not seen by the next', async () => {
  const seen = await readAll([plain, plain, plain], true)
  for (const [read] of seen) assert.ok(!Object.hasOwn(read as object, 'x-spoiled'))
})

test('whatever headers follow each other on a connection, they are read as Node reads them', async () => {
  const name = fc.constantFrom(
    'Host',
    'host',
    'Cookie',
    'Set-Cookie',
    'Authorization',
    'X-Api-Key',
    'x-api-key',
    '__proto__',
    'constructor',
    '7',
    'Accept',
    'User-Agent',
  )
  const header = fc.tuple(name, fc.constantFrom('', 'a', 'b', 'a, b', 'x'.repeat(300)))
  const connection = fc.array(fc.array(header, { maxLength: 6 }), { minLength: 2, maxLength: 6 })
  // Half of them with the names of the first request, so that values alone differ.
  const alike = fc
    .tuple(
      fc.array(header, { minLength: 1, maxLength: 6 }),
      fc.array(fc.constantFrom('', 'a', 'b'), { maxLength: 20, size: 'max' }),
    )
    .map(([first, values]) => [
      first,
      ...values.map((value, turn) =>
        first.map(([key, old], at) => [key, at === turn % first.length ? value : old] as const),
      ),
    ])
  await fc.assert(
    fc.asyncProperty(fc.oneof(connection, alike), async (heads) => {
      const seen = await readAll(heads)
      assert.equal(seen.length, heads.length)
      for (const [read, expected] of seen) assert.deepEqual(read, expected)
    }),
    { numRuns: 150 },
  )
})
