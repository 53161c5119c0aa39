/**
 * A straight line through daily sums by ordinary least squares, drawn on with the band that holds 80 % of what may
 * come.
 * A few lines; a dependency would be larger.
 */

export interface ForecastPoint {
  /** Days after the first sum. */
  readonly x: number
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Below three points there is no deviation to make a band of. */
const LEAST_POINTS = 3

/** Values at x = n .. n + ahead - 1 for sums at x = 0 .. n - 1; nothing when there are too few. Nobody spends less than 0. */
export function forecast(sums: readonly number[], ahead: number): readonly ForecastPoint[] {
  const n = sums.length
  if (n < LEAST_POINTS) return []
  const meanX = (n - 1) / 2
  const meanY = sums.reduce((total, y) => total + y, 0) / n
  let sxx = 0
  let sxy = 0
  for (const [x, y] of sums.entries()) {
    sxx += (x - meanX) ** 2
    sxy += (x - meanX) * (y - meanY)
  }
  const slope = sxy / sxx
  const lineAt = (x: number): number => meanY + slope * (x - meanX)
  const squares = sums.reduce((total, y, x) => total + (y - lineAt(x)) ** 2, 0)
  const deviation = Math.sqrt(squares / (n - 2))
  const reach = tenthQuantile(n - 2) * deviation
  return Array.from({ length: ahead }, (_, index) => {
    const x = n + index
    // The band of a new observation, not of the line: it has the scatter of the days in it.
    const half = reach * Math.sqrt(1 + 1 / n + (x - meanX) ** 2 / sxx)
    const floor = (value: number): number => Math.max(0, value)
    return { x, value: floor(lineAt(x)), low: floor(lineAt(x) - half), high: floor(lineAt(x) + half) }
  })
}

/** Student's t at 0.9 for 1 to 30 degrees of freedom: what leaves 10 % on either side. */
const tenths = [
  3.0777, 1.8856, 1.6377, 1.5332, 1.4759, 1.4398, 1.4149, 1.3968, 1.383, 1.3722, 1.3634, 1.3562, 1.3502, 1.345, 1.3406,
  1.3368, 1.3334, 1.3304, 1.3277, 1.3253, 1.3232, 1.3212, 1.3195, 1.3178, 1.3163, 1.315, 1.3137, 1.3125, 1.3114, 1.3104,
]

/** Beyond the table the first terms of the expansion around the normal quantile are right to four digits. */
function tenthQuantile(degrees: number): number {
  const z = 1.281_551_6
  return (
    tenths[degrees - 1] ?? z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2)
  )
}
