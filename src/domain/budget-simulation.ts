/** What a budget would have done: where it would stand now, and when it would have stopped calls before. */
import {
  type Budget,
  type BudgetPeriod,
  type BudgetStatus,
  blockingNanoUsd,
  decideBudget,
  type PeriodSpan,
  periodAt,
} from './budget.ts'
import type { NanoUsd } from './money.ts'

/** The running period and the finished ones before it, the last first, as far back as sums are kept. */
export interface SimulatedPeriods {
  readonly current: PeriodSpan
  readonly finished: readonly PeriodSpan[]
}

const MOST_FINISHED = 3

export function simulatedPeriods(period: BudgetPeriod, nowMs: number, keptSinceMs: number): SimulatedPeriods {
  const current = periodAt(period, nowMs)
  const finished: PeriodSpan[] = []
  let { startMs } = current
  while (finished.length < MOST_FINISHED) {
    const before = periodAt(period, startMs - 1)
    // A period of which the first days are forgotten would look as if it had never been stopped.
    if (before.startMs < keptSinceMs) break
    finished.push(before)
    startMs = before.startMs
  }
  return { current, finished }
}

/** What one subject spent in each of the periods, the running one first. */
export interface SubjectSpend {
  readonly subjectId: string
  /** The first day, in UTC, on which the sum of the period had reached where calls stop; null when it never did. */
  readonly stoppedOn: readonly (string | null)[]
  readonly spentNanoUsd: NanoUsd
}

export interface SimulatedSubject {
  readonly subjectId: string
  readonly name: string
  readonly spentNanoUsd: NanoUsd
  readonly percent: number
  readonly status: BudgetStatus
  /** One for each finished period. */
  readonly stoppedOn: readonly (string | null)[]
}

export type SimulatedTerms = Pick<Budget, 'limitNanoUsd' | 'rules'>

/** Where calls would stop; null when they never would. */
export function stopsAt(terms: SimulatedTerms): NanoUsd | null {
  return blockingNanoUsd(terms) ?? null
}

export interface Simulation {
  /** The worst first. */
  readonly subjects: readonly SimulatedSubject[]
  readonly above: number
  readonly counts: Readonly<Record<Exclude<BudgetStatus, 'ok'>, number>>
  /** How many each finished period would have stopped. */
  readonly stopped: readonly number[]
}

export function simulate(
  subjects: ReadonlyMap<string, string>,
  spends: ReadonlyMap<string, SubjectSpend>,
  terms: SimulatedTerms,
  finished: number,
): Simulation {
  const never = Array.from({ length: finished }, () => null)
  const all = [...subjects].map(([subjectId, name]): SimulatedSubject => {
    const { spentNanoUsd = 0, stoppedOn = never } = spends.get(subjectId) ?? {}
    const { status, percent } = decideBudget(spentNanoUsd, terms.limitNanoUsd, terms.rules)
    return { subjectId, name, spentNanoUsd, percent, status, stoppedOn }
  })
  const count = (status: BudgetStatus): number => all.filter((one) => one.status === status).length
  return {
    subjects: all.sort(worstFirst),
    above: all.filter(({ spentNanoUsd }) => spentNanoUsd > terms.limitNanoUsd).length,
    counts: { warning: count('warning'), shaped: count('shaped'), blocked: count('blocked') },
    stopped: never.map((_, place) => all.filter(({ stoppedOn }) => stoppedOn[place] != null).length),
  }
}

const severity: Readonly<Record<BudgetStatus, number>> = { ok: 0, warning: 1, shaped: 2, blocked: 3 }

function worstFirst(a: SimulatedSubject, b: SimulatedSubject): number {
  const stops = ({ stoppedOn }: SimulatedSubject): number => stoppedOn.filter((day) => day !== null).length
  return (
    severity[b.status] - severity[a.status] ||
    stops(b) - stops(a) ||
    b.percent - a.percent ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  )
}
