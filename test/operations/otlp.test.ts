/** What a receiver of OpenTelemetry gets: the figures of the scrape, and one trace for each call. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { registryTable } from '../../src/app/telemetry.ts'
import { instrumentTable } from '../../src/foundation/domain/instruments.ts'
import { createMetrics } from '../../src/foundation/platform/metrics.ts'
import { hello, post, requestIdOf, stream, untilTrue } from '../message-path/path-client.ts'
import { addKey, type GatewayOptions, startGateway, type TestGateway } from '../support/gateway.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts'

const SECRET_PROMPT = 'the-prompt-nobody-may-see'
const SECRET_TOOL = 'tool-of-my-own'
const parentTrace = '0af7651916cd43dd8448eb211c80319c'
const parentSpan = 'b7ad6b7169203331'

interface Run {
  readonly gateway: TestGateway
  readonly key: string
}

/** Runs calls against a gateway that pushes, ends it, and gives what the receiver got. */
async function received(
  env: Readonly<Record<string, string>>,
  calls: (run: Run) => Promise<void>,
  options: GatewayOptions = {},
): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver()
  let key = ''
  const gateway = await startGateway({
    ...options,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...env },
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  try {
    await calls({ gateway, key })
  } finally {
    await gateway.stop()
    receiver.close()
  }
  return receiver
}

test('a receiver gets every metric of the table, with the names and units of OpenTelemetry', async () => {
  const receiver = await received({}, async ({ gateway, key }) => {
    await (await post(gateway, key, hello)).arrayBuffer()
    await stream(gateway, key)
  })
  const metrics = new Map(receiver.metrics().map((one) => [one.name, one]))
  const missing = Object.keys(instrumentTable).filter((name) => !metrics.has(name))
  assert.deepEqual(missing, [])
  assert.equal(receiver.resource()['service.name'], 'causeway')
  assert.equal(receiver.resource()['service.version'], 'test')
  assert.match(String(receiver.resource()['service.instance.id']), /^[0-9a-f-]{36}$/)
  const requests = metrics.get('gateway_requests')
  assert.equal(requests?.kind, 'sum')
  assert.equal(requests?.monotonic, true)
  assert.equal(
    requests?.points.reduce((sum, { value }) => sum + value, 0),
    2,
  )
  const duration = metrics.get('gen_ai.server.request.duration')
  assert.equal(duration?.kind, 'histogram')
  assert.equal(duration?.unit, 's')
  assert.equal(duration?.points[0]?.count, 2)
  assert.deepEqual(duration?.points[0]?.bounds, [...instrumentTable['gen_ai.server.request.duration'].buckets])
  assert.deepEqual(duration?.points[0]?.attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'aws.bedrock',
    'gen_ai.request.model': 'anthropic.claude-sonnet-5',
  })
  assert.equal(metrics.get('gateway_memory_bytes')?.unit, 'By')
  assert.deepEqual(receiver.spans, [], 'traces are off unless they are asked for')
})

test('metrics are pushed after 60 seconds and not before', async () => {
  const receiver = await startOtlpReceiver()
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    const metrics = await createMetrics({
      version: 'test',
      instanceId: 'test',
      otlpEndpoint: receiver.url,
      table: registryTable(),
      onUnreadable: () => {},
      onPushProblem: () => {},
    })
    metrics.instruments.observe('gateway_in_flight', (show) => show(7))
    mock.timers.tick(59_999)
    assert.equal(receiver.pushes(), 0)
    mock.timers.tick(1)
    await untilTrue(() => receiver.pushes() === 1)
    assert.deepEqual(receiver.metrics()[0]?.points, [{ attributes: {}, value: 7 }])
    await metrics.shutdown()
  } finally {
    mock.timers.reset()
    receiver.close()
  }
})

const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan | undefined): readonly ReceivedSpan[] =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)

test('each call is one trace with its stages as children, and follows the trace of the client', async () => {
  let requestId = ''
  const { spans } = await received({ OTEL_TRACES_EXPORTER: 'otlp' }, async ({ gateway, key }) => {
    const answer = await stream(
      gateway,
      key,
      {
        ...hello,
        messages: [{ role: 'user', content: SECRET_PROMPT }],
        tools: [{ name: SECRET_TOOL, input_schema: { type: 'object' } }],
      },
      { traceparent: `00-${parentTrace}-${parentSpan}-01`, 'x-claude-code-session-id': 'session-of-mine' },
    )
    requestId = requestIdOf(answer.response)
  })
  const root = spans.find(({ name }) => name === 'chat')
  assert.equal(spans.filter(({ name }) => name === 'chat').length, 1)
  assert.equal(root?.traceId, parentTrace)
  assert.equal(root?.parentSpanId, parentSpan)
  assert.equal(root?.error, null)
  assert.equal(root?.attributes['gateway.request_id'], requestId)
  assert.equal(root?.attributes['http.response.status_code'], 200)
  assert.equal(root?.attributes['gen_ai.request.model'], 'claude-sonnet-5')
  assert.ok(Number(root?.attributes['gen_ai.usage.output_tokens']) > 0)
  const stages = childrenOf(spans, root)
  assert.deepEqual(
    stages.map(({ name }) => name),
    [
      'authenticate',
      'receive',
      'admit',
      'resolve-model',
      'route',
      'reserve-budget',
      'call-provider',
      'answer',
      'account',
    ],
  )
  for (const [index, stage] of stages.entries()) {
    assert.ok(stage.endMs >= stage.startMs)
    assert.ok(stage.startMs >= (stages[index - 1]?.endMs ?? 0) - 0.01, 'a stage begins when the one before has ended')
  }
  const attempts = childrenOf(
    spans,
    stages.find(({ name }) => name === 'call-provider'),
  )
  assert.deepEqual(
    attempts.map(({ name, attributes }) => [name, attributes['http.response.status_code']]),
    [['attempt', 200]],
  )
  assert.ok(spans.every(({ traceId }) => traceId === parentTrace))
  const everything = JSON.stringify(spans)
  for (const secret of [SECRET_PROMPT, SECRET_TOOL, 'session-of-mine', 'sk-proxy-'])
    assert.ok(!everything.includes(secret), `${secret} is in a span`)
})

test('failures are traced with their kind; a trace that the client does not keep is not kept here', async () => {
  const { spans } = await received({ OTEL_TRACES_EXPORTER: 'otlp' }, async ({ gateway, key }) => {
    await (await post(gateway, 'sk-proxy-wrong', hello)).arrayBuffer()
    await (await post(gateway, key, { ...hello, model: 'no-such-model' })).arrayBuffer()
    const unsampled = { traceparent: `00-${parentTrace}-${parentSpan}-00` }
    await (await post(gateway, key, hello, { headers: unsampled })).arrayBuffer()
    const malformed = { traceparent: `00-${'0'.repeat(32)}-${parentSpan}-01` }
    await (await post(gateway, key, hello, { headers: malformed })).arrayBuffer()
  })
  const roots = spans.filter(({ name }) => name === 'chat')
  assert.deepEqual(
    roots.map(({ error, attributes }) => [error, attributes['http.response.status_code']]),
    [
      ['invalid_virtual_key', 401],
      ['model_not_available', 404],
      [null, 200],
    ],
  )
  assert.ok(roots.every(({ parentSpanId, traceId }) => parentSpanId === '' && traceId !== parentTrace))
})

test('a receiver that is away changes nothing: calls are served, the end is not held up, and the log says so', async () => {
  const gateway = await startGateway({
    database: 'none',
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'otlp' },
  })
  assert.equal((await fetch(`${gateway.url}/health`)).status, 200)
  await gateway.stop()
  assert.ok(gateway.logLines.some((line) => line.includes('could not be sent to the OpenTelemetry receiver')))
})
