/** The instruments of the message path. Labels are bounded: ids that clients make up are counted as `other`. */
import type { Meters } from '../data-plane/ports.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { Meter } from '../platform/metrics.ts'

const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]
const FIRST_TOKEN_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

export function createPathMeters(meter: Meter, snapshot: () => Snapshot): Meters {
  const requests = meter.createCounter('gateway_requests', { description: 'Calls to the message routes.' })
  const duration = meter.createHistogram('gateway_request_duration_seconds', {
    description: 'From the first byte of the request to the end of the answer.',
    advice: { explicitBucketBoundaries: DURATION_BUCKETS },
  })
  const firstToken = meter.createHistogram('gateway_first_token_seconds', {
    description: 'From the first byte of the request to the first event of the answer.',
    advice: { explicitBucketBoundaries: FIRST_TOKEN_BUCKETS },
  })
  const tokens = meter.createCounter('gateway_tokens', { description: 'Tokens by kind.' })
  const cost = meter.createCounter('gateway_cost_usd', { description: 'Cost of served calls in US dollars.' })
  return {
    served: (record) => {
      const known = snapshot().mappings.has(record.model.replace(/\[1m\]$/, ''))
      const model = known ? record.model : 'other'
      const labels = { model, status: String(record.status), streaming: String(record.streaming) }
      requests.add(1, labels)
      duration.record(record.durationMs / 1000, labels)
      if (record.firstTokenMs !== null) firstToken.record(record.firstTokenMs / 1000, { model })
      const { usage } = record
      if (usage.inputTokens > 0) tokens.add(usage.inputTokens, { model, kind: 'input' })
      if (usage.outputTokens > 0) tokens.add(usage.outputTokens, { model, kind: 'output' })
      if (usage.cacheReadTokens > 0) tokens.add(usage.cacheReadTokens, { model, kind: 'cache_read' })
      const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens
      if (written > 0) tokens.add(written, { model, kind: 'cache_write' })
      if (record.costNanoUsd > 0) cost.add(record.costNanoUsd / 1e9, { model })
    },
  }
}
