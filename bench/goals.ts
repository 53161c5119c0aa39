/** The goals of this release, as data, and the verdict on each. */
import type { Row } from './scenarios/scenario.ts'

interface Goal {
  readonly row: string
  readonly text: string
  /** Undefined when what it compares with was not measured. */
  readonly measured: (row: Row) => number | undefined
  readonly limit: number
}

const times = (name: 'nginx' | 'portkey', limit: number, text: string) => (row: string) => ({
  row,
  text,
  limit,
  measured: ({ values }: Row): number | undefined =>
    values.causeway === undefined || values[name] === undefined ? undefined : values.causeway / values[name],
})

const atMost = (limit: number, text: string) => (row: string) => ({
  row,
  text,
  limit,
  measured: ({ values }: Row): number | undefined => values.causeway,
})

const goals: readonly Goal[] = [
  times('nginx', 6, '≤ 6 × nginx')('call-2k'),
  times('portkey', 1 / 15, '≤ 1/15 of Portkey')('call-2k'),
  times('nginx', 6, '≤ 6 × nginx')('call-500k'),
  times('portkey', 1 / 20, '≤ 1/20 of Portkey')('call-500k'),
  times('nginx', 6, '≤ 6 × nginx')('stream-300'),
  times('portkey', 1 / 12, '≤ 1/12 of Portkey')('stream-300'),
  times('nginx', 2.5, '≤ 2.5 × nginx')('paced-event'),
  times('portkey', 1 / 2.5, '≤ 1/2.5 of Portkey')('paced-event'),
  atMost(0.5, '≤ 0.5 ms')('first-byte-p50'),
  atMost(5, '≤ 5 ms')('first-byte-p99'),
  atMost(40, '≤ 40 KB')('idle-1000'),
  atMost(40, '≤ 40 KB')('idle-5000'),
  atMost(3, '≤ 3 s')('start'),
]

export interface Verdict {
  readonly row: string
  readonly goal: string
  readonly verdict: 'pass' | 'miss' | 'not measured'
}

export function judge(rows: readonly Row[]): readonly Verdict[] {
  return rows.flatMap((row) =>
    goals
      .filter((goal) => goal.row === row.id)
      .map((goal) => {
        const measured = goal.measured(row)
        const verdict = measured === undefined ? 'not measured' : measured <= goal.limit ? 'pass' : 'miss'
        return { row: row.id, goal: goal.text, verdict }
      }),
  )
}
