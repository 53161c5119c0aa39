/** What a budget would have done: where it would stand now, and when it would have stopped calls before. */
import {
  type Budget,
  type BudgetPeriod,
  type BudgetStatus,
  blockingNanoUsd,
  decideBudget,
  type PeriodSpan,
  periodAt,
} from '../../foundation/domain/budget.ts'
import type { NanoUsd } from '../../foundation/domain/money.ts'

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
  /** The worst first, as many as are wanted. */
  readonly subjects: readonly SimulatedSubject[]
  readonly above: number
  readonly counts: Readonly<Record<Exclude<BudgetStatus, 'ok'>, number>>
  /** How many each finished period would have stopped. */
  readonly stopped: readonly number[]
}

export interface Wanted {
  /** How many periods are over. */
  readonly finished: number
  /** Subjects in the answer. */
  readonly most: number
}

/** Of a hundred thousand people most have spent nothing: they are counted, and looked at only to fill the list. */
export function simulate(
  subjects: ReadonlyMap<string, string>,
  spends: ReadonlyMap<string, SubjectSpend>,
  terms: SimulatedTerms,
  { finished, most }: Wanted,
): Simulation {
  const never = Array.from({ length: finished }, () => null)
  const nothing: Omit<SubjectSpend, 'subjectId'> = { spentNanoUsd: 0, stoppedOn: never }
  const judge = ([subjectId, name]: readonly [string, string]): Judged => {
    const { spentNanoUsd, stoppedOn } = spends.get(subjectId) ?? nothing
    const { status, percent } = decideBudget(spentNanoUsd, terms.limitNanoUsd, terms.rules)
    const stops = stoppedOn.filter((day) => day !== null).length
    return { subject: { subjectId, name, spentNanoUsd, percent, status, stoppedOn }, stops }
  }
  const spenders: Judged[] = []
  const idle: (readonly [string, string])[] = []
  for (const one of subjects)
    if (spends.has(one[0])) spenders.push(judge(one))
    else keepFirst(idle, one, most)
  const idleStatus = decideBudget(0, terms.limitNanoUsd, terms.rules).status
  const count = (status: BudgetStatus): number =>
    spenders.filter(({ subject }) => subject.status === status).length +
    (status === idleStatus ? subjects.size - spenders.length : 0)
  return {
    subjects: [...spenders, ...idle.map(judge)]
      .sort(worstFirst)
      .slice(0, most)
      .map(({ subject }) => subject),
    above: spenders.filter(({ subject }) => subject.spentNanoUsd > terms.limitNanoUsd).length,
    counts: { warning: count('warning'), shaped: count('shaped'), blocked: count('blocked') },
    stopped: never.map((_, place) => spenders.filter(({ subject }) => subject.stoppedOn[place] !== null).length),
  }
}

interface Judged {
  readonly subject: SimulatedSubject
  /** Finished periods in which it would have been stopped. */
  readonly stops: number
}

/** The first by name, in their order. */
function keepFirst(kept: (readonly [string, string])[], one: readonly [string, string], most: number): void {
  if (kept.length === most && one[1] >= (kept.at(-1)?.[1] ?? '')) return
  const place = kept.findIndex(([, name]) => one[1] < name)
  kept.splice(place === -1 ? kept.length : place, 0, one)
  if (kept.length > most) kept.pop()
}

const severity: Readonly<Record<BudgetStatus, number>> = { ok: 0, warning: 1, shaped: 2, blocked: 3 }

function worstFirst({ subject: a, stops: stopsA }: Judged, { subject: b, stops: stopsB }: Judged): number {
  return (
    severity[b.status] - severity[a.status] ||
    stopsB - stopsA ||
    b.percent - a.percent ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  )
}
