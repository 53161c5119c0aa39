/** The instruments of the message path. Labels are bounded: ids that clients make up are counted as `other`. */
import type { Meters } from '../data-plane/ports.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import type { Meter } from '../platform/metrics.ts'

const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]
const FIRST_TOKEN_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]

/** What was counted under one model. Sums are kept here and read at a scrape: the SDK sorts and hashes labels at every call. */
interface ModelSums {
  readonly byOutcome: Map<number, OutcomeSum>
  readonly firstTokenLabels: { readonly model: string }
  readonly tokens: Record<TokenKind, number>
  costUsd: number
}

interface OutcomeSum {
  readonly labels: { readonly model: string; readonly status: string; readonly streaming: string }
  requests: number
}

const tokenKinds = ['input', 'output', 'cache_read', 'cache_write'] as const
type TokenKind = (typeof tokenKinds)[number]

export function createPathMeters(meter: Meter, snapshot: () => Snapshot): Meters {
  const sums = new Map<string, ModelSums>()
  observeSums(meter, sums)
  const duration = meter.createHistogram('gateway_request_duration_seconds', {
    description: 'From the first byte of the request to the end of the answer.',
    advice: { explicitBucketBoundaries: DURATION_BUCKETS },
  })
  const firstToken = meter.createHistogram('gateway_first_token_seconds', {
    description: 'From the first byte of the request to the first event of the answer.',
    advice: { explicitBucketBoundaries: FIRST_TOKEN_BUCKETS },
  })
  return {
    served: (record) => {
      const { model, usage } = record
      const plain = model.endsWith('[1m]') ? model.slice(0, -4) : model
      const ofModel = sumsOf(sums, snapshot().mappings.has(plain) ? model : 'other')
      const outcome = outcomeOf(ofModel, record.status, record.streaming)
      outcome.requests += 1
      duration.record(record.durationMs / 1000, outcome.labels)
      if (record.firstTokenMs !== null) firstToken.record(record.firstTokenMs / 1000, ofModel.firstTokenLabels)
      ofModel.tokens.input += usage.inputTokens
      ofModel.tokens.output += usage.outputTokens
      ofModel.tokens.cache_read += usage.cacheReadTokens
      ofModel.tokens.cache_write += usage.cacheWrite5mTokens + usage.cacheWrite1hTokens
      ofModel.costUsd += record.costNanoUsd / 1e9
    },
  }
}

function observeSums(meter: Meter, sums: ReadonlyMap<string, ModelSums>): void {
  meter
    .createObservableCounter('gateway_requests', { description: 'Calls to the message routes.' })
    .addCallback((result) => {
      for (const { byOutcome } of sums.values())
        for (const { requests, labels } of byOutcome.values()) result.observe(requests, labels)
    })
  meter.createObservableCounter('gateway_tokens', { description: 'Tokens by kind.' }).addCallback((result) => {
    for (const [model, { tokens }] of sums)
      for (const kind of tokenKinds) if (tokens[kind] > 0) result.observe(tokens[kind], { model, kind })
  })
  meter
    .createObservableCounter('gateway_cost_usd', { description: 'Cost of served calls in US dollars.' })
    .addCallback((result) => {
      for (const [model, { costUsd }] of sums) if (costUsd > 0) result.observe(costUsd, { model })
    })
}

function sumsOf(sums: Map<string, ModelSums>, model: string): ModelSums {
  const known = sums.get(model)
  if (known !== undefined) return known
  const tokens = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
  const made: ModelSums = { byOutcome: new Map(), firstTokenLabels: { model }, tokens, costUsd: 0 }
  sums.set(model, made)
  return made
}

function outcomeOf({ byOutcome, firstTokenLabels }: ModelSums, status: number, streaming: boolean): OutcomeSum {
  const key = status * 2 + Number(streaming)
  const known = byOutcome.get(key)
  if (known !== undefined) return known
  const labels = { ...firstTokenLabels, status: String(status), streaming: String(streaming) }
  const made: OutcomeSum = { labels, requests: 0 }
  byOutcome.set(key, made)
  return made
}
