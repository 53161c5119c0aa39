/** The gateway's own credentials as the AWS SDK finds them: in a file that is rewritten, and from a container's metadata. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { createCredentialSource } from '../../src/bedrock/credentials.ts'
import { ProviderError } from '../../src/bedrock/failures.ts'
import { listInferenceProfiles } from '../../src/bedrock/profiles.ts'
import { createServiceCaller, type ServiceCaller } from '../../src/bedrock/service-caller.ts'
import type { Endpoint } from '../../src/foundation/domain/endpoint.ts'
import { sampleEndpoint } from '../../src/message-path/sample-calls.fixture.ts'
import { untilTrue } from '../message-path/path-client.ts'

/** Beyond the pause after a fetch, in which a refusal is not believed. */
const LATER_MS = 11_000

let simulator: Simulator
let metadata: Server
let folder = ''
let answered = 0
let lifetimeMs = 6 * 3_600_000
let isMetadataDown = false
let monotonicMs = 0
const clock = { nowMs: Date.now, monotonicMs: () => monotonicMs }
const callers: ServiceCaller[] = []

before(async () => {
  simulator = await startSimulator()
  folder = mkdtempSync(path.join(tmpdir(), 'own-credentials-'))
  metadata = createServer((_, response) => {
    answered += 1
    const expiration = new Date(Date.now() + lifetimeMs).toISOString()
    if (isMetadataDown) response.writeHead(500)
    response.end(
      JSON.stringify({ AccessKeyId: `ASIA${answered}`, SecretAccessKey: 's', Token: 't', Expiration: expiration }),
    )
  })
  await new Promise<void>((resolve) => metadata.listen(0, '127.0.0.1', resolve))
})

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name]
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true'
  process.env['AWS_CONFIG_FILE'] = path.join(folder, 'none')
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = path.join(folder, 'none')
  process.env['AWS_ENDPOINT_URL_STS'] = simulator.url
})

after(async () => {
  for (const caller of callers) caller.close()
  metadata.close()
  rmSync(folder, { recursive: true })
  await simulator.close()
})

function useFile(accessKey: string): void {
  const file = path.join(folder, 'credentials')
  process.env['AWS_SHARED_CREDENTIALS_FILE'] = file
  writeFileSync(file, `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${simulator.secretKey}\n`)
}

function useContainer(): void {
  process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `http://127.0.0.1:${(metadata.address() as AddressInfo).port}/`
}

/** Asks the hosted service for something small; gives the name of its refusal. */
function asking(endpoint: Endpoint): () => Promise<string> {
  const caller = createServiceCaller({ urls: { everyService: simulator.url }, clock })
  callers.push(caller)
  return () =>
    listInferenceProfiles(caller, endpoint).then(
      () => 'answered',
      (error: unknown) => (error instanceof ProviderError ? error.failure.name : String(error)),
    )
}

test('keys that the hosted service refuses are read again from the file that somebody has changed', async () => {
  const ask = asking(sampleEndpoint('own'))
  useFile('AKIAREVOKED000000001')
  assert.equal(await ask(), 'UnrecognizedClientException')
  useFile(simulator.accessKey)
  monotonicMs += LATER_MS
  assert.equal(await ask(), 'UnrecognizedClientException', 'it hears of it with the next refusal')
  assert.equal(await ask(), 'answered')
})

test('own keys that the token service refuses when a role is assumed are read again too', async () => {
  const ask = asking(sampleEndpoint('role', { roleArn: 'arn:aws:iam::222222222222:role/causeway' }))
  useFile('AKIAREVOKED000000002')
  assert.equal(await ask(), 'InvalidClientTokenId')
  useFile(simulator.accessKey)
  monotonicMs += LATER_MS
  assert.equal(await ask(), 'InvalidClientTokenId')
  monotonicMs += LATER_MS
  assert.equal(await ask(), 'answered')
})

test('a container is asked for its credentials once, and again when they are refused', async () => {
  useContainer()
  const source = createCredentialSource({ clock })
  const endpoint = sampleEndpoint('container')
  const first = await source.require(endpoint)
  assert.equal(first.accessKeyId, 'ASIA1')
  for (let call = 0; call < 100; call += 1) {
    monotonicMs += LATER_MS
    assert.equal(await source.require(endpoint), first)
  }
  assert.equal(answered, 1)
  source.forget(endpoint)
  assert.equal((await source.require(endpoint)).accessKeyId, 'ASIA2')
})

test('a container that stops answering is told of while its last credentials still serve', async () => {
  useContainer()
  // Within the last five minutes they are refreshed.
  lifetimeMs = 240_000
  const heard: string[] = []
  const source = createCredentialSource({ clock, onRefreshFailed: ({ message }) => heard.push(message) })
  const endpoint = sampleEndpoint('container')
  const last = await source.require(endpoint)
  isMetadataDown = true
  monotonicMs += LATER_MS
  assert.equal(await source.require(endpoint), last)
  await untilTrue(() => heard.length > 0)
  assert.equal(await source.require(endpoint), last)
})
