/** What a report of the cloud bill comes to, summed while its lines are read. Nothing else of it is kept. */
import { problem } from '../../foundation/domain/errors.ts'
import type { Dimension } from '../../foundation/domain/usage-type.ts'

/** One sum of the bill: what was charged for one kind of token of one model, on one day, in one place. */
export interface BilledKey {
  readonly day: string
  /** As `toModelKey` makes it; empty where the report does not name it. */
  readonly model: string
  /** As the report writes it. */
  readonly modelName: string
  /** Undefined where the report does not tell the kind of token. */
  readonly dimension: Dimension | undefined
  /** Batch, flex and other ways to call that the gateway never takes. */
  readonly isOtherTier: boolean
  readonly account: string | null
  readonly region: string | null
  /** ARN of the application inference profile. */
  readonly profile: string | null
  /** What the amount is counted in, in the words of the report. */
  readonly unit: string
}

export interface BilledSum extends BilledKey {
  /** Not a number where the report tells no amount. */
  readonly amount: number
  /** Lines have more decimals than a nano-dollar, so a sum is rounded once, when it is used. */
  readonly usd: number
}

export const leftOutReasons = [
  'other_service',
  'other_model',
  'tax',
  'credit',
  'refund',
  'discount',
  'fee',
  'other_type',
  'outside_range',
  'records_gone',
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

export interface LeftOut {
  readonly lines: number
  readonly usd: number
}

export const reportForms = ['cur', 'cur2', 'cost_explorer'] as const

export interface Report {
  readonly form: (typeof reportForms)[number]
  readonly lines: number
  /** Lines that were compared. */
  readonly usedLines: number
  readonly sums: readonly BilledSum[]
  readonly leftOut: ReadonlyMap<LeftOutReason, LeftOut>
  /** Of every line of usage, also of other services; undefined without any. */
  readonly covered: Covered | undefined
}

export interface Covered {
  readonly firstDay: string
  readonly lastDay: string
  /** Whether the first or the last of these days seems to be there only in part. */
  readonly isFirstPartial: boolean
  readonly isLastPartial: boolean
}

/** A form of the report: it takes the rows and hands what they mean to the sums. */
export interface ReportForm {
  readonly form: Report['form']
  /** Places of the columns that are read. */
  readonly wanted: readonly number[]
  readonly row: (cells: readonly string[], line: number, sums: BilledSums) => void
}

export interface BilledSums {
  readonly use: (key: BilledKey, amount: number, usd: number) => void
  readonly leaveOut: (reason: LeftOutReason, usd: number) => void
  /** That the report reaches over this time, as `2026-10-31T23`; the end is not included. */
  readonly cover: (start: string, end: string | undefined) => void
  readonly report: (form: Report['form'], lines: number) => Report
}

/** A year of days, models, kinds and places is far below it; what is above was not made for this. */
const MAX_SUMS = 200_000

interface Sum {
  readonly key: BilledKey
  amount: number
  usd: number
}

export function createBilledSums(range: { readonly from: string; readonly to: string } | undefined): BilledSums {
  const sums = new Map<string, Sum>()
  const leftOut = new Map<LeftOutReason, { lines: number; usd: number }>()
  let usedLines = 0
  let [first, last] = ['', '']
  const leaveOut = (reason: LeftOutReason, usd: number): void => {
    const known = leftOut.get(reason)
    if (known === undefined) leftOut.set(reason, { lines: 1, usd })
    else {
      known.lines++
      known.usd += usd
    }
  }
  return {
    leaveOut,
    use: (key, amount, usd) => {
      if (range !== undefined && (key.day < range.from || key.day > range.to)) {
        leaveOut('outside_range', usd)
        return
      }
      usedLines++
      const { day, model, dimension, account, region, profile, unit } = key
      const { kind = '', reach = '', isLong = false } = dimension ?? {}
      const name = `${day}|${model}|${kind}|${reach}|${isLong}|${key.isOtherTier}|${account}|${region}|${profile}|${unit}`
      const known = sums.get(name)
      if (known !== undefined) {
        known.amount += amount
        known.usd += usd
        return
      }
      if (sums.size >= MAX_SUMS)
        throw unreadable(`it has more than ${MAX_SUMS} different sums of days, models, accounts and profiles`)
      sums.set(name, { key, amount, usd })
    },
    cover: (start, end) => {
      if (first === '' || start < first) first = start
      const until = end ?? `${start.slice(0, 10)}T24`
      if (until > last) last = until
    },
    report: (form, lines) => ({
      form,
      lines,
      usedLines,
      sums: [...sums.values()].map(({ key, amount, usd }) => ({ ...key, amount, usd })),
      leftOut,
      covered: first === '' ? undefined : buildCovered(first, last),
    }),
  }
}

function buildCovered(first: string, last: string): Covered {
  const endsAtMidnight = last.endsWith('T00')
  return {
    firstDay: first.slice(0, 10),
    lastDay: endsAtMidnight ? dayBefore(last.slice(0, 10)) : last.slice(0, 10),
    isFirstPartial: !first.endsWith('T00'),
    isLastPartial: !endsAtMidnight && !last.endsWith('T24'),
  }
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

export function unreadable(reason: string, cause?: unknown): Error {
  return problem('unreadable_report', { reason }, { cause })
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/

/** An empty cell is nothing; everything else must be a number, also one as `1.2E-5`. */
export function numberIn(text: string, column: string, line: number): number {
  if (text === '') return 0
  const value = numberPattern.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(value)) throw unreadable(`line ${line}: ${column} is not a number`)
  return value
}
