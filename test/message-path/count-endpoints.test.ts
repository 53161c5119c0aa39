import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { hello, post, toErrorContent, untilTrue } from './path-client.ts'

/** The first offers an older model alone, the second has lost its role, the third is what calls go to. */
const places = [
  { name: 'small', region: 'ap-southeast-1', routingPrefix: 'apac' },
  { name: 'locked', region: 'us-west-2', routingPrefix: 'us', roleArn: 'arn:aws:iam::999999999999:role/gone' },
  { name: 'main', region: 'us-east-1', routingPrefix: 'us' },
] as const

let gateway: TestGateway
let key = ''
let smallKey = ''

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      const endpointIds: string[] = []
      for (const place of places) endpointIds.push(await addEndpoint(database, place))
      const teamId = await addTeam(database, 'all', { strategy: 'primary_fallback', endpointIds })
      key = (await addKey(database, { teamId })).key
      const small = { strategy: 'primary_fallback', endpointIds: endpointIds.slice(0, 1) } as const
      smallKey = (await addKey(database, { teamId: await addTeam(database, 'small', small) })).key
    },
  })
  const hasTurned = (words: string, name: string): boolean =>
    gateway.logLines.some((line) => line.includes(words) && line.includes(`"name":"${name}"`))
  await untilTrue(() => hasTurned('is healthy', 'small') && hasTurned('is healthy', 'main'))
  await untilTrue(() => hasTurned('is unhealthy', 'locked'))
  // The simulator loads its tokenizer with the first count, which may take longer than the gateway waits for one.
  await count(key, 'claude-sonnet-4-0')
  await count(key, 'claude-sonnet-4-0')
})

after(() => gateway.stop())

function count(ownKey: string, model: string): Promise<Response> {
  return post(gateway, ownKey, { model, messages: hello.messages }, { path: '/v1/messages/count_tokens' })
}

test('a model is counted where it would be called, not where the team has no such model or no access', async () => {
  await gateway.control.clearLedger()
  assert.equal((await count(key, 'claude-opus-4-1')).status, 200)
  assert.equal((await count(key, 'claude-sonnet-4-0')).status, 200)
  const asked = await gateway.control.ledger({ operation: 'CountTokens' })
  assert.deepEqual(
    asked.map(({ region }) => region),
    ['us-east-1', 'ap-southeast-1'],
  )
})

test('a known model that no endpoint of the team offers is 404 for counts as for calls, and nobody is asked', async () => {
  await gateway.control.clearLedger()
  const response = await count(smallKey, 'claude-opus-4-1')
  assert.equal(response.status, 404)
  assert.equal((await toErrorContent(response)).error.type, 'not_found_error')
  assert.equal((await post(gateway, smallKey, { ...hello, model: 'claude-opus-4-1' })).status, 404)
  assert.deepEqual(await gateway.control.ledger({ operation: 'CountTokens' }), [])
})
