/** Gathers what a call consumed from the places that report it, trusting none of them to be complete or sane. */
import type { Usage } from './usage.ts'

/** Ten times the largest context window: a count above it is a fault, not a prompt. */
export const MAX_PLAUSIBLE_TOKENS = 10_000_000

/** The member of an answer, or of a stream's last event, in which the hosted service adds its own counts. */
export const INVOCATION_METRICS = 'amazon-bedrock-invocationMetrics'

type Count = 'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'cacheWrite5m' | 'cacheWrite1h' | 'webSearches'

type Counts = Partial<Record<Count, number>>

export interface UsageReading {
  readonly counts: Counts
  /** Output that a stream names at its beginning: what was written by then, and never all of it. */
  begunOutput: number | undefined
  /** What the hosted service used for summaries of the conversation: charged, and in no other count. */
  compaction: Counts
  /** A count was outside the plausible range or no number; it was moved into the range or left out. */
  clamped: boolean
}

export interface ReadUsage {
  readonly usage: Usage
  readonly webSearches: number
  readonly clamped: boolean
  /** False when input or the whole output was never reported: the caller must estimate. */
  readonly reported: boolean
}

export function startUsageReading(): UsageReading {
  return { counts: {}, begunOutput: undefined, compaction: {}, clamped: false }
}

type Fields = Readonly<Record<string, unknown>>

/** Reads the counts of a whole answer. */
export function mergeAnswerUsage(
  reading: UsageReading,
  answer: { readonly usage: unknown; readonly metrics: unknown },
  headers: Readonly<Record<string, string>>,
): void {
  mergeUsage(reading, answer.usage)
  mergeInvocationMetrics(reading, answer.metrics)
  mergeUsageHeaders(reading, headers)
}

/** Reads the counts of one stream event. Most kinds of events have none. */
export function mergeEventUsage(reading: UsageReading, event: Fields): void {
  switch (event['type']) {
    case 'message_start':
      mergeBegunUsage(reading, isRecord(event['message']) ? event['message']['usage'] : undefined)
      return
    case 'message_delta':
      mergeUsage(reading, event['usage'])
      return
    case 'message_stop':
      mergeUsage(reading, event['usage'])
      mergeInvocationMetrics(reading, event[INVOCATION_METRICS])
  }
}

/** A `usage` object of the Messages form. Later reports win; an absent count never erases a known one. */
export function mergeUsage(reading: UsageReading, usage: unknown): void {
  if (!isRecord(usage)) return
  takeTokens(reading, usage)
  const serverTools = usage['server_tool_use']
  if (isRecord(serverTools)) take(reading, 'webSearches', serverTools['web_search_requests'])
  if (Array.isArray(usage['iterations'])) mergeCompaction(reading, usage['iterations'])
}

/** The usage that stands at the beginning of a stream. Its output counts for as long as nothing else tells of it. */
function mergeBegunUsage(reading: UsageReading, usage: unknown): void {
  mergeUsage(reading, usage)
  reading.begunOutput = reading.counts.output
  delete reading.counts.output
}

function takeTokens(reading: UsageReading, usage: Fields): void {
  take(reading, 'input', usage['input_tokens'])
  take(reading, 'output', usage['output_tokens'])
  take(reading, 'cacheRead', usage['cache_read_input_tokens'])
  take(reading, 'cacheWrite', usage['cache_creation_input_tokens'])
  const split = usage['cache_creation']
  if (isRecord(split)) {
    take(reading, 'cacheWrite5m', split['ephemeral_5m_input_tokens'])
    take(reading, 'cacheWrite1h', split['ephemeral_1h_input_tokens'])
  }
}

/** Each report lists all iterations so far, so the last one counts. */
function mergeCompaction(reading: UsageReading, iterations: readonly unknown[]): void {
  const summaries = iterations.filter((one) => isRecord(one) && one['type'] === 'compaction')
  if (summaries.length === 0) return
  const sum: Counts = {}
  for (const summary of summaries) {
    const one = startUsageReading()
    if (isRecord(summary)) takeTokens(one, summary)
    for (const [count, tokens] of Object.entries(one.counts) as [Count, number][])
      sum[count] = Math.min((sum[count] ?? 0) + tokens, MAX_PLAUSIBLE_TOKENS)
    if (one.clamped) reading.clamped = true
  }
  reading.compaction = sum
}

/** The hosted service's own metrics fill only what the model's usage left open. */
export function mergeInvocationMetrics(reading: UsageReading, metrics: unknown): void {
  if (!isRecord(metrics)) return
  takeIfOpen(reading, 'input', metrics['inputTokenCount'])
  takeIfOpen(reading, 'output', metrics['outputTokenCount'])
  takeIfOpen(reading, 'cacheRead', metrics['cacheReadInputTokenCount'])
  takeIfOpen(reading, 'cacheWrite', metrics['cacheWriteInputTokenCount'])
}

/** Headers of an answer that is not streamed; the same fallback as the metrics of a stream. */
export function mergeUsageHeaders(reading: UsageReading, headers: Readonly<Record<string, string>>): void {
  // Whole names: put together anew for each call, they would be looked up far more slowly.
  mergeInvocationMetrics(reading, {
    inputTokenCount: countIn(headers['x-amzn-bedrock-input-token-count']),
    outputTokenCount: countIn(headers['x-amzn-bedrock-output-token-count']),
    cacheReadInputTokenCount: countIn(headers['x-amzn-bedrock-cache-read-input-token-count']),
    cacheWriteInputTokenCount: countIn(headers['x-amzn-bedrock-cache-write-input-token-count']),
  })
}

function countIn(header: string | undefined): number | undefined {
  return header === undefined || header === '' ? undefined : Number(header)
}

export function readUsage({ counts, begunOutput = 0, compaction, clamped }: UsageReading): ReadUsage {
  const [answer, summary] = [toUsage(counts, begunOutput), toUsage(compaction, 0)]
  return {
    usage: {
      inputTokens: answer.inputTokens + summary.inputTokens,
      outputTokens: answer.outputTokens + summary.outputTokens,
      cacheReadTokens: answer.cacheReadTokens + summary.cacheReadTokens,
      cacheWrite5mTokens: answer.cacheWrite5mTokens + summary.cacheWrite5mTokens,
      cacheWrite1hTokens: answer.cacheWrite1hTokens + summary.cacheWrite1hTokens,
    },
    webSearches: counts.webSearches ?? 0,
    clamped,
    reported: counts.input !== undefined && counts.output !== undefined,
  }
}

function toUsage(counts: Counts, begunOutput: number): Usage {
  const write1h = counts.cacheWrite1h ?? 0
  return {
    inputTokens: counts.input ?? 0,
    outputTokens: counts.output ?? begunOutput,
    cacheReadTokens: counts.cacheRead ?? 0,
    // A total above its parts is counted as the five-minute kind, the default of the service.
    cacheWrite5mTokens: Math.max(counts.cacheWrite5m ?? 0, (counts.cacheWrite ?? 0) - write1h),
    cacheWrite1hTokens: write1h,
  }
}

function take(reading: UsageReading, count: Count, value: unknown): void {
  if (value === undefined || value === null) return
  const tokens = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  const isPlausible =
    typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0 && tokens <= MAX_PLAUSIBLE_TOKENS
  if (isPlausible) {
    reading.counts[count] = tokens
    if (tokens !== value) reading.clamped = true
    return
  }
  reading.clamped = true
  // A count that made sense is worth more than a later one that does not.
  if (reading.counts[count] !== undefined || typeof tokens !== 'number' || Number.isNaN(tokens)) return
  reading.counts[count] = Math.min(Math.max(Math.trunc(tokens), 0), MAX_PLAUSIBLE_TOKENS)
}

function takeIfOpen(reading: UsageReading, count: Count, value: unknown): void {
  if (reading.counts[count] === undefined) take(reading, count, value)
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
