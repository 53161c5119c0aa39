import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addEndpoint, addKey, addTeam, startGateway, type TestGateway } from '../support/gateway.ts'
import { hello, post } from './path-client.ts'

interface Profile {
  readonly inferenceProfileArn: string
  readonly models: readonly { readonly modelArn: string }[]
}

let gateway: TestGateway
let key = ''

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      const place = { name: 'gov', region: 'us-gov-west-1', routingPrefix: 'us-gov' } as const
      const endpointIds = [await addEndpoint(database, place)]
      const teamId = await addTeam(database, 'gov', { strategy: 'primary_fallback', endpointIds })
      key = (await addKey(database, { teamId })).key
    },
  })
})

after(() => gateway.stop())

test('profiles of GovCloud are listed under the ARNs of their partition, and can be called by them', async () => {
  const response = await fetch(`${gateway.url}/inference-profiles`, { headers: { authorization: `Bearer ${key}` } })
  const { inferenceProfileSummaries: profiles } = (await response.json()) as {
    readonly inferenceProfileSummaries: readonly Profile[]
  }
  const haiku = profiles.find(({ inferenceProfileArn }) => inferenceProfileArn.includes('haiku-4-5'))
  assert.ok(haiku !== undefined)
  for (const { inferenceProfileArn, models } of profiles)
    for (const arn of [inferenceProfileArn, models[0]?.modelArn])
      assert.match(arn ?? '', /^arn:aws-us-gov:bedrock:us-gov-west-1:/)
  const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 5, messages: hello.messages }
  const path = `/model/${encodeURIComponent(haiku.inferenceProfileArn)}/invoke`
  assert.equal((await post(gateway, key, body, { path })).status, 200)
})
