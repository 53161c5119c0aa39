/** What is counted under each model. Plain sums, read at a collection; lost on restart, as counters may be. */
import type { InstrumentName } from '../../foundation/domain/instruments.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'
import { promptTokens } from '../../foundation/domain/usage.ts'
import { addTo, type Histogram } from '../../foundation/platform/histogram.ts'
import type { Instruments, Show } from '../../foundation/platform/metrics.ts'

const outcomes = ['ok', 'aborted', 'limited', 'rejected', 'error'] as const
type Outcome = (typeof outcomes)[number]

const tokenKinds = ['input', 'output', 'cache_read', 'cache_write_5m', 'cache_write_1h'] as const

interface OutcomeSum {
  readonly labels: {
    readonly model: string
    readonly status: string
    readonly streaming: string
    readonly outcome: string
  }
  readonly duration: Histogram
  requests: number
}

interface ModelSums {
  readonly model: string
  readonly byEnding: Map<number, OutcomeSum>
  /** Calls that end alike share a duration, whatever their status. */
  readonly durations: Map<Outcome, Histogram>
  readonly firstToken: Histogram
  readonly perOutputToken: Histogram
  readonly promptSize: Histogram
  readonly answerSize: Histogram
  readonly tokens: Record<(typeof tokenKinds)[number], number>
  costUsd: number
  unpriced: number
}

export interface ModelMeters {
  readonly add: (model: string, record: SpendRecord) => void
  /** A call that left no record. */
  readonly addUnrecorded: (model: string, status: number) => void
}

export function createModelMeters(instruments: Instruments<InstrumentName>): ModelMeters {
  const sums = new Map<string, ModelSums>()
  const duration = instruments.histogram('gen_ai.server.request.duration')
  const firstToken = instruments.histogram('gen_ai.server.time_to_first_token')
  const perOutputToken = instruments.histogram('gen_ai.server.time_per_output_token')
  const usage = instruments.histogram('gen_ai.client.token.usage')

  const make = (model: string): ModelSums => {
    const labels = buildLabels(model)
    const made: ModelSums = {
      model,
      byEnding: new Map(),
      durations: new Map(),
      firstToken: firstToken.series(labels),
      perOutputToken: perOutputToken.series(labels),
      promptSize: usage.series({ ...labels, 'gen_ai.token.type': 'input' }),
      answerSize: usage.series({ ...labels, 'gen_ai.token.type': 'output' }),
      tokens: { input: 0, output: 0, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0 },
      costUsd: 0,
      unpriced: 0,
    }
    sums.set(model, made)
    return made
  }

  const findDuration = ({ model, durations }: ModelSums, outcome: Outcome): Histogram => {
    const known = durations.get(outcome)
    if (known !== undefined) return known
    const labels = buildLabels(model)
    const made = duration.series(outcome === 'ok' ? labels : { ...labels, 'error.type': outcome })
    durations.set(outcome, made)
    return made
  }

  const findEnding = (ofModel: ModelSums, status: number, streaming: boolean, outcome: Outcome): OutcomeSum => {
    const key = (status * outcomes.length + outcomes.indexOf(outcome)) * 2 + Number(streaming)
    const known = ofModel.byEnding.get(key)
    if (known !== undefined) return known
    const labels = { model: ofModel.model, status: String(status), streaming: String(streaming), outcome }
    const made: OutcomeSum = { labels, duration: findDuration(ofModel, outcome), requests: 0 }
    ofModel.byEnding.set(key, made)
    return made
  }

  show(instruments, sums)
  return {
    add: (model, record) => {
      const ofModel = sums.get(model) ?? make(model)
      const outcome = toOutcome(record)
      const ending = findEnding(ofModel, record.status, record.streaming, outcome)
      // A request with web searches has a record for each round; a failure in a later one must be seen all the same.
      if (record.round === 0 || outcome !== 'ok') ending.requests += 1
      addTo(ending.duration, record.durationMs / 1000)
      addTimes(ofModel, record)
      addUsage(ofModel, record)
    },
    addUnrecorded: (model, status) => {
      const ofModel = sums.get(model) ?? make(model)
      findEnding(ofModel, status, false, refusedAs(status)).requests += 1
    },
  }
}

function buildLabels(model: string) {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'aws.bedrock',
    'gen_ai.request.model': model,
  }
}

function addTimes(ofModel: ModelSums, { firstTokenMs, durationMs, usage }: SpendRecord): void {
  if (firstTokenMs === null) return
  addTo(ofModel.firstToken, firstTokenMs / 1000)
  if (usage.outputTokens > 1)
    addTo(ofModel.perOutputToken, Math.max(0, durationMs - firstTokenMs) / 1000 / (usage.outputTokens - 1))
}

function addUsage(ofModel: ModelSums, { usage, costNanoUsd, flags }: SpendRecord): void {
  const prompt = promptTokens(usage)
  if (prompt === 0 && usage.outputTokens === 0) return
  const { tokens } = ofModel
  tokens.input += usage.inputTokens
  tokens.output += usage.outputTokens
  tokens.cache_read += usage.cacheReadTokens
  tokens.cache_write_5m += usage.cacheWrite5mTokens
  tokens.cache_write_1h += usage.cacheWrite1hTokens
  addTo(ofModel.promptSize, prompt)
  addTo(ofModel.answerSize, usage.outputTokens)
  ofModel.costUsd += costNanoUsd / 1e9
  if (flags.length > 0 && (flags.includes('price_estimated') || flags.includes('unpriced'))) ofModel.unpriced += 1
}

/** A stream that broke has sent its 200 already, so the status alone does not tell. */
function toOutcome({ status, errorType, flags }: SpendRecord): Outcome {
  // 499 is a client that left before its call was sent.
  if (status === 499 || (flags.length > 0 && flags.includes('aborted'))) return 'aborted'
  if (errorType === null) return 'ok'
  return status < 400 ? 'error' : refusedAs(status)
}

function refusedAs(status: number): Outcome {
  if (status >= 500) return 'error'
  return status === 429 ? 'limited' : 'rejected'
}

function show(instruments: Instruments<InstrumentName>, sums: ReadonlyMap<string, ModelSums>): void {
  const each = (name: InstrumentName, read: (one: ModelSums, shown: Show) => void): void =>
    instruments.observe(name, (shown) => {
      for (const one of sums.values()) read(one, shown)
    })
  each('gateway_requests', ({ byEnding }, shown) => {
    for (const { requests, labels } of byEnding.values()) shown(requests, labels)
  })
  each('gateway_tokens', ({ model, tokens }, shown) => {
    for (const kind of tokenKinds) shown(tokens[kind], { model, kind })
  })
  each('gateway_cost_usd', ({ model, costUsd }, shown) => shown(costUsd, { model }))
  each('gateway_unpriced_requests', ({ model, unpriced }, shown) => shown(unpriced, { model }))
}
