/** The moment that a link to the health page names: seconds since 1970, as alerts write it, or a time as people do. */
export function parseMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(/^\d{1,11}$/.test(text) ? Number(text) * 1000 : text)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

const MINUTE_MS = 60_000

/** Each minute of the hour, by the time at which it begins. */
export function minutesBetween(from: string, to: string): readonly string[] {
  const [startMs, endMs] = [Date.parse(from), Date.parse(to)]
  const count = Math.max(0, Math.round((endMs - startMs) / MINUTE_MS))
  return Array.from({ length: count }, (_, index) => new Date(startMs + index * MINUTE_MS).toISOString())
}

export type MinuteState = 'silent' | 'ok' | 'some' | 'most'

/** From half of the calls on, an endpoint is no help. */
export function decideMinute(
  minute: { readonly requests: number; readonly errors: number; readonly throttled: number } | undefined,
): MinuteState {
  if (minute === undefined || minute.requests === 0) return 'silent'
  const failed = minute.errors + minute.throttled
  if (failed === 0) return 'ok'
  return failed * 2 < minute.requests ? 'some' : 'most'
}
