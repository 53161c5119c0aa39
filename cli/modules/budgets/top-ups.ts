/** `causeway budgets top-up|top-ups|take-back`: money on top of a limit until its period ends. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, isId, kinds } from '../../client/find-record.ts'
import type { Leaf, Opt } from '../../command/command.ts'
import { type Context, change, printList } from '../../command/context.ts'
import { amount } from '../../command/option-values.ts'
import { columnKit } from '../../output/columns.ts'
import { money, relativeTime } from '../../output/shown.ts'
import { usageError } from '../../terminal/cli-error.ts'

export const reasonOption: Opt = { flags: '--reason <text>', text: 'why, for whoever reads it later' }

async function topUpsPath(context: Context, scope: string, reference: string): Promise<string> {
  const kind = scope === 'team' ? kinds.team : kinds.user
  return `${kind.path}/${await findId(await context.client(), kind, reference)}/budget/top-ups`
}

export const topUp: Leaf = {
  name: 'top-up',
  summary: 'add to the limit of a person or a team until its period ends',
  kind: 'write',
  routes: ['POST /admin/teams/{team_id}/budget/top-ups', 'POST /admin/users/{user_id}/budget/top-ups'],
  args: [
    { name: '<scope>', text: 'user or team', choices: ['user', 'team'] },
    { name: '<name>', text: 'name or id of the person or the team' },
    { name: '<usd>', text: 'dollars', parse: amount },
  ],
  options: [reasonOption],
  about: 'Nobody has to take it back: it ends when the budget starts again.',
  examples: ['budgets top-up user ada@example.com 20 --reason "release week"', 'budgets top-up team platform 100'],
  run: async (context, [scope, name, usd], { reason }) => {
    await change(context, {
      method: 'POST',
      path: await topUpsPath(context, scope, name),
      body: defined({ amount_usd: usd, reason }),
      done: (given) =>
        `Added ${money(given.amount_usd)} for ${name}; it ends ${relativeTime(given.ends_at, context.io.nowMs())}.`,
    })
  },
}

export const topUps: Leaf = {
  name: 'top-ups',
  summary: 'list what was added to the limit of a person or a team',
  kind: 'list',
  routes: ['GET /admin/teams/{team_id}/budget/top-ups', 'GET /admin/users/{user_id}/budget/top-ups'],
  args: [
    { name: '<scope>', text: 'user or team', choices: ['user', 'team'] },
    { name: '<name>', text: 'name or id of the person or the team' },
  ],
  examples: ['budgets top-ups user ada@example.com'],
  run: async (context, [scope, name]) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: await topUpsPath(context, scope, name),
      columns: [
        kit.usd('amount', 'amount_usd'),
        kit.flag('counts', 'active'),
        kit.time('ends', 'ends_at'),
        kit.text('reason'),
        kit.text('given by', 'created_by'),
        kit.time('given', 'created_at'),
        kit.id,
      ],
      empty: 'Nothing was added.',
    })
  },
}

export const takeBack: Leaf = {
  name: 'take-back',
  summary: 'take a top-up back; what is spent stays spent',
  kind: 'destroy',
  routes: ['DELETE /admin/budgets/top-ups/{top_up_id}'],
  args: [{ name: '<top-up>', text: 'id of the top-up, from "budgets top-ups … -o wide"' }],
  examples: ['budgets take-back 0190a000-0000-7000-8000-0000000000aa --yes'],
  run: async (context, [id]) => {
    if (!isId(id)) throw usageError(`"${id}" is not the id of a top-up`, 'causeway budgets top-ups user <name> -o wide')
    await change(context, {
      method: 'DELETE',
      path: `/admin/budgets/top-ups/${id}`,
      confirm: 'Take it back? Calls stop where more is spent than the limit without it.',
      done: () => 'Taken back.',
    })
  },
}
