/** What a table offers beside its rows: which columns, the rows as a file, and something for all that are chosen. */
import { Columns3, Download } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { toast } from 'sonner'
import { showError } from '../api/queries.ts'
import { Button } from './button.tsx'
import { formatNumber } from './format.ts'
import type { Column } from './table-column.ts'
import { type CsvColumn, type LoadPage, MAX_EXPORT_ROWS, readAllRows, saveFile, toCsv } from './table-export.ts'

const KEPT = 'causeway.columns.'

/** Columns that a person has taken away, kept in this browser under the name of the table. */
export function useHiddenColumns(table: string): readonly [ReadonlySet<string>, (id: string) => void] {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set((localStorage.getItem(KEPT + table) ?? '').split(',').filter((id) => id !== '')),
  )
  const toggle = (id: string): void => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    localStorage.setItem(KEPT + table, [...next].join(','))
    setHidden(next)
  }
  return [hidden, toggle]
}

/** The first column says what a row is and stays. */
export function ColumnChoice<Row>({
  columns,
  hidden,
  onToggle,
}: {
  readonly columns: readonly Column<Row>[]
  readonly hidden: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}) {
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLElement>(null)
  const close = (): void => {
    setIsOpen(false)
    opener.current?.focus()
  }
  return (
    <details
      className="relative"
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      onKeyDown={(event) => isOpen && event.key === 'Escape' && close()}
    >
      <summary
        ref={opener}
        className="flex min-h-8 cursor-default items-center gap-1.5 rounded-6 px-2 font-medium text-text-2 hover:bg-sunken hover:text-text-1"
      >
        <Columns3 className="size-4" aria-hidden />
        Columns
      </summary>
      {isOpen && (
        <fieldset className="appear absolute left-0 z-20 sm:right-0 sm:left-auto mt-1 min-w-44 rounded-8 border border-line bg-surface p-2 shadow-float">
          <legend className="sr-only">Columns of the table</legend>
          {columns.slice(1).map(({ id, header }) => (
            <label key={id} className="flex min-h-7 items-center gap-2 rounded-6 px-1.5 hover:bg-sunken">
              <input
                type="checkbox"
                checked={!hidden.has(id)}
                onChange={() => onToggle(id)}
                className="size-4 accent-accent"
              />
              {header}
            </label>
          ))}
        </fieldset>
      )}
    </details>
  )
}

export interface TableExport<Row> {
  /** Of the file, without its ending. */
  readonly name: string
  readonly columns: readonly CsvColumn<Row>[]
  readonly load: LoadPage<Row>
}

export function ExportButton<Row>({ name, columns, load }: TableExport<Row>) {
  const [isBusy, setIsBusy] = useState(false)
  const run = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const { rows, isWhole } = await readAllRows(load)
      saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, toCsv(columns, rows))
      const count = `${formatNumber(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`
      if (isWhole) toast.success(`${count} exported.`)
      else toast.warning(`The first ${formatNumber(MAX_EXPORT_ROWS)} rows are exported; narrow the list for the rest.`)
    } catch (error) {
      showError(error)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button tone="quiet" icon={Download} isBusy={isBusy} onClick={() => void run()}>
      Export
    </Button>
  )
}

/** Above the rows while some are chosen. */
export function ChosenBar({
  count,
  onClear,
  children,
}: {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-4 py-2 text-text-1"
    >
      <span className="mr-2 font-medium">{count} chosen</span>
      {children}
      <Button tone="quiet" onClick={onClear}>
        Choose none
      </Button>
    </div>
  )
}
