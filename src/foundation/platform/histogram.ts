/**
 * Counts in fixed buckets, kept as plain numbers so that recording one is a handful of comparisons.
 * Our own, because counting a request takes about 0.12 µs with all instruments. With five instruments of the SDK it
 * took 1.25 µs.
 */

type Labels = Readonly<Record<string, string>>

export interface Histogram {
  readonly labels: Labels
  readonly boundaries: readonly number[]
  /** One more than the boundaries: the last has no upper end. */
  readonly counts: Float64Array
  sum: number
  count: number
}

export interface HistogramFamily {
  /** A new series; whoever asks for it keeps it, one for each set of labels. */
  readonly series: (labels: Labels) => Histogram
  readonly used: () => readonly Histogram[]
}

export function createHistogramFamily(boundaries: readonly number[]): HistogramFamily {
  const made: Histogram[] = []
  return {
    series: (labels) => {
      const one = { labels, boundaries, counts: new Float64Array(boundaries.length + 1), sum: 0, count: 0 }
      made.push(one)
      return one
    },
    used: () => made.filter(({ count }) => count > 0),
  }
}

/** A value equal to a boundary belongs to the bucket that ends there. */
export function addTo(histogram: Histogram, value: number): void {
  const { boundaries, counts } = histogram
  let low = 0
  let high = boundaries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (value <= (boundaries[middle] as number)) high = middle
    else low = middle + 1
  }
  counts[low] = (counts[low] as number) + 1
  histogram.sum += value
  histogram.count += 1
}

/** In the form of the OpenTelemetry data model. */
export function bucketCounts({ boundaries, counts, sum, count }: Histogram) {
  return { buckets: { boundaries: [...boundaries], counts: [...counts] }, sum, count }
}
