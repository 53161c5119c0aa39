import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startSimulator } from '../../../simulator/simulator.ts'
import { syntheticEvent } from '../../../src/foundation/domain/notification.ts'
import { parseEgressAllow } from '../../../src/foundation/platform/egress-guard.ts'
import { newId } from '../../../src/foundation/platform/ids.ts'
import { createOutgoingHttp } from '../../../src/foundation/platform/outgoing-http.ts'
import { createSender } from '../../../src/modules/notifications/send-event.ts'
import { login, startGateway, type TestGateway } from '../../support/gateway.ts'

let gateway: TestGateway
let canary: net.Server
let connections = 0
const answers = new Map<string, Buffer>()

before(async () => {
  canary = net.createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    socket.once('data', (data) => socket.end(answers.get(/^POST (\S+)/.exec(String(data))?.[1] ?? '') ?? ''))
  })
  canary.listen(0, '::')
  await once(canary, 'listening')
  gateway = await startGateway({ env: { EGRESS_ALLOW: '' } })
})
after(async () => {
  await gateway.stop()
  await new Promise((resolve) => canary.close(resolve))
})

const canaryPort = () => (canary.address() as net.AddressInfo).port

/** Every spelling of places that nobody outside may reach. `P` is the canary's port. */
const forms = [
  'https://127.0.0.1:P/',
  'http://127.0.0.1:P/',
  'https://127.1:P/',
  'https://127.0.1:P/',
  'https://2130706433:P/',
  'https://0x7f000001:P/',
  'https://0x7f.0.0.1:P/',
  'https://0177.0.0.1:P/',
  'https://017700000001:P/',
  'https://127.0.0.1.:P/',
  'https://127.255.255.254:P/',
  'https://１２７.0.0.1:P/',
  'https://①②⑦.0.0.1:P/',
  'https://127。0。0。1:P/',
  'https://localhost:P/',
  'https://LOCALHOST:P/',
  'https://localhost.:P/',
  'https://sub.localhost:P/',
  'https://[::1]:P/',
  'https://[0:0:0:0:0:0:0:1]:P/',
  'https://[::]:P/',
  'https://[::ffff:127.0.0.1]:P/',
  'https://[::ffff:7f00:1]:P/',
  'https://[::127.0.0.1]:P/',
  'https://[64:ff9b::7f00:1]:P/',
  'https://[2002:7f00:1::]:P/',
  'https://[fe80::1%25lo]:P/',
  'https://[fe80::1]:P/',
  'https://[fc00::1]:P/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://0.0.0.0:P/',
  'https://0:P/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.0.1/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/v2/credentials',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://0251.0376.0251.0376/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://metadata/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://instance-data.ec2.internal/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://240.0.0.1/',
  'https://user@127.0.0.1:P/',
  'https://user:pass@example.com/',
  'https://example.com@127.0.0.1:P/',
  'https://127.0.0.1:P\\@example.com/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:5432/',
  'https://127.0.0.1:P#@example.com/',
  'http://example.com/',
  'ftp://127.0.0.1:P/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:P/_x',
  'data:text/plain,x',
  'javascript:alert(1)',
  'https:/\\127.0.0.1:P/',
  '//127.0.0.1:P/',
  '127.0.0.1:P',
  'https://',
  'https://exa mple.com/',
  'https://example.com/\r\nx-evil: 1',
  'https://127.0.0.1:GATEWAY/admin/keys',
]

test('no spelling of a private, local or metadata address is accepted, and nothing is ever connected to', async () => {
  const token = await login(gateway.url)
  for (const form of forms) {
    const destination = form
      .replace('P/', `${canaryPort()}/`)
      .replace(/P$/, String(canaryPort()))
      .replace('GATEWAY', String(gateway.port))
    const response = await fetch(`${gateway.url}/admin/notifications/config`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ destination_type: 'webhook', destination }),
    })
    const body = (await response.json()) as { error: { details: { path: string }[] } }
    assert.equal(response.status, 400, destination)
    assert.equal(body.error.details[0]?.path, 'destination', destination)
  }
  assert.equal(connections, 0)
})

test('a name that leads to a private address is refused at the connection, after a single look-up', async () => {
  const event = syntheticEvent(newId(), 0)
  const inside = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00:ec2::254']
  for (const address of inside) {
    let asked = 0
    const http = createOutgoingHttp({
      allow: parseEgressAllow(''),
      resolve: async () => {
        asked += 1
        return [{ address, family: net.isIPv6(address) ? 6 : 4 }]
      },
    })
    const sender = createSender({ http, openSecret: () => assert.fail('there is no secret') })
    const result = await sender.send(
      { type: 'webhook', address: `https://rebind.example.com:${canaryPort()}/`, secret: null },
      event,
    )
    assert.deepEqual(
      [result.kind, result.kind === 'failed' && result.error, asked],
      ['failed', 'the host has no address that may be called', 1],
    )
    sender.close()
    await http.close()
  }
  assert.equal(connections, 0)
})

test('a receiver that hangs, drips or sends a bomb costs ten seconds and a megabyte at most', async () => {
  const simulator = await startSimulator()
  const http = createOutgoingHttp({ allow: parseEgressAllow('127.0.0.1') })
  const sender = createSender({ http, openSecret: () => assert.fail('there is no secret') })
  const send = async (address: string) => {
    const startedMs = performance.now()
    const result = await sender.send({ type: 'webhook', address, secret: null }, syntheticEvent(newId(), 0))
    return { ...result, tookMs: performance.now() - startedMs }
  }
  const script = (body: object) =>
    fetch(`${simulator.controlUrl}/webhooks/script`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await script({ path: '/hang', hangMs: 3_600_000 })
  await script({ path: '/drip', slowByteMs: 500, body: 'x'.repeat(100) })
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
  answers.set('/bomb', Buffer.concat([Buffer.from(head), bomb]))
  try {
    const [hang, drip, big] = await Promise.all([
      send(`${simulator.webhookUrl}/hang`),
      send(`${simulator.webhookUrl}/drip`),
      send(`http://127.0.0.1:${canaryPort()}/bomb`),
    ])
    for (const slow of [hang, drip]) assert.ok(slow.tookMs >= 9_900, `${slow.tookMs} ms`)
    assert.equal(hang.kind === 'failed' && hang.error, 'no complete answer in time')
    // Both have said 200: the event was taken, whatever else they say about it.
    assert.deepEqual([drip.kind, drip.responseStatus], ['delivered', 200])
    assert.deepEqual([big.kind, big.responseStatus], ['delivered', 200])
  } finally {
    sender.close()
    await http.close()
    await simulator.close()
  }
})
