/** Counts of durations in bins that each end 15 % above the one before: percentiles within a few percent, in 400 bytes. */
import type { HistogramCounts } from '../../foundation/domain/instance-report.ts'

export const HISTOGRAM_BINS = 100
/** Upper end of the first bin; the last one begins above a quarter of an hour, the longest silence there can be. */
const FIRST_BIN_MS = 1
const GROWTH = 1.15
const LOG_GROWTH = Math.log(GROWTH)

export function createHistogram(): Uint32Array {
  return new Uint32Array(HISTOGRAM_BINS)
}

export function addToHistogram(histogram: Uint32Array, durationMs: number): void {
  const bin = findBin(durationMs)
  histogram[bin] = (histogram[bin] ?? 0) + 1
}

export function readCounts(histogram: Uint32Array): HistogramCounts {
  return [...histogram].flatMap((count, bin) => (count === 0 ? [] : [[bin, count] as const]))
}

/** Bins that this program does not have are left out: another version may have told them. */
export function addCounts(histogram: Uint32Array, counts: HistogramCounts): void {
  for (const [bin, count] of counts) if (bin in histogram) histogram[bin] = (histogram[bin] ?? 0) + count
}

function findBin(durationMs: number): number {
  if (!(durationMs > FIRST_BIN_MS)) return 0
  return Math.min(HISTOGRAM_BINS - 1, Math.ceil(Math.log(durationMs / FIRST_BIN_MS) / LOG_GROWTH))
}

/** Whole milliseconds, interpolated inside the bin; null when nothing was counted. */
export function findPercentile(histogram: Uint32Array, share: number): number | null {
  let total = 0
  for (const count of histogram) total += count
  if (total === 0) return null
  const rank = share * total
  let below = 0
  for (let bin = 0; bin < HISTOGRAM_BINS; bin += 1) {
    const count = histogram[bin] ?? 0
    if (count > 0 && below + count >= rank) {
      const low = bin === 0 ? 0 : FIRST_BIN_MS * GROWTH ** (bin - 1)
      const high = FIRST_BIN_MS * GROWTH ** bin
      return Math.round(low + (high - low) * ((rank - below) / count))
    }
    below += count
  }
  return null
}
