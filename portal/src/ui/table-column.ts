/** A column of a table. */
import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** The name by which the gateway sorts; absent when it cannot. */
  readonly sort?: string
  readonly align?: 'left' | 'right'
  /** Left out where the table has little room. */
  readonly isMinor?: boolean
}
