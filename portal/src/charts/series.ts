/** The data that every chart over time takes, and the colours of its series. */
export interface Series {
  readonly name: string
  /** One value for each bucket, in the order of the buckets; null where there is nothing to tell, which is not zero. */
  readonly values: readonly (number | null)[]
}

export interface TimeData {
  /** ISO times, ascending. */
  readonly buckets: readonly string[]
  readonly series: readonly Series[]
}

/** An earlier time, one value beside each bucket of the data. */
export interface EarlierLine {
  readonly name: string
  /** When what stands beside a bucket began. */
  readonly buckets: readonly (string | undefined)[]
  readonly values: readonly (number | null)[]
}

const MAX_SERIES = 6

/** Six colours can be told apart by everybody; the rest of the series share one and are added up. */
export function limitSeries(series: readonly Series[], otherName = 'Other'): readonly Series[] {
  if (series.length <= MAX_SERIES) return series
  const ranked = [...series].sort((a, b) => total(b) - total(a))
  const rest = ranked.slice(MAX_SERIES)
  const length = rest[0]?.values.length ?? 0
  const other = Array.from({ length }, (_, index) => rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  return [...ranked.slice(0, MAX_SERIES), { name: otherName, values: other }]
}

export function total({ values }: Series): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}

export function seriesColor(index: number): string {
  return index < MAX_SERIES ? `var(--series-${index + 1})` : 'var(--series-other)'
}
