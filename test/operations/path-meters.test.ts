/** What the message path counts, and under which labels. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderFailure } from '../../src/foundation/domain/provider-failure.ts'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { noUsage } from '../../src/foundation/domain/usage.ts'
import { endpointId, newMeters, record } from './metered-path.ts'
import { totalOf } from './scraped.ts'

const hosted = 'anthropic.claude-sonnet-5'

test('a served call is counted with its tokens, cost, times, tools and repairs', async () => {
  const { meters, samples } = await newMeters()
  meters.served(record)
  const shown = await samples()
  const labels = { model: hosted, status: '200', streaming: 'true', outcome: 'ok' }
  assert.equal(totalOf(shown, 'gateway_requests_total', labels), 1)
  const tokens = { input: 10, output: 101, cache_read: 1_000, cache_write_5m: 20, cache_write_1h: 30 }
  for (const [kind, count] of Object.entries(tokens))
    assert.equal(totalOf(shown, 'gateway_tokens_total', { model: hosted, kind }), count)
  assert.equal(totalOf(shown, 'gateway_cost_usd_total', { model: hosted }), 1.5)
  assert.equal(totalOf(shown, 'gen_ai_server_request_duration_seconds_sum', { gen_ai_request_model: hosted }), 3)
  assert.equal(totalOf(shown, 'gen_ai_server_time_to_first_token_seconds_sum'), 1)
  assert.equal(totalOf(shown, 'gen_ai_server_time_per_output_token_seconds_sum'), 0.02)
  assert.equal(totalOf(shown, 'gen_ai_client_token_usage_sum', { gen_ai_token_type: 'input' }), 1_060)
  assert.equal(totalOf(shown, 'gateway_tool_calls_total', { tool: 'Bash' }), 2)
  assert.equal(totalOf(shown, 'gateway_tool_calls_total', { tool: 'mcp' }), 1)
  assert.equal(totalOf(shown, 'gateway_tool_calls_total', { tool: 'other' }), 1)
  assert.equal(totalOf(shown, 'gateway_repairs_total', { kind: 'beta' }), 2)
  assert.equal(totalOf(shown, 'gateway_repairs_total', { kind: 'field' }), 1)
  assert.equal(totalOf(shown, 'gateway_web_searches_total'), 2)
  assert.equal(totalOf(shown, 'gateway_upstream_attempts_total', { endpoint: 'us-east-1' }), 1)
})

test('how a call ended is told apart where the status does not tell', async () => {
  const { meters, samples } = await newMeters()
  const endings: readonly [Partial<SpendRecord>, string][] = [
    [{}, 'ok'],
    [{ errorType: 'api_error' }, 'error'],
    [{ errorType: 'api_error', flags: ['aborted'] }, 'aborted'],
    [{ status: 499, errorType: 'invalid_request_error' }, 'aborted'],
    [{ status: 503, errorType: 'api_error' }, 'error'],
    [{ status: 429, errorType: 'rate_limit_error' }, 'limited'],
    [{ status: 404, errorType: 'not_found_error' }, 'rejected'],
  ]
  for (const [ending] of endings) meters.served({ ...record, ...ending })
  meters.unrecorded(529)
  meters.unrecorded(401)
  const shown = await samples()
  const counted = Object.fromEntries(
    ['ok', 'aborted', 'limited', 'rejected', 'error'].map((outcome) => [
      outcome,
      totalOf(shown, 'gateway_requests_total', { outcome }),
    ]),
  )
  assert.deepEqual(counted, { ok: 1, aborted: 2, limited: 1, rejected: 2, error: 3 })
  const failed = { error_type: 'error' }
  assert.equal(totalOf(shown, 'gen_ai_server_request_duration_seconds_count', failed), 2, 'a refusal has no duration')
})

test('a request of several rounds counts once, and its later failures are seen', async () => {
  const { meters, samples } = await newMeters()
  meters.served(record)
  meters.served({ ...record, round: 1 })
  meters.served({ ...record, round: 2, status: 503, errorType: 'api_error' })
  const shown = await samples()
  assert.equal(totalOf(shown, 'gateway_requests_total', { outcome: 'ok' }), 1)
  assert.equal(totalOf(shown, 'gateway_requests_total', { outcome: 'error' }), 1)
  assert.equal(totalOf(shown, 'gateway_tokens_total', { kind: 'output' }), 303, 'tokens of all rounds')
})

test('the model is the one behind the requested id: aliases and [1m] share a series, unknown ids are other', async () => {
  const { meters, samples } = await newMeters()
  const unserved = { ...record, hostedModel: null, usage: noUsage, attempts: [], tools: [] }
  meters.served(record)
  meters.served({ ...record, model: 'claude-sonnet-5[1m]' })
  meters.served({ ...record, model: 'us.anthropic.claude-sonnet-5' })
  meters.served({
    ...record,
    model: 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc',
    hostedModel: 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc',
  })
  meters.served({ ...record, model: 'x', hostedModel: 'us.anthropic.never-heard-of' })
  meters.served({ ...unserved, model: 'claude"} evil 1\n' })
  meters.served({ ...unserved, model: '' })
  const models = Object.groupBy(
    (await samples()).filter(({ name }) => name === 'gateway_requests_total'),
    ({ labels }) => labels['model'] ?? '',
  )
  const counts = Object.entries(models).map(([model, ones]) => [model, ones?.reduce((sum, one) => sum + one.value, 0)])
  assert.deepEqual(Object.fromEntries(counts), { [hosted]: 3, other: 3, none: 1 })
})

test('a call without a price is counted, and what was not served is not', async () => {
  const { meters, samples } = await newMeters()
  meters.served({ ...record, flags: ['unpriced'], costNanoUsd: 0 })
  meters.served({ ...record, status: 503, errorType: 'api_error', usage: noUsage })
  const shown = await samples()
  assert.equal(totalOf(shown, 'gateway_unpriced_requests_total', { model: hosted }), 1)
  assert.equal(totalOf(shown, 'gen_ai_client_token_usage_count', { gen_ai_token_type: 'output' }), 1)
})

test('failures of an endpoint are counted by kind, and moves away from it', async () => {
  const { meters, samples } = await newMeters()
  const seen: string[] = []
  const conditions = meters.counting({
    recordFailure: (id: string, _failure: ProviderFailure) => void seen.push(`failure ${id}`),
    recordFailover: (id: string) => void seen.push(`failover ${id}`),
  })
  const failure = {
    kind: 'answered',
    status: 429,
    name: 'ThrottlingException',
    message: '',
    retryAfterSeconds: null,
  } as const
  conditions.recordFailure(endpointId, failure)
  conditions.recordFailure(endpointId, { ...failure, status: 503 })
  conditions.recordFailure(endpointId, { ...failure, kind: 'unreachable', status: 504 })
  conditions.recordFailure(endpointId, { ...failure, kind: 'broken', status: 502 })
  conditions.recordFailure('deleted long ago', failure)
  conditions.recordFailover(endpointId)
  meters.served({
    ...record,
    attempts: [{ endpointId, hostedModel: 'm', status: 400, error: 'ValidationException', durationMs: 1 }],
  })
  const shown = await samples()
  const errors = shown.filter(({ name, value }) => name === 'gateway_upstream_errors_total' && value > 0)
  assert.deepEqual(
    Object.fromEntries(errors.map(({ labels, value }) => [`${labels['endpoint']} ${labels['kind']}`, value])),
    {
      'us-east-1 throttled': 1,
      'us-east-1 timeout': 1,
      'us-east-1 server': 1,
      'us-east-1 rejected': 1,
      'us-east-1 broken': 1,
    },
  )
  assert.equal(totalOf(shown, 'gateway_failovers_total'), 1)
  assert.equal(seen.length, 6, 'the memory behind it hears of everything')
})

test('ten thousand made-up models and tools share the series that others have', async () => {
  const { meters, samples } = await newMeters()
  for (let index = 0; index < 10_000; index += 1)
    meters.served({ ...record, model: `made-up-${index}`, hostedModel: null, tools: [`made-up-${index}`] })
  const shown = await samples()
  assert.ok(shown.length < 150, `${shown.length} series`)
  assert.ok(!JSON.stringify(shown).includes('made-up'))
  assert.equal(totalOf(shown, 'gateway_requests_total', { model: 'other' }), 10_000)
})
