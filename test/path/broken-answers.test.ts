import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { hello, post, recordOf, requestIdOf } from './path-client.ts'
import { answerWhole, type RawHost, startRawHost } from './raw-host.ts'

let gateway: TestGateway
let host: RawHost
let key = ''
let calls = 0

before(async () => {
  host = await startRawHost()
  gateway = await startGateway({
    env: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: host.url },
    prepare: async (database) => {
      const endpointIds = []
      for (const name of ['one', 'two']) endpointIds.push(await addEndpoint(database, { name, region: 'us-east-1' }))
      const teamId = await addTeam(database, 'both', { strategy: 'primary_fallback', endpointIds })
      key = (await addKey(database, { teamId })).key
    },
  })
})

after(async () => {
  await gateway.stop()
  await host.close()
})

/** The service says what it has used, begins its answer and goes away. */
function breakOff(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000, ...headers })
  response.write('{"type":"message",')
  setTimeout(() => response.destroy(), 50)
}

const used = { 'x-amzn-bedrock-input-token-count': '17', 'x-amzn-bedrock-output-token-count': '5' }

const cases: readonly (readonly [
  name: string,
  answer: (response: ServerResponse) => void,
  tokens: readonly [number, number] | 'estimated',
])[] = [
  ['breaks off after a head that tells its usage', (response) => breakOff(response, used), [17, 5]],
  ['breaks off after a head that tells nothing', (response) => breakOff(response, {}), 'estimated'],
  ['is no JSON', (response) => answerWhole(response, 'not JSON'), 'estimated'],
]
for (const [name, answer, tokens] of cases)
  test(`an answer that ${name} was served: it is charged, once, and no other endpoint is asked`, async () => {
    calls = 0
    host.answer = (_path, response) => {
      calls += 1
      answer(response)
    }
    const response = await post(gateway, key, hello)
    assert.equal(response.status, 502)
    await response.arrayBuffer()
    assert.equal(calls, 1)
    const record = await recordOf(gateway, requestIdOf(response))
    assert.equal(record.status, 502)
    assert.ok(record.costNanoUsd > 0)
    if (tokens === 'estimated') assert.deepEqual(record.flags, ['estimated'])
    else assert.deepEqual([record.usage.inputTokens, record.usage.outputTokens, record.flags], [...tokens, []])
  })
