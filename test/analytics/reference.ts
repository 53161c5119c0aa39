/** The numbers of analytics once more, from the records alone: plain loops, and Intl instead of the gateway's own calendar. */
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import type { SampleWorld } from './sample-world.ts'

export interface Clock {
  /** Of the clock on the wall. */
  readonly date: string
  readonly hour: number
  /** 0 is Monday. */
  readonly weekday: number
  readonly offset: string
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export function createWallClock(tz: string): (ms: number) => Clock {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: tz,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
    weekday: 'short',
    timeZoneName: 'longOffset',
  })
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    return {
      date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
      hour: Number(parts.get('hour')),
      weekday: weekdays.indexOf(parts.get('weekday') ?? ''),
      offset: parts.get('timeZoneName') ?? '',
    }
  }
}

/** Names a bucket by what the clock shows in it; `hour` buckets of a repeated hour differ by their offset. */
export function bucketName(clock: Clock, granularity: string, from: string): string {
  if (granularity === 'hour') return `${clock.date} ${clock.hour} ${clock.offset}`
  if (granularity === 'day') return clock.date
  const monday = new Date(Date.parse(`${clock.date}T00:00:00Z`) - clock.weekday * 86_400_000).toISOString().slice(0, 10)
  return monday < from ? from : monday
}

export const isProbe = (record: SpendRecord): boolean => record.flags.includes('probe')
export const isRequest = (record: SpendRecord): boolean => record.round === 0 && !isProbe(record)
export const isServed = (record: SpendRecord): boolean => record.rates !== null || record.flags.includes('unpriced')
export const isAnswered = (record: SpendRecord): boolean => isServed(record) && !isProbe(record) && record.status < 400
export const isError = (record: SpendRecord): boolean =>
  !isProbe(record) && (record.status >= 400 || (record.errorType !== null && !record.flags.includes('aborted')))

export function sum(records: readonly SpendRecord[], read: (record: SpendRecord) => number): number {
  return records.reduce((total, record) => total + read(record), 0)
}

export const count = (records: readonly SpendRecord[], is: (record: SpendRecord) => boolean): number =>
  records.filter(is).length

export const usdOf = (records: readonly SpendRecord[]): number => sum(records, (one) => one.costNanoUsd) / 1e9
export const written = ({ usage }: SpendRecord): number => usage.cacheWrite5mTokens + usage.cacheWrite1hTokens
export const tokensOf = (record: SpendRecord): number =>
  record.usage.inputTokens + record.usage.outputTokens + record.usage.cacheReadTokens + written(record)

export const promptTokens = (records: readonly SpendRecord[]): number =>
  sum(records, (one) => one.usage.cacheReadTokens + one.usage.inputTokens + written(one))

export function hitRate(records: readonly SpendRecord[]): number {
  const read = sum(records, ({ usage }) => usage.cacheReadTokens)
  const all = promptTokens(records)
  return all === 0 ? 0 : read / all
}

export function people(records: readonly SpendRecord[]): Set<string> {
  return new Set(records.filter(isRequest).flatMap(({ userId }) => userId ?? []))
}

export function exactPercentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null
}

export function listTotals(records: readonly SpendRecord[]) {
  const answered = records.filter(isAnswered)
  return {
    requests: count(records, isRequest),
    active_users: people(records).size,
    spend_usd: usdOf(records),
    input_tokens: sum(records, ({ usage }) => usage.inputTokens),
    output_tokens: sum(records, ({ usage }) => usage.outputTokens),
    cache_read_tokens: sum(records, ({ usage }) => usage.cacheReadTokens),
    cache_write_tokens: sum(records, written),
    cache_hit_rate: hitRate(records),
    cache_savings_usd: sum(records, savedUsd),
    errors: count(records, isError),
    avg_duration_ms: answered.length === 0 ? 0 : sum(answered, (one) => one.durationMs) / answered.length,
    tool_calls: sum(records, ({ tools }) => tools.length),
    unpriced_requests: count(records, (one) => one.flags.includes('unpriced')),
  }
}

function savedUsd({ usage, rates }: SpendRecord): number {
  if (rates === null) return 0
  const plain = usage.cacheReadTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens
  const cached =
    usage.cacheReadTokens * rates.cacheRead +
    usage.cacheWrite5mTokens * rates.cacheWrite5m +
    usage.cacheWrite1hTokens * (rates.cacheWrite1h ?? rates.cacheWrite5m)
  return (plain * rates.input - cached) / 1e6
}

/** Groups records by the name behind an id. */
export function byName(
  records: readonly SpendRecord[],
  world: SampleWorld,
  read: (record: SpendRecord) => string | null,
): Map<string, SpendRecord[]> {
  return Map.groupBy(records, (record) => {
    const id = read(record)
    return id === null ? '(none)' : (world.names.get(id) ?? id)
  })
}
