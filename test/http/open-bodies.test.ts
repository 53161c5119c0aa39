import assert from 'node:assert/strict'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { type MeasuredGateway, startMeasuredGateway } from '../message-path/measured-gateway.ts'

const STRANGERS = 100
const MIB = 1024 * 1024

let gateway: MeasuredGateway

before(async () => {
  gateway = await startMeasuredGateway()
})
after(() => gateway.close())

const usedBytes = async (): Promise<number> => {
  const { heapUsed, external } = await gateway.measure()
  return heapUsed + external
}

test('strangers who sign in with a megabyte and stop before its end take no memory for it', async (context) => {
  const before = await usedBytes()
  const head = `POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  const begin = `{"username":"${'x'.repeat(MIB - 1_000)}`
  const sockets = await Promise.all(
    Array.from({ length: STRANGERS }, async () => {
      const socket = net.connect(gateway.port, '127.0.0.1')
      socket.on('error', () => undefined)
      await new Promise<void>((resolve) => {
        socket.write(`${head}${begin.length.toString(16)}\r\n${begin}`, () => resolve())
      })
      return socket
    }),
  )
  try {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const grown = (await usedBytes()) - before
    context.diagnostic(`${Math.round(grown / STRANGERS / 1024)} KiB each`)
    assert.ok(grown < (STRANGERS * MIB) / 8, `${Math.round(grown / MIB)} MiB`)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

test('a sign-in of any size that a person can type is read, and a larger one says what fits', async () => {
  const send = (password: string): Promise<Response> =>
    fetch(`${gateway.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
  assert.equal((await send('ü'.repeat(1_024))).status, 401)
  const refused = await send('x'.repeat(20_000))
  assert.equal(refused.status, 413)
  assert.match(await refused.text(), /larger than 16 KiB/)
})
