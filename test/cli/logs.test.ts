/** `causeway logs`, with two instances behind an address that gives every connection to the next one. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

let database: TestDatabase
let gateways: TestGateway[] = []
let balancer: Server
let cli: CliRunner
let address = ''

before(async () => {
  database = await createTestDatabase()
  const first = await startGateway({ database })
  gateways = [first, await startGateway({ database, simulator: first.simulator })]
  let turn = 0
  balancer = createServer((client) => {
    const server = connect(gateways[turn++ % 2]?.port ?? 0, '127.0.0.1')
    client.on('error', () => server.destroy()).pipe(server)
    server.on('error', () => client.destroy()).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  address = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`
  cli = createRunner({ CAUSEWAY_URL: address, CAUSEWAY_TOKEN: await login(first.url) })
  await untilBothAreKnown()
})

after(async () => {
  cli?.close()
  balancer?.close()
  for (const gateway of gateways.reverse()) await gateway.stop()
  await database?.drop()
})

async function untilBothAreKnown(): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const { instances } = await cli.json(['status'])
    if (instances.length === 2) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the instances never heard of each other')
}

/** Leaves a line with its path in the log of one instance. */
async function ask(index: number, path: string): Promise<string> {
  const response = await fetch(`${gateways[index]?.url}${path}`, { method: 'POST' })
  await response.arrayBuffer()
  return response.headers.get('request-id') ?? ''
}

test('the lines of both instances come in the order of their times', async () => {
  const ids = []
  for (const index of [0, 1, 0]) ids.push(await ask(index, '/v1/messages'))
  const { out } = await cli.run(['logs', '--json'])
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { instance_id: string; at: string; text: string })
  const found = ids.map((id) => lines.findIndex(({ text }) => text.includes(id)))
  assert.ok(found.every((at) => at >= 0) && found[0]! < found[1]! && found[1]! < found[2]!, String(found))
  const instances = found.map((at) => lines[at]?.instance_id ?? '')
  assert.equal(instances[0], instances[2])
  assert.notEqual(instances[0], instances[1])
  const only = await cli.run(['logs', '--search', 'status=401', '--instance', instances[1]!.slice(-8)])
  assert.ok(only.out.includes(ids[1] ?? '') && !only.out.includes(ids[0] ?? ''), only.out)
})

test('with -f new lines of both come until it is stopped, each once', async () => {
  const stop = new AbortController()
  const wanted: string[] = []
  let seen = ''
  const following = cli.run(['logs', '-f', '--search', 'request'], {
    signal: stop.signal,
    onOut: (text: string) => {
      seen += text
    },
  })
  const until = async (isTrue: () => boolean): Promise<void> => {
    for (const deadline = Date.now() + 120_000; !isTrue() && Date.now() < deadline; )
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // The first look, which shows what was there before.
  await until(() => seen !== '')
  for (const index of [0, 1, 0, 1]) wanted.push(await ask(index, '/v1/messages/count_tokens'))
  await until(() => wanted.every((id) => seen.includes(id)))
  stop.abort()
  const { code, out } = await following
  assert.equal(code, 130)
  for (const id of wanted) assert.equal(out.split(id).length - 1, 1, id)
})

test('a level that is not shown, and whoever is no administrator, is told so', async () => {
  assert.equal((await cli.run(['logs', '--level', 'debug'])).code, 2)
  await cli.json(['users', 'create', 'ada@example.com'])
  const { key } = await cli.json(['keys', 'create', 'hers', '--user', 'ada@example.com'])
  const other = createRunner({ CAUSEWAY_URL: address, CAUSEWAY_TOKEN: key })
  try {
    assert.equal((await other.run(['logs'])).code, 5)
  } finally {
    other.close()
  }
})
