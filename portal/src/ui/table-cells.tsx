/** The cells and rows of a table. */
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Column } from './table-column.ts'
import { useUrlState } from './url-state.ts'

export function ChooseCell({
  label,
  isChosen,
  isHead = false,
  onChange,
}: {
  readonly label: string
  readonly isChosen: boolean
  readonly isHead?: boolean
  readonly onChange: (isChosen: boolean) => void
}) {
  const Cell = isHead ? 'th' : 'td'
  return (
    <Cell className="w-10 pl-4 align-middle">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChosen}
        onChange={(event) => onChange(event.target.checked)}
        className="block size-4 accent-accent"
      />
    </Cell>
  )
}

export function cellLook(
  column: { readonly align?: 'left' | 'right'; readonly isMinor?: boolean } | undefined,
): string {
  return clsx(
    'h-9 px-3 py-1.5 align-middle whitespace-nowrap first:pl-4 first:font-medium last:pr-4',
    column?.align === 'right' && 'text-right',
    column?.isMinor === true && 'minor-cell',
  )
}

/** The pointer may open a row anywhere; the keyboard uses the link or button in its first cell. */
export function BodyRow({
  children,
  onOpen,
}: {
  readonly children: ReactNode
  readonly onOpen: (() => void) | undefined
}) {
  return (
    <tr
      className={clsx('border-b border-line last:border-0', onOpen !== undefined && 'cursor-pointer hover:bg-sunken')}
      onClick={
        onOpen === undefined
          ? undefined
          : (event) => {
              if ((event.target as Element).closest('a, button, input, select, label') === null) onOpen()
            }
      }
    >
      {children}
    </tr>
  )
}

export function HeadCell<Row>({ column, prefix }: { readonly column: Column<Row>; readonly prefix: string }) {
  const [state, setState] = useUrlState()
  const current = state[`${prefix}sort`]
  const { sort, header } = column
  const order =
    sort === undefined ? undefined : current === sort ? 'ascending' : current === `-${sort}` ? 'descending' : 'none'
  const look = clsx(
    'h-9 px-3 font-medium whitespace-nowrap first:pl-4 last:pr-4',
    column.align === 'right' && 'text-right',
    column.isMinor === true && 'minor-cell',
  )
  if (sort === undefined || order === undefined)
    return (
      <th scope="col" className={look}>
        {header}
      </th>
    )
  const Icon = order === 'ascending' ? ArrowUp : order === 'descending' ? ArrowDown : ChevronsUpDown
  const next = order === 'ascending' ? `-${sort}` : sort
  return (
    <th scope="col" aria-sort={order} className={look}>
      <button
        type="button"
        onClick={() => setState({ [`${prefix}sort`]: next, [`${prefix}cursor`]: undefined })}
        className="-mx-1 inline-flex min-h-6 items-center gap-1 rounded-6 px-1 hover:text-text-1"
      >
        {header}
        <Icon className={clsx('size-3', order === 'none' && 'opacity-50')} aria-hidden />
      </button>
    </th>
  )
}
