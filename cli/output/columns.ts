/** Columns that many lists have. */
import { paintStatus } from './paint.ts'
import type { Output, Row } from './render.ts'
import { count, milliseconds, money, percent, relativeTime } from './shown.ts'
import type { Column } from './table.ts'

export interface ColumnKit {
  readonly text: (name: string, field?: string) => Column<Row>
  readonly status: (name: string, field?: string) => Column<Row>
  readonly time: (name: string, field: string) => Column<Row>
  readonly usd: (name: string, field: string) => Column<Row>
  readonly number: (name: string, field: string) => Column<Row>
  readonly percent: (name: string, field: string) => Column<Row>
  readonly ms: (name: string, field: string) => Column<Row>
  readonly flag: (name: string, field: string) => Column<Row>
  readonly list: (name: string, field: string) => Column<Row>
  readonly json: (name: string, field: string) => Column<Row>
  readonly id: Column<Row>
}

export function columnKit({ io, paint }: Output): ColumnKit {
  return {
    text: (name, field = name) => ({ name, value: (row) => at(row, field) }),
    status: (name, field = name) => ({
      name,
      value: (row) => at(row, field),
      paint: (text) => text.replace(text.trim(), (word) => paintStatus(paint, word)),
    }),
    time: (name, field) => ({
      name,
      value: (row) => at(row, field),
      shown: (row) => relativeTime(at(row, field), io.nowMs()),
    }),
    usd: (name, field) => ({
      name,
      value: (row) => at(row, field),
      shown: (row) => money(at(row, field)),
      right: true,
    }),
    number: (name, field) => ({
      name,
      value: (row) => at(row, field),
      shown: (row) => count(at(row, field)),
      right: true,
    }),
    percent: (name, field) => ({
      name,
      value: (row) => at(row, field),
      shown: (row) => percent(at(row, field)),
      right: true,
    }),
    ms: (name, field) => ({
      name,
      value: (row) => at(row, field),
      shown: (row) => milliseconds(at(row, field)),
      right: true,
    }),
    flag: (name, field) => ({
      name,
      value: (row) => at(row, field),
      shown: (row) => (at(row, field) === true ? 'yes' : 'no'),
    }),
    list: (name, field) => ({ name, value: (row) => at(row, field)?.join(', ') }),
    json: (name, field) => ({
      name,
      value: (row) => (at(row, field) === undefined ? undefined : JSON.stringify(at(row, field))),
    }),
    id: { name: 'id', value: (row) => row.id, wide: true },
  }
}

/** `a.b` looks into an object. */
function at(row: Row, field: string): Row {
  return field.split('.').reduce((value: Row, name) => value?.[name], row)
}

/** A gateway before 1.10 sends no warnings. */
export function warningTexts(row: Row): string | undefined {
  return row.warnings?.map(({ message }: Row) => message).join(' ')
}

export function wide(column: Column<Row>): Column<Row> {
  return { ...column, wide: true }
}
