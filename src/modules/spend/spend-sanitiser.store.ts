/** Makes any value storable and remembers whether it had to change something: money is never dropped for a bad name. */

export interface Sanitiser {
  readonly text: (value: string, maxLength: number) => string
  readonly optionalText: (value: string | null, maxLength: number) => string | null
  readonly texts: (values: readonly string[], maxCount: number, maxLength: number) => string[]
  /** A whole number from 0 to `max`. */
  readonly count: (value: number, max?: number) => number
  readonly rate: (value: number | null | undefined) => number | null
  readonly time: (timeMs: number) => number
  readonly clamped: () => boolean
  readonly sanitised: () => boolean
}

const MAX_INTEGER = 2_147_483_647
/** Times outside are mistakes of a clock; they still need a day to be stored under. */
const FIRST_TIME_MS = Date.UTC(2020, 0, 1)
const LAST_TIME_MS = Date.UTC(2100, 0, 1)

/** Postgres text has no NUL and no half of a surrogate pair; whole pairs are looked at again. */
const suspicious = /[\0\ud800-\udfff]/

export function createSanitiser(): Sanitiser {
  let clamped = false
  let changed = false

  const text = (value: string, maxLength: number): string => {
    if (typeof value === 'string' && value.length <= maxLength && !suspicious.test(value)) return value
    // Cutting may make half of a pair, so it comes first.
    const clean = String(value).slice(0, maxLength).toWellFormed().replaceAll('\0', '\u{fffd}')
    if (clean !== value) changed = true
    return clean
  }

  const clamp = (value: number, low: number, high: number): number => {
    const whole = Math.round(Number(value))
    // NaN fails both comparisons and must not pass.
    if (whole >= low && whole <= high) return whole
    clamped = true
    return whole > high ? high : low
  }

  return {
    text,
    optionalText: (value, maxLength) => (value === null ? null : text(value, maxLength)),
    texts: (values, maxCount, maxLength) => {
      if (values.length > maxCount) changed = true
      return values.slice(0, maxCount).map((value) => text(value, maxLength))
    },
    count: (value, max = MAX_INTEGER) => clamp(value, 0, max),
    rate: (value) => {
      if (value === null || value === undefined) return null
      if (Number.isFinite(value)) return value
      clamped = true
      return 0
    },
    time: (timeMs) => clamp(timeMs, FIRST_TIME_MS, LAST_TIME_MS),
    clamped: () => clamped,
    sanitised: () => changed || clamped,
  }
}
