import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { findPort, isFree } from '../../tools/demo/free-ports.ts'
import { choosePorts, reservePorts } from '../../tools/demo/simulator-program.ts'

test('ports of the last start are kept; one that is taken is replaced by one that nobody has', async () => {
  const first = await choosePorts(null, 8080)
  assert.deepEqual(await choosePorts(first, 8080), first)
  const server = createServer().listen(first.oidc, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { oidc, ...others } = await choosePorts(first, 8080)
    assert.deepEqual({ ...others, oidc: first.oidc }, first)
    assert.equal(new Set([oidc, ...Object.values(first)]).size, 6)
  } finally {
    server.close()
  }
  assert.notEqual((await choosePorts(first, first.aws)).aws, first.aws)
})

test('a port that somebody listens on, on any address, is not free', async () => {
  const server = createServer().listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    assert.equal(await isFree(port), false)
    assert.ok((await findPort(port)) > port)
  } finally {
    server.close()
  }
})

test('two demos that choose at the same moment get different ports, and hold them until their programs start', async () => {
  const reserved = await Promise.all([reservePorts(null, 8080), reservePorts(null, 8080), reservePorts(null, 8080)])
  try {
    const all = reserved.flatMap(({ ports }) => Object.values(ports))
    assert.equal(new Set(all).size, 15)
    for (const port of all) assert.equal(await isFree(port), false)
  } finally {
    for (const { held } of reserved) await held.release()
  }
  assert.equal(await isFree(reserved[0]?.ports.aws ?? 0), true)
})
