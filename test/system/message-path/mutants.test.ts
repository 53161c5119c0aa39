import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { countRecords, gaugeOf, hello, post, untilTrue } from '../../message-path/path-client.ts'
import { type RawHost, startRawHost, streamHead } from '../../message-path/raw-host.ts'
import { events, type Mutant, makeMutant } from '../../message-path/stream-mutants.ts'
import { addKey, startGateway, type TestGateway } from '../../support/gateway.ts'

const MUTANTS = 2_100
const AT_ONCE = 20

let gateway: TestGateway
let host: RawHost
let key = ''
const undamaged = events
  .map((event) => event.replace('"model":"x"', '"model":"claude-sonnet-5"').replace(/,"amazon-bedrock.*?\}/, ''))
  .map((event) => `event: ${(JSON.parse(event) as { type: string }).type}\ndata: ${event}\n\n`)
  .join('')

before(async () => {
  host = await startRawHost()
  gateway = await startGateway({
    env: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: host.url },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  host.answer = (_path, response) => {
    const seed = Number(/"seed (\d+)"/.exec(host.bodies.at(-1)?.toString() ?? '')?.[1])
    void serve(makeMutant(seed), response)
  }
})

after(async () => {
  await gateway.stop()
  await host.close()
})

async function serve({ bytes, writes, ending }: Mutant, response: ServerResponse): Promise<void> {
  response.writeHead(200, streamHead)
  let at = 0
  for (const size of writes) {
    response.write(bytes.subarray(at, (at += size)))
    // Gives the socket a turn, so that some writes travel alone.
    if (writes.length < 60) await new Promise((resolve) => setImmediate(resolve))
  }
  if (at < bytes.length) response.write(bytes.subarray(at))
  if (ending === 'end') response.end()
  else setImmediate(() => response.socket?.destroy())
}

async function check(seed: number): Promise<void> {
  const mutant = makeMutant(seed)
  const body = { ...hello, stream: true, messages: [{ role: 'user', content: `seed ${seed}` }] }
  const response = await post(gateway, key, body)
  const text = await response.text()
  const about = `seed ${seed} (${mutant.kind}): ${response.status} ${text.slice(-300)}`
  if (mutant.expected === 'same') assert.equal(text, undamaged, about)
  if (response.status !== 200) {
    assert.ok(response.status >= 400 && mutant.expected !== 'same', about)
    assert.equal((JSON.parse(text) as { type: string }).type, 'error', about)
    return
  }
  const parts = text.split('\n\n')
  assert.equal(parts.pop(), '', about)
  for (const part of parts) assert.match(part, /^event: [^\r\n]*\ndata: \{[^\r\n]*\}$/, about)
  assert.match(text, /^event: (error|message_stop)\n/m, about)
  if (mutant.expected !== 'error') return
  assert.ok(parts.at(-1)?.startsWith('event: error\n'), about)
  assert.doesNotMatch(text, /^event: message_stop/m, about)
}

test(`${MUTANTS} damaged streams: each ends, none looks whole that is not, each has one record`, async () => {
  const before = await countRecords(gateway)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let seed = next++; seed < MUTANTS; seed = next++) await check(seed)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await untilTrue(async () => (await countRecords(gateway)) >= before + MUTANTS)
  assert.equal(await countRecords(gateway), before + MUTANTS)
  assert.equal(await gaugeOf(gateway, 'gateway_in_flight'), 0)
  assert.equal(await gaugeOf(gateway, 'gateway_open_streams'), 0)
  assert.equal(
    gateway.logLines.filter((line) => line.includes('"level":"error"') || line.includes('"level":50')).length,
    0,
  )
})
