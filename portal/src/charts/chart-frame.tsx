/** Around every chart: its title, its legend, and the same numbers as a table for whoever cannot or does not want to see it. */
import { ChartNoAxesColumn, Download, Table } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/layout.tsx'
import { Empty } from '../ui/states.tsx'
import { saveFile, toCsv } from '../ui/table-export.ts'

export interface ChartTable {
  readonly head: readonly string[]
  readonly isEmpty: boolean
  /** Made when somebody looks at it: of a thousand people, that costs more than the chart. */
  readonly rows: () => readonly (readonly string[])[]
  /** The same cells for a file: numbers with all their digits, times as they are. Without them the file has what is shown. */
  readonly exact?: () => readonly (readonly (string | number | null)[])[]
}

export interface LegendEntry {
  readonly name: string
  readonly color: string
}

export function ChartFrame({
  title,
  lead,
  table,
  legend,
  actions,
  isShownEmpty = false,
  isTable: isTableFirst = false,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly table: ChartTable
  readonly legend?: readonly LegendEntry[]
  readonly actions?: ReactNode
  /** For a chart that says something without a single value. */
  readonly isShownEmpty?: boolean
  /** Shown as a table until somebody chooses the chart. */
  readonly isTable?: boolean
  readonly children: ReactNode
}) {
  const [isTable, setIsTable] = useState(isTableFirst)
  const { isEmpty } = table
  return (
    <Card
      title={title}
      lead={lead}
      actions={
        <>
          {actions}
          {!isEmpty && isTable && (
            <Button
              tone="quiet"
              icon={Download}
              aria-label={`Save as CSV: ${title}`}
              onClick={() => save(title, table)}
            >
              CSV
            </Button>
          )}
          {!isEmpty && (
            <Button
              tone="quiet"
              icon={isTable ? ChartNoAxesColumn : Table}
              aria-label={`${isTable ? 'View as chart' : 'View as table'}: ${title}`}
              onClick={() => setIsTable(!isTable)}
            >
              {isTable ? 'Chart' : 'Table'}
            </Button>
          )}
        </>
      }
    >
      {isEmpty && !isShownEmpty ? (
        <Empty title="Nothing in this range">Choose a longer range or fewer filters.</Empty>
      ) : isTable && !isEmpty ? (
        <TableTwin caption={title} table={table} />
      ) : (
        <>
          {children}
          {legend !== undefined && legend.length > 1 && <Legend entries={legend} />}
        </>
      )}
    </Card>
  )
}

/** The table that is shown, row by row. */
function save(title: string, { head, rows, exact = rows }: ChartTable): void {
  const columns = head.map((header, index) => ({
    header,
    value: (row: readonly (string | number | null)[]) => row[index] ?? null,
  }))
  saveFile(`causeway-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`, toCsv(columns, exact()))
}

function Legend({ entries }: { readonly entries: readonly LegendEntry[] }) {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-12 text-text-2">
      {entries.map(({ name, color }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-[3px]" style={{ background: color }} aria-hidden />
          {name}
        </li>
      ))}
    </ul>
  )
}

export function TableTwin({ caption, table }: { readonly caption: string; readonly table: ChartTable }) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section aria-labelledby={id} tabIndex={0} className="relative max-h-80 overflow-auto">
      <table className="w-full border-collapse text-left text-13">
        <caption id={id} className="sr-only">
          {caption}
        </caption>
        <thead>
          <tr>
            {table.head.map((name, index) => (
              <th
                key={name}
                scope="col"
                className={`sticky top-0 bg-surface py-1 pr-4 font-medium text-text-3 ${index === 0 ? '' : 'text-right'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows().map((row) => (
            <tr key={row.join('\u0000')} className="border-t border-line">
              {row.map((cell, index) =>
                index === 0 ? (
                  <th key={table.head[index]} scope="row" className="py-1 pr-4 font-normal whitespace-nowrap">
                    {cell}
                  </th>
                ) : (
                  <td key={table.head[index]} className="py-1 pr-4 text-right whitespace-nowrap">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
