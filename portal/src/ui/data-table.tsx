/** A table over a list of the gateway: sorting, search and pages happen there, and all of them are in the address. */
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table'
import { clsx } from 'clsx'
import { type ReactNode, useMemo, useState } from 'react'
import { Button } from './button.tsx'
import { Empty, Failure, Loading } from './states.tsx'
import { BodyRow, ChooseCell, cellLook, HeadCell } from './table-cells.tsx'
import type { Column } from './table-column.ts'
import { type ListPage, Pager } from './table-pager.tsx'
import { SearchBox } from './table-search.tsx'
import { ChosenBar, ColumnChoice, ExportButton, type TableExport, useHiddenColumns } from './table-tools.tsx'
import { useUrlState } from './url-state.ts'

interface TableQuery<Row> {
  readonly data: ListPage<Row> | undefined
  readonly error: unknown
  readonly isFetching: boolean
  /** The rows are of what was asked before: of another search, filter or page. */
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}

interface DataTableProps<Row> {
  /** Read out with the table; not shown. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly query: TableQuery<Row>
  readonly rowId: (row: Row) => string
  /** Absent when the list cannot be searched. */
  readonly searchLabel?: string
  /** Filters beside the search. */
  readonly filters?: ReactNode
  readonly empty: { readonly title: string; readonly text?: ReactNode; readonly action?: ReactNode }
  readonly onOpen?: (row: Row) => void
  /** What can be done with the rows that are chosen; without it there is nothing to choose. */
  readonly bulk?: (chosen: readonly Row[], clear: () => void) => ReactNode
  /** What a row is called when it is chosen. */
  readonly nameOf?: (row: Row) => string
  readonly exports?: TableExport<Row>
  /** When a page has two tables: comes before the names of their parameters. */
  readonly prefix?: string
}

/** What the address says about a table, in the form that the gateway's lists take. */
export function useListParams(prefix = '', limit = 50) {
  const [state] = useUrlState()
  const q = state[`${prefix}q`]
  const sort = state[`${prefix}sort`]
  const cursor = state[`${prefix}cursor`]
  return useMemo(
    () => ({
      limit,
      ...(q === undefined ? {} : { q }),
      ...(sort === undefined ? {} : { sort }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
    [limit, q, sort, cursor],
  )
}

const features = tableFeatures({})
const nothing: readonly never[] = []
/** Fewer than these need no choice. */
const FEW_COLUMNS = 4

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { prefix = '', query, bulk, rowId } = props
  const [state, setState] = useUrlState()
  const data = query.data?.data ?? (nothing as readonly Row[])
  const [hidden, toggleColumn] = useHiddenColumns(props.caption)
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set())
  const chosen = bulk === undefined ? nothing : data.filter((row) => chosenIds.has(rowId(row)))
  const columns = useMemo(
    () => props.columns.filter(({ id }, index) => index === 0 || !hidden.has(id)),
    [props.columns, hidden],
  )
  const helper = useMemo(() => createColumnHelper<typeof features, Row>(), [])
  const definitions = useMemo(
    () => columns.map((column) => helper.display({ id: column.id, header: column.header })),
    [columns, helper],
  )
  const table = useTable({ features, columns: definitions, data, getRowId: rowId })
  const byId = new Map(columns.map((column) => [column.id, column]))
  const isSearching = (state[`${prefix}q`] ?? '') !== ''
  const rows = table.getRowModel().rows
  const isOld = query.isPlaceholderData
  const isFailed = query.error !== null && query.error !== undefined
  // That nothing was found before says nothing about what is asked now.
  const isWaiting = isOld ? rows.length === 0 : query.data === undefined && !isFailed
  return (
    <div>
      {(props.searchLabel !== undefined || props.filters !== undefined) && (
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3">
          {props.searchLabel !== undefined && <SearchBox label={props.searchLabel} prefix={prefix} />}
          {props.filters}
          <div className="flex flex-wrap items-center gap-1 sm:ml-auto">
            {props.columns.length > FEW_COLUMNS && (
              <ColumnChoice columns={props.columns} hidden={hidden} onToggle={toggleColumn} />
            )}
            {props.exports !== undefined && rows.length > 0 && <ExportButton {...props.exports} />}
          </div>
        </div>
      )}
      {bulk !== undefined && chosen.length > 0 && (
        <ChosenBar count={chosen.length} onClear={() => setChosenIds(new Set())}>
          {bulk(chosen, () => setChosenIds(new Set()))}
        </ChosenBar>
      )}
      {isFailed && (
        <div className="p-4">
          <Failure error={query.error} retry={() => void query.refetch()} />
        </div>
      )}
      {isWaiting && (
        <div className="p-4">
          <Loading rows={6} />
        </div>
      )}
      {query.data !== undefined && !isWaiting && rows.length === 0 && (
        <Empty
          title={isSearching ? 'Nothing matches' : props.empty.title}
          action={
            isSearching ? (
              <Button onClick={() => setState({ [`${prefix}q`]: undefined, [`${prefix}cursor`]: undefined })}>
                Clear the search
              </Button>
            ) : (
              props.empty.action
            )
          }
        >
          {isSearching ? 'Try fewer or other words.' : props.empty.text}
        </Empty>
      )}
      {rows.length > 0 && (
        <section
          aria-label={props.caption}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          tabIndex={0}
          className={clsx('@container relative overflow-x-auto', isOld && 'of-before')}
          aria-busy={query.isFetching}
        >
          <table className="w-full border-collapse text-left">
            <caption className="sr-only">{props.caption}</caption>
            <thead>
              <tr className="border-b border-line text-12 text-text-3">
                {bulk !== undefined && (
                  <ChooseCell
                    isHead
                    label="Choose all rows of this page"
                    isChosen={chosen.length === data.length}
                    onChange={(isAll) => setChosenIds(new Set(isAll ? data.map(rowId) : []))}
                  />
                )}
                {table.getHeaderGroups()[0]?.headers.map((header) => {
                  const column = byId.get(header.column.id)
                  return column === undefined ? null : <HeadCell key={header.id} column={column} prefix={prefix} />
                })}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <BodyRow
                  key={row.id}
                  onOpen={props.onOpen === undefined ? undefined : () => props.onOpen?.(row.original)}
                >
                  {bulk !== undefined && (
                    <ChooseCell
                      label={`Choose ${props.nameOf?.(row.original) ?? 'this row'}`}
                      isChosen={chosenIds.has(row.id)}
                      onChange={(isChosen) => {
                        const next = new Set(chosenIds)
                        if (isChosen) next.add(row.id)
                        else next.delete(row.id)
                        setChosenIds(next)
                      }}
                    />
                  )}
                  {row.getAllCells().map((cell) => {
                    const column = byId.get(cell.column.id)
                    return (
                      <td key={cell.id} className={cellLook(column)}>
                        {/* Called and not made an element: pages give new functions with every render, and what a cell holds (an open menu, the keyboard) must outlive them. */}
                        {column?.cell(row.original)}
                      </td>
                    )
                  })}
                </BodyRow>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Pager page={query.data} isOld={isOld} prefix={prefix} />
    </div>
  )
}
