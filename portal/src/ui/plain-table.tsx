/** A short table that is there as a whole: no pages, no sorting by the gateway. */
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Column } from './table-column.ts'

type PlainColumn<Row> = Omit<Column<Row>, 'sort'>

export function PlainTable<Row>({
  caption,
  columns,
  rows,
  rowId,
  empty,
}: {
  /** Read out with the table; not shown. */
  readonly caption: string
  readonly columns: readonly PlainColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  readonly empty: ReactNode
}) {
  if (rows.length === 0) return <p className="px-4 pb-4 text-text-3">{empty}</p>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms, and a section would be one more landmark beside its card.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <div role="group" aria-label={caption} tabIndex={0} className="@container relative overflow-x-auto">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-12 text-text-3">
            {columns.map((column) => (
              <th key={column.id} scope="col" className={clsx('h-9 font-medium whitespace-nowrap', look(column))}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td key={column.id} className={clsx('h-9 py-1.5 align-middle first:font-medium', look(column))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function look({ align, isMinor }: Pick<PlainColumn<never>, 'align' | 'isMinor'>): string {
  return clsx('px-4', align === 'right' && 'text-right', isMinor === true && 'minor-cell')
}
