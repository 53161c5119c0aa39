/** `causeway audit`: who changed what, and who signed in. */
import { readPages } from '../../client/pages.ts'
import type { Leaf, Noun, Opt } from '../../command/command.ts'
import { type Context, printList, type Values } from '../../command/context.ts'
import { ago } from '../../command/moments.ts'
import { columnKit, wide } from '../../output/columns.ts'
import { printPages, type Row } from '../../output/render.ts'
import type { Column } from '../../output/table.ts'

const filters: readonly Opt[] = [
  { flags: '--actor <name>', text: 'who did it' },
  { flags: '--action <action>', text: 'such as key.create' },
  { flags: '--target <target>', text: 'what it was done to' },
  { flags: '--since <when>', text: 'such as 24h or 2027-01-31', parse: ago },
  { flags: '--until <when>', text: 'the same', parse: ago },
]

function toQuery(values: Values) {
  return {
    actor: values['actor'],
    action: values['action'],
    target: values['target'],
    from: values['since'],
    to: values['until'],
  }
}

function buildColumns(context: Context): readonly Column<Row>[] {
  const kit = columnKit(context.output)
  return [
    kit.time('at', 'at'),
    kit.text('actor'),
    kit.text('action'),
    kit.text('target'),
    kit.text('from', 'source_address'),
    wide(kit.text('request', 'request_id')),
    wide(kit.json('before', 'before')),
    wide(kit.json('after', 'after')),
  ]
}

const list: Leaf = {
  name: 'list',
  summary: 'read the audit trail, newest first',
  kind: 'list',
  routes: ['GET /admin/audit'],
  options: filters,
  examples: ['audit list --since 24h', 'audit list --actor ada@example.com --json'],
  run: (context, _args, values) =>
    printList(context, {
      path: '/admin/audit',
      query: toQuery(values),
      columns: buildColumns(context),
      empty: 'Nothing was recorded.',
    }),
}

const exportAll: Leaf = {
  name: 'export',
  summary: 'write the whole trail as CSV (or -o jsonl)',
  kind: 'read',
  options: filters,
  examples: ['audit export --since 30d > audit.csv'],
  run: async (context, _args, values) => {
    const format = values['output'] === undefined && values['json'] !== true ? ('csv' as const) : context.output.format
    const pages = readPages(await context.client(), '/admin/audit', toQuery(values), true)
    await printPages({ ...context.output, format }, pages, buildColumns(context), 'Nothing was recorded.')
  },
}

export const audit: Noun = { name: 'audit', summary: 'who changed what', leaves: [list, exportAll] }
