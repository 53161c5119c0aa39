/**
 * Percentiles from counts in buckets that grow by 2 %, as the database keeps them.
 * A few lines; a dependency would be larger.
 */

const GROWTH = 1.02

export interface LatencyBucket {
  /** Values up to GROWTH ** bucket; -1 is 0 ms. */
  readonly bucket: number
  readonly calls: number
}

/** The bucket of the smallest value that at least this share of all does not exceed; null without values. */
export function percentile(buckets: readonly LatencyBucket[], share: number): number | null {
  const total = buckets.reduce((sum, { calls }) => sum + calls, 0)
  if (total === 0) return null
  let seen = 0
  for (const { bucket, calls } of buckets.toSorted((a, b) => a.bucket - b.bucket)) {
    seen += calls
    if (seen >= share * total) return findMiddle(bucket)
  }
  return null
}

/** At most 1 % from every value of the bucket. Below 50 a bucket holds one whole number, which is then exact. */
function findMiddle(bucket: number): number {
  if (bucket < 0) return 0
  const middle = (2 * GROWTH ** bucket) / (GROWTH + 1)
  return middle < 50 ? Math.round(middle) : Math.round(middle * 10) / 10
}
