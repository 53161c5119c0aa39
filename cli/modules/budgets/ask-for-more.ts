/** `causeway me ask|asked|withdraw`: asking for more money than one's budget has. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { isId } from '../../client/find-record.ts'
import { readAll } from '../../client/pages.ts'
import type { Leaf } from '../../command/command.ts'
import { type Context, change, printList } from '../../command/context.ts'
import { amount } from '../../command/option-values.ts'
import { columnKit } from '../../output/columns.ts'
import { money } from '../../output/shown.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'
import { reasonOption } from './top-ups.ts'

const PATH = '/me/budget/requests'

export const ask: Leaf = {
  name: 'ask',
  summary: 'ask the administrators for more money',
  kind: 'write',
  routes: ['POST /me/budget/requests'],
  args: [{ name: '<usd>', text: 'dollars', parse: amount }],
  options: [reasonOption],
  about: 'It is for the budget that stands worst: your own, or that of your team when it is what stops you.',
  examples: ['me ask 20 --reason "release week"'],
  run: async (context, [usd], { reason }) => {
    await change(context, {
      method: 'POST',
      path: PATH,
      body: defined({ amount_usd: usd, reason }),
      done: (request) =>
        `Asked for ${money(request.amount_usd)}${request.scope === 'team' ? ' for your team' : ''}. See what becomes of it with "causeway me asked".`,
    })
  },
}

export const asked: Leaf = {
  name: 'asked',
  summary: 'what you asked for and what became of it',
  kind: 'list',
  routes: ['GET /me/budget/requests'],
  examples: ['me asked'],
  run: async (context) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: PATH,
      columns: [
        kit.usd('asked for', 'amount_usd'),
        kit.text('budget of', 'scope'),
        kit.status('status'),
        kit.usd('granted', 'granted_usd'),
        kit.text('note'),
        kit.text('reason'),
        kit.time('asked', 'created_at'),
        kit.time('decided', 'decided_at'),
        kit.id,
      ],
      empty: 'You have asked for nothing.',
    })
  },
}

export const withdraw: Leaf = {
  name: 'withdraw',
  summary: 'withdraw what you asked for',
  kind: 'destroy',
  routes: ['DELETE /me/budget/requests/{budget_request_id}'],
  args: [{ name: '[request]', text: 'id of the request; the open one without it' }],
  examples: ['me withdraw --yes'],
  run: async (context, [reference]) => {
    if (reference !== undefined && !isId(reference))
      throw usageError(`"${reference}" is not the id of a request`, 'causeway me asked -o wide')
    await change(context, {
      method: 'DELETE',
      path: `${PATH}/${reference ?? (await openRequest(context))}`,
      confirm: 'Withdraw your request?',
      done: () => 'Withdrawn.',
    })
  },
}

async function openRequest(context: Context): Promise<string> {
  const open = (await readAll(await context.client(), PATH)).find(({ status }) => status === 'open')
  if (open === undefined)
    throw new CliError('you have no open request', { exit: 'notFound', next: 'causeway me asked' })
  return open.id
}
