/** `causeway sessions`: what client sessions cost, with their agents. */
import type { Leaf, Noun } from '../../command/command.ts'
import { printList } from '../../command/context.ts'
import { ago } from '../../command/moments.ts'
import { columnKit, wide } from '../../output/columns.ts'
import { nameIn } from './request-fields.ts'

const list: Leaf = {
  name: 'list',
  summary: 'list client sessions with their cost',
  kind: 'list',
  routes: ['GET /admin/sessions'],
  options: [
    { flags: '--user <user>', text: 'of one person', values: 'users' },
    { flags: '--team <team>', text: 'of one team', values: 'teams' },
    { flags: '--since <when>', text: 'such as 24h or 2027-01-31', parse: ago },
    { flags: '--until <when>', text: 'the same', parse: ago },
  ],
  examples: ['sessions list --since 24h', 'sessions list --user ada@example.com --json'],
  run: async (context, _args, { user, team, since, until }) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: '/admin/sessions',
      query: { user, team, from: since, to: until },
      columns: [
        { name: 'session', value: (row) => row.session_id },
        { name: 'user', value: (row) => nameIn(row.user) },
        kit.number('requests', 'requests'),
        kit.usd('cost', 'cost_usd'),
        { name: 'agents', value: (row) => row.agents?.length, right: true },
        kit.time('started', 'started_at'),
        kit.time('last', 'last_at'),
        wide({ name: 'team', value: (row) => nameIn(row.team) }),
      ],
      empty: 'There were no sessions.',
    })
  },
}

export const sessions: Noun = { name: 'sessions', summary: 'client sessions and their cost', leaves: [list] }
