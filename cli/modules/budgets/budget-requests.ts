/** `causeway budgets requests|approve|decline`: what people asked for, and the decision. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { isId } from '../../client/find-record.ts'
import { readAll } from '../../client/pages.ts'
import type { Arg, Leaf, Opt } from '../../command/command.ts'
import { type Context, change, printList } from '../../command/context.ts'
import { amount } from '../../command/option-values.ts'
import { columnKit } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { money } from '../../output/shown.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'

const PATH = '/admin/budget-requests'
export const requestStatuses = ['open', 'approved', 'declined', 'withdrawn']
const requestArg: Arg = { name: '<request>', text: 'id of the request, or whoever has asked', values: 'users' }
const noteOption: Opt = { flags: '--note <text>', text: 'a word for whoever has asked' }

export const requests: Leaf = {
  name: 'requests',
  summary: 'list what people asked for, with where their budgets stand',
  kind: 'list',
  routes: ['GET /admin/budget-requests'],
  options: [{ flags: '--status <status>', text: 'only these', choices: requestStatuses }],
  examples: ['budgets requests --status open'],
  run: async (context, _args, { status }) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: PATH,
      query: { status },
      columns: [
        kit.text('person', 'user_name'),
        kit.text('team', 'team_name'),
        kit.text('budget of', 'scope'),
        kit.usd('asks for', 'amount_usd'),
        kit.status('status'),
        kit.text('reason'),
        kit.usd('spend', 'budget.spend_usd'),
        kit.usd('limit', 'budget.limit_usd'),
        kit.usd('on top', 'budget.top_up_usd'),
        kit.percent('used', 'budget.percent'),
        kit.time('asked', 'created_at'),
        kit.text('decided by', 'decided_by'),
        kit.usd('granted', 'granted_usd'),
        kit.text('note'),
        kit.id,
      ],
      empty: 'Nobody has asked for more.',
    })
  },
}

export const approve: Leaf = {
  name: 'approve',
  summary: 'give what somebody asked for, until the period ends or for good',
  kind: 'write',
  routes: ['POST /admin/budget-requests/{budget_request_id}/approve'],
  args: [requestArg],
  options: [
    { flags: '--amount <usd>', text: 'another amount than was asked for', parse: amount },
    { flags: '--raise', text: 'for good: the limit and the amount become their own budget' },
    noteOption,
  ],
  examples: ['budgets approve ada@example.com', 'budgets approve ada@example.com --amount 10 --raise'],
  run: async (context, [reference], { amount: usd, raise, note }) => {
    await change(context, {
      method: 'POST',
      path: `${PATH}/${await requestId(context, reference)}/approve`,
      body: {
        as: raise === true ? 'raise' : 'top_up',
        ...defined({ amount_usd: usd, note }),
      },
      done: (request) =>
        `Approved: ${money(request.granted_usd)} more for ${whoseBudget(request)}, ${request.granted_as === 'raise' ? 'for good' : 'until the budget starts again'}.`,
    })
  },
}

export const decline: Leaf = {
  name: 'decline',
  summary: 'decline what somebody asked for',
  kind: 'write',
  routes: ['POST /admin/budget-requests/{budget_request_id}/decline'],
  args: [requestArg],
  options: [noteOption],
  examples: ['budgets decline ada@example.com --note "next month"'],
  run: async (context, [reference], { note }) => {
    await change(context, {
      method: 'POST',
      path: `${PATH}/${await requestId(context, reference)}/decline`,
      body: note === undefined ? {} : { note },
      done: (request) => `Declined what ${request.user_name} asked for.`,
    })
  },
}

function whoseBudget(request: Row): string {
  return request.scope === 'team' ? `the team ${request.team_name}` : request.user_name
}

/** Everybody has at most one open request, so that a name is enough. */
async function requestId(context: Context, reference: string): Promise<string> {
  if (isId(reference)) return reference
  const open = await readAll(await context.client(), PATH, { status: 'open' })
  const wanted = reference.normalize('NFC').toLowerCase()
  const exact = open.filter((row) => row.user_name.toLowerCase() === wanted)
  const found = exact.length > 0 ? exact : open.filter((row) => row.user_name.toLowerCase().startsWith(wanted))
  if (found.length === 1) return found[0].id
  if (found.length > 1)
    throw usageError(
      `"${reference}" could be any of ${found.length} people who asked: ${found.map((row) => row.user_name).join(', ')}`,
      'write the whole name, or the id',
    )
  throw new CliError(`there is no open request of "${reference}"`, {
    exit: 'notFound',
    next: 'causeway budgets requests --status open',
  })
}
