/** `causeway teams`: teams, their members and the endpoints they may reach. */
import { InvalidArgumentError } from 'commander'
import { findId, findRecord, kinds } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { change, printInner, printList, printRecord } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'
import { isDocumentFormat, type Row } from '../../output/render.ts'
import { userColumns } from './users.ts'

const teamArg: Arg = { name: '<team>', text: 'name or id of the team', values: 'teams' }
const strategies = ['sticky_user', 'primary_fallback', 'round_robin'] as const

const list: Leaf = {
  name: 'list',
  summary: 'list teams',
  kind: 'list',
  routes: ['GET /admin/teams'],
  examples: ['teams list', 'teams list --json --all'],
  run: async (context) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: '/admin/teams',
      columns: [kit.text('name'), kit.number('members', 'member_count'), kit.time('created', 'created_at'), kit.id],
      empty: 'There are no teams. Make one with "causeway teams create <name>".',
    })
  },
}

const show: Leaf = {
  name: 'show',
  summary: 'show one team',
  kind: 'read',
  routes: ['GET /admin/teams/{team_id}'],
  args: [teamArg],
  examples: ['teams show platform'],
  run: async (context, [reference]) => {
    const kit = columnKit(context.output)
    await printRecord(context, await findRecord(await context.client(), kinds.team, reference), [
      kit.text('id'),
      kit.text('name'),
      kit.number('members', 'member_count'),
      kit.time('created', 'created_at'),
    ])
  },
}

const create: Leaf = {
  name: 'create',
  summary: 'make a team',
  kind: 'write',
  routes: ['POST /admin/teams'],
  args: [{ name: '<name>', text: 'unique, 1 to 100 characters' }],
  examples: ['teams create platform'],
  run: async (context, [name]) => {
    await change(context, {
      method: 'POST',
      path: '/admin/teams',
      body: { name },
      done: (team) => `Made the team "${team.name}" (${team.id}).`,
    })
  },
}

const rename: Leaf = {
  name: 'rename',
  aliases: ['update'],
  summary: 'give a team another name',
  kind: 'write',
  routes: ['PATCH /admin/teams/{team_id}'],
  args: [teamArg, { name: '<name>', text: 'the new name' }],
  examples: ['teams rename platform foundations'],
  run: async (context, [reference, name]) => {
    const id = await findId(await context.client(), kinds.team, reference)
    await change(context, {
      method: 'PATCH',
      path: `/admin/teams/${id}`,
      body: { name },
      done: (team) => `The team is called "${team.name}" now.`,
    })
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'delete a team',
  kind: 'destroy',
  routes: ['DELETE /admin/teams/{team_id}'],
  args: [teamArg],
  examples: ['teams delete platform --yes'],
  run: async (context, [reference]) => {
    const team = await findRecord(await context.client(), kinds.team, reference)
    await change(context, {
      method: 'DELETE',
      path: `/admin/teams/${team.id}`,
      confirm: `Delete the team "${team.name}"? Its ${team.member_count} members stay and have no team; its budget and routing go.`,
      done: () => `Deleted the team "${team.name}".`,
    })
  },
}

const members: Leaf = {
  name: 'members',
  summary: 'list the members of a team',
  kind: 'list',
  routes: ['GET /admin/teams/{team_id}/members'],
  args: [teamArg],
  examples: ['teams members platform'],
  run: async (context, [reference]) => {
    const id = await findId(await context.client(), kinds.team, reference)
    await printList(context, {
      path: `/admin/teams/${id}/members`,
      columns: userColumns(context),
      empty: 'The team has no members.',
    })
  },
}

const routing: Leaf = {
  name: 'show',
  summary: 'show the endpoints of a team and its routing strategy',
  kind: 'read',
  routes: ['GET /admin/teams/{team_id}/endpoints'],
  args: [teamArg],
  examples: ['teams endpoints show platform'],
  run: async (context, [reference]) => {
    const client = await context.client()
    const found = await client.get(`/admin/teams/${await findId(client, kinds.team, reference)}/endpoints`)
    const kit = columnKit(context.output)
    if (!isDocumentFormat(context.output.format)) context.io.err(`strategy ${found.routing_strategy}\n`)
    await printInner(context, {
      document: found,
      rows: found.endpoints,
      columns: [kit.number('priority', 'priority'), kit.text('endpoint', 'name'), kit.text('id', 'endpoint_id')],
      empty: 'None are assigned: the default endpoint serves this team.',
    })
  },
}

const setRouting: Leaf = {
  name: 'set',
  summary: 'assign endpoints to a team, best first; none removes the assignment',
  kind: 'write',
  routes: ['PUT /admin/teams/{team_id}/endpoints'],
  args: [teamArg, { name: '[endpoints...]', text: 'names or ids; name=priority sets the number', values: 'endpoints' }],
  options: [
    {
      flags: '--strategy <strategy>',
      text: 'how one is chosen; default: as it is, or sticky_user',
      choices: strategies,
    },
  ],
  examples: ['teams endpoints set platform main eu-west --strategy primary_fallback', 'teams endpoints set platform'],
  run: async (context, [reference, wanted], { strategy }) => {
    const client = await context.client()
    const id = await findId(client, kinds.team, reference)
    const endpoints: Row[] = []
    for (const [index, word] of (wanted as readonly string[]).entries()) {
      const { name, priority } = parseAssignment(word, index + 1)
      endpoints.push({ endpoint_id: await findId(client, kinds.endpoint, name), priority })
    }
    const path = `/admin/teams/${id}/endpoints`
    await change(context, {
      method: 'PUT',
      path,
      // The assignment is replaced as a whole: a strategy that is not sent would fall back to its default.
      body: { routing_strategy: strategy ?? (await client.get(path)).routing_strategy, endpoints },
      done: (made) =>
        made.endpoints.length === 0
          ? 'The default endpoint serves this team.'
          : `${made.endpoints.length} endpoints, ${made.routing_strategy}.`,
    })
  },
}

export function parseAssignment(word: string, fallback: number): { readonly name: string; readonly priority: number } {
  const parts = /^(.+)=(\d{1,6})$/.exec(word)
  if (parts?.[1] === undefined) {
    if (/=/.test(word)) throw new InvalidArgumentError(`"${word}" is not name=priority with a whole number.`)
    return { name: word, priority: fallback }
  }
  return { name: parts[1], priority: Number(parts[2]) }
}

export const teams: Noun = {
  name: 'teams',
  summary: 'teams, their members and endpoints',
  leaves: [
    list,
    show,
    create,
    rename,
    remove,
    members,
    { name: 'endpoints', summary: 'which endpoints a team reaches', leaves: [routing, setRouting] },
  ],
}
