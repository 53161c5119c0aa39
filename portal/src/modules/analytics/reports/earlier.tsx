/** The earlier time beside the range: its line in a chart, its number beside a row, and what is said when it cannot be had. */
import type { EarlierLine } from '../../../charts/series.ts'
import { changeText } from '../../../ui/change.ts'
import { formatDay } from '../../../ui/format.ts'
import { Failure, type Refreshed } from '../../../ui/states.tsx'
import type { AnalyticsQuery, Filter } from './analytics-filter.ts'
import { placedBeside } from './compare.ts'

export function dayText(day: string): string {
  return formatDay(`${day}T00:00:00Z`, 'UTC')
}

/** `1 Oct 2026 to 17 Oct 2026 until 14:30` */
export function spanText({ from, to }: Pick<Filter, 'from' | 'to'>, until: string | undefined): string {
  const days = from === to ? dayText(from) : `${dayText(from)} to ${dayText(to)}`
  return until === undefined ? days : `${days} until ${until}`
}

/** What to ask for the earlier time; without a comparison nobody asks it. */
export function earlierRead({ earlier, query }: Filter) {
  return [
    { params: { query: (earlier?.query ?? query) as AnalyticsQuery } },
    { enabled: earlier !== undefined },
  ] as const
}

export function EarlierFailure({ filter, query }: { readonly filter: Filter; readonly query: Refreshed }) {
  if (filter.earlier === undefined || query.error === null || query.error === undefined) return null
  return (
    <Failure
      error={query.error}
      title="The time to compare with could not be loaded"
      retry={() => void query.refetch()}
    />
  )
}

interface Course<Point> {
  readonly buckets: readonly string[]
  readonly points: readonly (Point & { readonly bucket: string })[]
}

/** One value beside each bucket, of the earlier points that belong there. */
export function earlierLine<Point>(
  filter: Filter,
  { buckets, points }: Course<Point>,
  combine: (points: readonly Point[]) => number | null,
): EarlierLine | undefined {
  const { earlier } = filter
  if (earlier === undefined || points.length === 0 || buckets.length === 0) return undefined
  const then = points.map(({ bucket }) => bucket)
  const places = placedBeside(filter.query.tz, { from: filter.from, buckets }, { from: earlier.from, buckets: then })
  return {
    name: `Before: ${spanText(earlier, filter.query.until)}`,
    buckets: places.map(([first]) => (first === undefined ? undefined : then[first])),
    values: places.map((own) => (own.length === 0 ? null : combine(own.flatMap((place) => points[place] ?? [])))),
  }
}

/** The rows of both times under one name each: what is gone has a row with nothing in it. */
export function withBefore<Row extends object>(
  rows: readonly Row[],
  earlier: readonly Row[] | undefined,
  nameOf: (row: Row) => string,
  gone: (row: Row) => Row,
): readonly { readonly row: Row; readonly before: Row | undefined }[] {
  const then = new Map((earlier ?? []).map((row) => [nameOf(row), row]))
  const here = new Set(rows.map(nameOf))
  return [
    ...rows.map((row) => ({ row, before: then.get(nameOf(row)) })),
    ...(earlier ?? []).filter((row) => !here.has(nameOf(row))).map((row) => ({ row: gone(row), before: row })),
  ]
}

/** A column more for a compared table. */
export function changeColumn<Row>(
  isCompared: boolean,
  value: (row: Row) => number | null,
  before: (row: Row) => number | null | undefined,
  format: (value: number) => string,
  header = 'Change',
) {
  if (!isCompared) return []
  return [
    {
      id: 'change',
      header,
      align: 'right' as const,
      cell: (row: Row) => {
        const [now, then] = [value(row), before(row)]
        return (
          <span className="tabular whitespace-nowrap">
            {now === null || then == null ? '–' : changeText(now, then, format)}
          </span>
        )
      },
    },
  ]
}
