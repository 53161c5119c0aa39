/** A simulation in a sentence: who would stand where today, and what the finished periods would have seen. */
interface Simulated {
  readonly scope: 'user' | 'team' | 'members' | 'default'
  readonly total: number
  readonly current: {
    readonly above: number
    readonly warning: number
    readonly shaped: number
    readonly blocked: number
  }
  readonly finished: readonly { readonly from: string; readonly to: string; readonly stopped: number }[]
  readonly subjects: readonly {
    readonly percent: number
    readonly status: 'ok' | 'warning' | 'shaped' | 'blocked'
    readonly stopped_on: readonly (string | null)[]
  }[]
}

const states = { ok: 'within it', warning: 'warned', shaped: 'slowed down', blocked: 'stopped' } as const

export function simulationText(simulation: Simulated): string {
  const { scope, total, current, finished, subjects } = simulation
  const [only] = subjects
  if ((scope === 'user' || scope === 'team') && only !== undefined) {
    const who = scope === 'team' ? 'The team' : 'This person'
    const stops = only.stopped_on.flatMap((day, place) => (day === null ? [] : [{ day, place }]))
    const before =
      finished.length === 0
        ? ''
        : stops.length === 0
          ? `, and would not have been stopped in ${finishedText(finished)}`
          : `, and would have been stopped on ${stops.map(({ day }) => dayText(day)).join(', ')}`
    return `${who} would be at ${Math.round(only.percent)}% now, ${states[only.status]}${before}.`
  }
  if (total === 0) return 'It would be for nobody.'
  const reached = [
    [current.warning, 'warned'],
    [current.shaped, 'slowed down'],
    [current.blocked, 'stopped'],
  ] as const
  const details = reached.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  const above = `${current.above} of ${peopleText(total)} would be above this today`
  const last = finished[0]
  const before = last === undefined ? '' : `; ${last.stopped} would have been stopped ${periodText(last)}`
  return `${above}${details.length === 0 ? '' : ` (${details.join(', ')})`}${before}.`
}

function peopleText(count: number): string {
  return count === 1 ? '1 person' : `${count} people`
}

const DAY_MS = 86_400_000

/** As one says it: yesterday, last week, last month. */
function periodText({ from, to }: { readonly from: string; readonly to: string }): string {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return days === 1 ? 'yesterday' : days === 7 ? 'last week' : 'last month'
}

function finishedText(finished: Simulated['finished']): string {
  const [first] = finished
  if (first === undefined) return ''
  const unit = { yesterday: 'day', 'last week': 'week', 'last month': 'month' }[periodText(first)]
  return finished.length === 1 ? `the ${unit} before` : `the ${finished.length} ${unit}s before`
}

function dayText(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(Date.parse(day))
}
