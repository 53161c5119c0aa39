/** `causeway analytics adoption`: how far people have come. */
import type { Leaf } from '../../command/command.ts'
import { printInner } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { share } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'
import { teamOption } from './usage-options.ts'

export const adoption: Leaf = {
  name: 'adoption',
  summary: 'how many people were invited, have connected, and are active',
  kind: 'read',
  routes: ['GET /admin/analytics/adoption'],
  options: [teamOption],
  about: 'Where people stand now; `users list --adoption` names them.',
  examples: ['analytics adoption', 'analytics adoption --team platform'],
  run: async (context, _args, { team }) => {
    const document = await (await context.client()).get('/admin/analytics/adoption', { team })
    const { text, number } = columnKit(context.output)
    const part = (name: string, field: string): Column<Row> => ({
      name,
      value: (row) => row[field],
      shown: (row) => share(row[field]),
      right: true,
    })
    await printInner(context, {
      document,
      rows: document.stages,
      columns: [
        text('stage'),
        number('people', 'people'),
        part('of invited', 'share'),
        part('of the stage before', 'share_of_previous'),
      ],
      empty: 'Nobody was invited.',
    })
  },
}
