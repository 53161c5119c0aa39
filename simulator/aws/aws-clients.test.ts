import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import {
  BedrockClient,
  GetInferenceProfileCommand,
  ListFoundationModelsCommand,
  ListInferenceProfilesCommand,
  paginateListInferenceProfiles,
} from '@aws-sdk/client-bedrock'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { paginateListServiceQuotas, ServiceQuotasClient } from '@aws-sdk/client-service-quotas'
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import { fromTemporaryCredentials } from '@aws-sdk/credential-providers'
import { type ControlClient, controlClient } from '../control-client.ts'
import { type Simulator, startSimulator } from '../simulator.ts'

const ROLE = 'arn:aws:iam::222222222222:role/causeway'
let simulator: Simulator
let control: ControlClient
let common: {
  region: string
  endpoint: string
  credentials: { accessKeyId: string; secretAccessKey: string }
  maxAttempts: number
}

before(async () => {
  simulator = await startSimulator()
  control = controlClient(simulator.controlUrl)
  const credentials = { accessKeyId: simulator.accessKey, secretAccessKey: simulator.secretKey }
  common = { region: 'eu-west-1', endpoint: simulator.url, credentials, maxAttempts: 1 }
})
beforeEach(() => control.reset())
after(() => simulator.close())

function assume(params: { RoleArn: string; ExternalId?: string }) {
  return fromTemporaryCredentials({
    masterCredentials: common.credentials,
    params: { RoleSessionName: 'gw', ...params },
    clientConfig: { region: 'eu-west-1', endpoint: simulator.url, maxAttempts: 1 },
  })
}

test('profiles come in small pages and the SDK collects them all', async () => {
  const client = new BedrockClient(common)
  const ids: string[] = []
  let pages = 0
  for await (const page of paginateListInferenceProfiles({ client }, { typeEquals: 'SYSTEM_DEFINED' })) {
    pages += 1
    ids.push(...(page.inferenceProfileSummaries ?? []).map((profile) => profile.inferenceProfileId ?? ''))
  }
  assert.ok(pages > 2)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.includes('eu.anthropic.claude-sonnet-4-5-20250929-v1:0'))
  assert.ok(ids.includes('global.anthropic.claude-opus-5'))
  assert.ok(!ids.some((id) => id.startsWith('us.')))
})

test('one profile can be read by id and by ARN, and an unknown one is not found', async () => {
  const client = new BedrockClient(common)
  const id = 'eu.anthropic.claude-opus-5'
  const byId = await client.send(new GetInferenceProfileCommand({ inferenceProfileIdentifier: id }))
  assert.equal(byId.type, 'SYSTEM_DEFINED')
  assert.ok(byId.models?.every((model) => model.modelArn?.endsWith('foundation-model/anthropic.claude-opus-5')))
  const byArn = await client.send(
    new GetInferenceProfileCommand({ inferenceProfileIdentifier: byId.inferenceProfileArn }),
  )
  assert.equal(byArn.inferenceProfileId, id)
  assert.ok(byArn.createdAt instanceof Date)
  await assert.rejects(client.send(new GetInferenceProfileCommand({ inferenceProfileIdentifier: 'eu.none' })), {
    name: 'ResourceNotFoundException',
  })
})

test('application profiles are listed only on request and only to their own account and region', async () => {
  const defined = await control.defineApplicationProfile({
    account: '111111111111',
    region: 'eu-west-1',
    foundationModelId: 'anthropic.claude-opus-5',
  })
  const list = async (region: string) => {
    const client = new BedrockClient({ ...common, region })
    const reply = await client.send(new ListInferenceProfilesCommand({ typeEquals: 'APPLICATION' }))
    return reply.inferenceProfileSummaries?.map((profile) => profile.inferenceProfileArn)
  }
  assert.deepEqual(await list('eu-west-1'), [defined.arn])
  assert.deepEqual(await list('us-east-1'), [])
})

test('foundation models can be filtered by provider', async () => {
  const client = new BedrockClient(common)
  const all = await client.send(new ListFoundationModelsCommand({}))
  const claude = await client.send(new ListFoundationModelsCommand({ byProvider: 'Anthropic' }))
  assert.ok((all.modelSummaries?.length ?? 0) > (claude.modelSummaries?.length ?? 0))
  assert.ok(claude.modelSummaries?.every((model) => model.modelId?.startsWith('anthropic.')))
})

test('quotas come eight to a page with names that vary in casing', async () => {
  const client = new ServiceQuotasClient(common)
  const names: string[] = []
  let pages = 0
  for await (const page of paginateListServiceQuotas({ client }, { ServiceCode: 'bedrock' })) {
    pages += 1
    assert.ok((page.Quotas?.length ?? 0) <= 8)
    names.push(...(page.Quotas ?? []).map((quota) => quota.QuotaName ?? ''))
  }
  assert.ok(pages > 5)
  assert.ok(
    names.some((name) => name.startsWith('Cross-region')) && names.some((name) => name.startsWith('Cross-Region')),
  )
  await control.setSettings({ quotas: [{ name: names[0] ?? '', value: 42, region: 'eu-west-1' }] })
  const values: (number | undefined)[] = []
  for await (const page of paginateListServiceQuotas({ client }, { ServiceCode: 'bedrock' })) {
    values.push(...(page.Quotas ?? []).filter((quota) => quota.QuotaName === names[0]).map((quota) => quota.Value))
  }
  assert.deepEqual(values, [42])
})

test('a published message is recorded with its attributes; wrong topics are refused by name', async () => {
  const client = new SNSClient(common)
  const TopicArn = 'arn:aws:sns:eu-west-1:111111111111:alerts'
  const reply = await client.send(
    new PublishCommand({
      TopicArn,
      Message: '{"a":1}',
      Subject: 'Budget',
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'budget_warning' } },
    }),
  )
  assert.match(reply.MessageId ?? '', /^[0-9a-f-]{36}$/)
  const [published] = await control.published()
  assert.equal(published?.message['message'], '{"a":1}')
  assert.deepEqual(published?.message['attributes'], { kind: 'budget_warning' })
  const send = (arn: string) => client.send(new PublishCommand({ TopicArn: arn, Message: 'x' }))
  await assert.rejects(send('arn:aws:sns:eu-west-1:999999999999:alerts'), { name: 'AuthorizationErrorException' })
  await assert.rejects(send('arn:aws:sns:us-east-1:111111111111:alerts'), { name: 'InvalidParameterException' })
  await assert.rejects(send('arn:aws:sns:eu-west-1:111111111111:missing'), { name: 'NotFoundException' })
})

test('PutEvents can refuse an entry inside a success', async () => {
  const client = new EventBridgeClient(common)
  const Entries = [{ Source: 'gateway', DetailType: 'budget_warning', Detail: '{"team":"a"}', Time: new Date() }]
  const sent = await client.send(new PutEventsCommand({ Entries }))
  assert.equal(sent.FailedEntryCount, 0)
  await control.script({ match: { operation: 'PutEvents' }, behaviour: { failedEntries: 1 } })
  const refused = await client.send(new PutEventsCommand({ Entries }))
  assert.equal(refused.FailedEntryCount, 1)
  assert.equal(refused.Entries?.[0]?.ErrorCode, 'InternalFailure')
  assert.deepEqual(
    (await control.published()).map((message) => message.accepted),
    [true, false],
  )
})

test('an assumed role calls as its own account, and each external id gets its own key', async () => {
  const client = new BedrockClient({ ...common, credentials: assume({ RoleArn: ROLE, ExternalId: 'ext-1' }) })
  await client.send(new ListInferenceProfilesCommand({}))
  const other = await assume({ RoleArn: ROLE, ExternalId: 'ext-2' })()
  const entry = (await control.ledger({ operation: 'ListInferenceProfiles' }))[0]
  assert.deepEqual([entry?.account, entry?.roleArn, entry?.externalId], ['222222222222', ROLE, 'ext-1'])
  assert.match(entry?.accessKey ?? '', /^ASIA[0-9A-F]{16}$/)
  assert.notEqual(entry?.accessKey, other.accessKeyId)
})

test('a role with an external id refuses every other one, and an unknown role is refused', async () => {
  await control.addRole({ arn: 'arn:aws:iam::555555555555:role/strict', externalId: 'right' })
  const RoleArn = 'arn:aws:iam::555555555555:role/strict'
  assert.match((await assume({ RoleArn, ExternalId: 'right' })()).accessKeyId, /^ASIA/)
  await assert.rejects(assume({ RoleArn, ExternalId: 'wrong' })(), /not authorized to perform: sts:AssumeRole/)
  await assert.rejects(assume({ RoleArn })(), /not authorized/)
  await assert.rejects(assume({ RoleArn: 'arn:aws:iam::555555555555:role/none' })(), /not authorized/)
})

test('expired sessions are refused as expired', async () => {
  const credentials = await assume({ RoleArn: ROLE })()
  const client = new BedrockClient({ ...common, credentials: { ...credentials } })
  await client.send(new ListInferenceProfilesCommand({}))
  assert.ok((await control.expireSessions(ROLE)).expired > 0)
  await assert.rejects(client.send(new ListInferenceProfilesCommand({})), { name: 'ExpiredTokenException' })
})

test("Anthropic's own Bedrock client reads answers and streams", async () => {
  const client = new AnthropicBedrock({
    awsRegion: 'us-east-1',
    awsAccessKey: simulator.accessKey,
    awsSecretKey: simulator.secretKey,
    baseURL: simulator.url,
    maxRetries: 0,
  })
  const request = {
    model: 'us.anthropic.claude-opus-4-8',
    max_tokens: 500,
    messages: [{ role: 'user' as const, content: 'Explain tail calls' }],
  }
  const message = await client.messages.create(request)
  const streamed = await client.messages.stream(request).finalMessage()
  assert.deepEqual(streamed.content, message.content)
  assert.equal(streamed.usage.output_tokens, message.usage.output_tokens)
  assert.equal(message.model, 'claude-opus-4-8')
  await control.script({
    behaviour: { exception: { afterEvents: 3, type: 'throttlingException', message: 'slow down' } },
  })
  await assert.rejects(client.messages.stream(request).finalMessage(), /slow down/)
  await control.script({ behaviour: { throttle: true } })
  await assert.rejects(client.messages.create(request), { status: 429 })
})
