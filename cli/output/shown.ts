/** How values look to a person: money, times, lengths. Piped output carries the values as they are. */

/** The gateway counts in billionths of a dollar. */
const NANO_DIGITS = 9

export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return '-'
  const size = Math.abs(usd)
  const least = size !== 0 && size < 0.01 ? 4 : 2
  // What costs something is never shown as nothing.
  const most = size !== 0 && size < 0.0001 ? NANO_DIGITS : least
  return `${usd < 0 ? '-' : ''}$${size.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })}`
}

/** What a budget may be used up to now. A gateway of an earlier release knows nothing on top of a limit. */
export function wholeLimit(budget: { readonly limit_usd: number; readonly top_up_usd?: number }): number {
  return budget.limit_usd + (budget.top_up_usd ?? 0)
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : value.toLocaleString('en-US')
}

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : `${Math.round(value * 10) / 10} %`
}

export function share(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : percent(value * 100)
}

export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return '-'
  return value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** "5 min ago", "in 3 d"; the exact time is in the JSON. */
export function relativeTime(iso: string | null | undefined, nowMs: number): string {
  if (iso === null || iso === undefined) return '-'
  const distanceMs = Date.parse(iso) - nowMs
  if (Number.isNaN(distanceMs)) return iso
  const size = Math.abs(distanceMs)
  const [unit, unitMs] = units.find(([, ms]) => size >= ms) ?? ['s', 1_000]
  if (size < 1_000) return 'now'
  const amount = `${Math.floor(size / unitMs)} ${unit}`
  return distanceMs < 0 ? `${amount} ago` : `in ${amount}`
}

const spans: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `2h`, `7d`, or a date; undefined when it is neither. */
export function parseMoment(text: string, nowMs: number, direction: 'ago' | 'ahead'): string | undefined {
  const span = /^(\d{1,6})([smhdw])$/.exec(text)
  if (span !== null) {
    const ms = Number(span[1]) * (spans[span[2] ?? ''] ?? 0)
    return new Date(direction === 'ago' ? nowMs - ms : nowMs + ms).toISOString()
  }
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
