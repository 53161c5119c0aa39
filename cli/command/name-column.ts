/** Puts names beside ids in lists that people read. Programs get the ids and need no further call. */

import { type Kind, kinds } from '../client/find-record.ts'
import type { Row } from '../output/render.ts'
import type { Column } from '../output/table.ts'
import type { Context } from './context.ts'

/** So many fit into an address, whatever proxy it passes. */
const IDS_AT_ONCE = 100

export function nameColumn(context: Context, name: string, kind: 'team' | 'user', field: string): Column<Row> {
  const { format } = context.output
  if (format !== 'table' && format !== 'wide') return { name: field, value: (row) => row[field] }
  const names = new Map<string, string>()
  return {
    name,
    value: (row) => row[field],
    // Only of those that are shown: an organization may have a hundred thousand people.
    prepare: async (rows) => {
      const ids = [...new Set<string | null>(rows.map((row) => row[field]))]
      const unknown = ids.filter((id) => id !== null && !names.has(id))
      for (let first = 0; first < unknown.length; first += IDS_AT_ONCE)
        await learnNames(context, kinds[kind], unknown.slice(first, first + IDS_AT_ONCE), names)
    },
    shown: (row) => (row[field] === null ? '-' : (names.get(row[field]) ?? row[field])),
  }
}

async function learnNames(
  context: Context,
  { path, namesOf }: Kind,
  ids: readonly unknown[],
  names: Map<string, string>,
): Promise<void> {
  const { data } = await (await context.client()).get(path, { ids: ids.join(','), limit: ids.length })
  for (const row of data) names.set(row.id, namesOf(row)[0] ?? row.id)
}
