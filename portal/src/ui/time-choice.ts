/** How far back a list goes, as its address says it: one of these, or any time. */
export const timeChoices = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
] as const

const DAY_MS = 86_400_000

/** The one that the address means; what a link has made up is no choice, and the list says so by showing any time. */
export function timeChoice(days: string | undefined): string {
  return timeChoices.find(({ value }) => value === days)?.value ?? ''
}

/** When that begins, for the gateway. Taken once and kept by whoever asks, or every render would ask anew. */
export function findBegin(days: string | undefined, nowMs = Date.now()): string | undefined {
  const choice = timeChoice(days)
  return choice === '' ? undefined : new Date(nowMs - Number(choice) * DAY_MS).toISOString()
}
