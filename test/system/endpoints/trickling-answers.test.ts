import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ProviderError } from '../../../src/bedrock/failures.ts'
import { createModelHost } from '../../../src/bedrock/model-host.ts'
import { listInferenceProfiles } from '../../../src/bedrock/profiles.ts'
import { createServiceCaller, type ServiceCaller } from '../../../src/bedrock/service-caller.ts'
import type { ProviderFailure } from '../../../src/foundation/domain/provider-failure.ts'
import { sampleEndpoint } from '../../../src/message-path/sample-calls.fixture.ts'
import { type RawServer, startRawServer } from '../../bedrock/raw-server.ts'

let server: RawServer
let service: ServiceCaller

before(async () => {
  server = await startRawServer((socket, request) => {
    const status = request.startsWith('GET ') ? '200 OK' : '503 Service Unavailable'
    socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 100000\r\n\r\n{`)
    const drip = setInterval(() => socket.write(' '), 500)
    socket.on('close', () => clearInterval(drip))
  })
  service = createServiceCaller({ urls: { everyService: server.url.href }, bearerToken: 'any' })
})

after(async () => {
  service.close()
  await server.close()
})

const endpoint = sampleEndpoint('e')
const nothing = (): void => undefined

test('a list and an error whose bodies trickle in for ever are given up: nobody waits for their last byte', async () => {
  const listed = listInferenceProfiles(service, endpoint).catch((error: unknown) => error)
  const call = { endpoint, modelId: 'm', body: [Buffer.from('{}')], firstByteTimeoutMs: 5_000 }
  const failure = await new Promise<ProviderFailure>((resolve) => {
    createModelHost(service).invoke(call, {
      onHead: nothing,
      onData: nothing,
      onReadEnd: nothing,
      onEnd: nothing,
      onFailure: resolve,
    })
  })
  assert.deepEqual([failure.kind, failure.status], ['answered', 503])
  const error = await listed
  assert.ok(error instanceof ProviderError)
  assert.deepEqual([error.failure.kind, error.failure.status], ['broken', 504])
})
