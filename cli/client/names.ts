/** Puts names beside ids in lists that people read. Programs get the ids and need no further call. */
import type { Context } from '../context.ts'
import type { Row } from '../output/render.ts'
import type { Column } from '../output/table.ts'
import { type Kind, kinds } from './find-record.ts'
import { readAll } from './pages.ts'

export async function nameColumn(
  context: Context,
  name: string,
  kind: 'team' | 'user',
  field: string,
): Promise<Column<Row>> {
  const { format } = context.output
  if (format !== 'table' && format !== 'wide') return { name: field, value: (row) => row[field] }
  const wanted: Kind = kinds[kind]
  const rows = await readAll(await context.client(), wanted.path)
  const names = new Map(rows.map((row) => [row.id, wanted.namesOf(row)[0] ?? row.id]))
  return {
    name,
    value: (row) => row[field],
    shown: (row) => (row[field] === null ? '-' : (names.get(row[field]) ?? row[field])),
  }
}
