/** `causeway budgets`: what people and teams may spend. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, kinds } from '../../client/find-record.ts'
import type { Client } from '../../client/http-client.ts'
import type { Leaf, Noun } from '../../command/command.ts'
import { type Context, change, printList, printRecord, type Values } from '../../command/context.ts'
import { amount, orNone } from '../../command/option-values.ts'
import { columnKit } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { money, percent } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'
import { readPolicy, subjectOptions } from './budget-options.ts'
import { approve, decline, requests } from './budget-requests.ts'
import { takeBack, topUp, topUps } from './top-ups.ts'

async function subjectPath(context: Context, values: Values): Promise<string> {
  const { user, team } = values
  if ((user === undefined) === (team === undefined)) throw usageError('whose budget? name one with --user or --team')
  const kind = user === undefined ? kinds.team : kinds.user
  return `${kind.path}/${await findId(await context.client(), kind, user ?? team)}/budget`
}

function buildColumns(context: Context): readonly Column<Row>[] {
  const kit = columnKit(context.output)
  return [
    kit.text('scope'),
    kit.text('name'),
    kit.status('status'),
    kit.usd('spend', 'spend_usd'),
    kit.usd('limit', 'limit_usd'),
    kit.usd('on top', 'top_up_usd'),
    kit.percent('used', 'percent'),
    kit.text('period'),
    kit.time('resets', 'resets_at'),
    { name: 'policy', value: describePolicy },
    kit.usd('member limit', 'member_limit_usd'),
    { ...kit.text('subject_id'), wide: true },
  ]
}

function describePolicy({ policy }: Row): string {
  return typeof policy === 'string' ? policy : 'own rules'
}

const list: Leaf = {
  name: 'list',
  summary: 'list every budget with its spend',
  kind: 'list',
  routes: ['GET /admin/budgets'],
  options: [{ flags: '--scope <scope>', text: 'only these', choices: ['user', 'team'] }],
  examples: ['budgets list --scope team', 'budgets list --all -o csv'],
  run: async (context, _args, { scope }) => {
    await printList(context, {
      path: '/admin/budgets',
      query: { scope },
      columns: buildColumns(context),
      empty: 'There are no budgets.',
    })
  },
}

const show: Leaf = {
  name: 'show',
  summary: 'show the budget of a person or a team',
  kind: 'read',
  routes: ['GET /admin/teams/{team_id}/budget', 'GET /admin/users/{user_id}/budget'],
  options: subjectOptions,
  examples: ['budgets show --team platform'],
  run: async (context, _args, values) => {
    const path = await subjectPath(context, values)
    const columns = buildColumns(context).filter(({ name }) => name !== 'name')
    await printRecord(context, await (await context.client()).get(path), columns)
  },
}

const set: Leaf = {
  name: 'set',
  summary: 'set the budget of a person or a team',
  kind: 'write',
  routes: ['PUT /admin/teams/{team_id}/budget', 'PUT /admin/users/{user_id}/budget'],
  options: [
    ...subjectOptions,
    { flags: '--limit <usd>', text: 'dollars a period; a new budget needs it', parse: amount },
    { flags: '--period <period>', text: 'monthly for a new budget', choices: ['daily', 'weekly', 'monthly'] },
    {
      flags: '--policy <policy>',
      text: 'what happens near and over the limit; standard for a new budget',
      choices: ['standard', 'soft', 'shaped'],
    },
    {
      flags: '--rules-file <path>',
      text: 'own rules as JSON: [{"at_percent":80,"action":"notify"},…]; - is standard input',
    },
    {
      flags: '--member-limit <usd>',
      text: 'limit of each member without an own budget (teams); none',
      parse: orNone(amount),
    },
  ],
  about: 'What is not named stays as it is.',
  examples: [
    'budgets set --team platform --limit 500 --period weekly --policy shaped',
    'budgets set --team platform --policy soft',
    'budgets set --user ada@example.com --limit 50',
  ],
  run: async (context, _args, values) => {
    const path = await subjectPath(context, values)
    const policy = await readPolicy(context)
    const named = Object.entries({
      limit_usd: values['limit'],
      period: values['period'],
      policy,
      member_limit_usd: values['memberLimit'],
    }).filter(([, value]) => value !== undefined)
    if (named.length === 0) throw usageError('what shall change? name the limit with --limit, or another option')
    const present = await findTerms(await context.client(), path)
    if (present === undefined && values['limit'] === undefined) throw usageError('how much? name it with --limit')
    await change(context, {
      method: 'PUT',
      path,
      body: { period: 'monthly', ...present, ...Object.fromEntries(named) },
      done: (budget) =>
        `${[
          `${money(budget.limit_usd)} ${budget.period}`,
          describePolicy(budget),
          ...(budget.member_limit_usd === null ? [] : [`${money(budget.member_limit_usd)} for each member`]),
          `${percent(budget.percent)} used`,
        ].join(', ')}.`,
    })
  },
}

/** A budget is replaced as a whole: a field that is not sent would fall back to its default. */
async function findTerms(client: Client, path: string): Promise<Row> {
  try {
    const { limit_usd, period, policy, member_limit_usd } = await client.get(path)
    return defined({ limit_usd, period, policy, member_limit_usd: member_limit_usd ?? undefined })
  } catch (error) {
    if (error instanceof CliError && error.parts.exit === 'notFound') return undefined
    throw error
  }
}

const clear: Leaf = {
  name: 'clear',
  aliases: ['delete'],
  summary: 'remove the budget of a person or a team',
  kind: 'destroy',
  routes: ['DELETE /admin/teams/{team_id}/budget', 'DELETE /admin/users/{user_id}/budget'],
  options: subjectOptions,
  examples: ['budgets clear --team platform --yes'],
  run: async (context, _args, values) => {
    const path = await subjectPath(context, values)
    await change(context, {
      method: 'DELETE',
      path,
      confirm: `Remove the budget of ${values['user'] ?? values['team']}? Nothing limits that spend afterwards except other budgets.`,
      done: () => 'Removed the budget.',
    })
  },
}

export const budgets: Noun = {
  name: 'budgets',
  summary: 'what people and teams may spend',
  leaves: [list, show, set, clear, topUp, topUps, takeBack, requests, approve, decline],
}
