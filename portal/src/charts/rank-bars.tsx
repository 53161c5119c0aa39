/** A ranking: one bar for each name, longest first, with its number. Plain HTML, so it reads as the list that it is. */
import { changeExact, changeHead, changeShown, percentText } from '../ui/change.ts'
import { PageLink } from '../ui/page-link.tsx'
import { ChartFrame } from './chart-frame.tsx'

export interface RankRow {
  readonly name: string
  readonly value: number
  /** In place of the value, where the number alone would not be true. */
  readonly shown?: string | undefined
  /** The rows behind the number. */
  readonly to?: { readonly path: string; readonly search?: Readonly<Record<string, string>> }
  /** A second number, such as a share or a count. */
  readonly detail?: string
  /** The value of the time that is compared with. */
  readonly before?: number | null | undefined
}

export function RankBars({
  title,
  lead,
  rows,
  valueName,
  formatValue,
  limit = 10,
  isInOrder = false,
  isTable = false,
  actions,
}: {
  readonly title: string
  readonly lead?: string
  readonly rows: readonly RankRow[]
  readonly valueName: string
  readonly formatValue: (value: number) => string
  readonly limit?: number
  /** The rows stay as they come: the last of them may be all others together. */
  readonly isInOrder?: boolean
  readonly isTable?: boolean
  readonly actions?: React.ReactNode
}) {
  const ranked = isInOrder ? rows : [...rows].sort((a, b) => b.value - a.value)
  const shown = ranked.slice(0, limit)
  const max = Math.max(0, ...shown.map(({ value }) => value))
  const hasDetail = rows.some(({ detail }) => detail !== undefined)
  const isCompared = rows.some(({ before }) => before !== undefined)
  return (
    <ChartFrame
      title={title}
      lead={lead}
      actions={actions}
      isTable={isTable}
      table={{
        head: ['Name', valueName, ...(hasDetail ? ['Detail'] : []), ...(isCompared ? changeHead : [])],
        isEmpty: ranked.length === 0,
        rows: () =>
          ranked.map(({ name, value, shown, detail, before = 0 }) => [
            name,
            shown ?? formatValue(value),
            ...(hasDetail ? [detail ?? ''] : []),
            ...(isCompared ? changeShown(value, before, formatValue) : []),
          ]),
        exact: () =>
          ranked.map(({ name, value, shown, detail, before = 0 }) => [
            name,
            shown ?? value,
            ...(hasDetail ? [detail ?? ''] : []),
            ...(isCompared ? changeExact(value, before) : []),
          ]),
      }}
    >
      <ol className="flex flex-col gap-2">
        {shown.map((row) => (
          <li key={row.name}>
            <div className="mb-1 flex items-baseline justify-between gap-3 text-13">
              <RankName row={row} />
              <span className="tabular shrink-0">
                {row.shown ?? formatValue(row.value)}
                {/* Without the space a reader says "$6.28865 calls". */}
                {row.detail !== undefined && <span className="ml-1 text-12 text-text-3"> {row.detail}</span>}
                {isCompared && <span className="ml-1 text-12 text-text-2"> {sinceText(row)}</span>}
              </span>
            </div>
            <div className="h-1.5 rounded-full bg-sunken">
              <div
                className="h-full min-w-0.5 rounded-full bg-[var(--series-1)]"
                style={{ width: `${max === 0 ? 0 : (row.value / max) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ol>
      {ranked.length > limit && <p className="mt-2 text-12 text-text-3">{ranked.length - limit} more in the table.</p>}
    </ChartFrame>
  )
}

/** Short, beside the bar; the amounts are in the table. */
function sinceText({ value, before = 0 }: RankRow): string {
  if (before === null) return ''
  if (before === 0) return value === 0 ? '' : 'none before'
  return percentText(value, before)
}

function RankName({ row }: { readonly row: RankRow }) {
  if (row.to === undefined) return <span className="min-w-0 truncate">{row.name}</span>
  return (
    <PageLink to={row.to.path} search={row.to.search ?? {}} className="min-w-0 truncate">
      {row.name}
    </PageLink>
  )
}
