/** `causeway users`: people who may use the gateway. */

import { InvalidArgumentError } from 'commander'
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, findRecord, kinds } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { type Context, change, printList, printRecord, requireOptions } from '../../command/context.ts'
import { nameColumn } from '../../command/name-column.ts'
import { commaList, orNone } from '../../command/option-values.ts'
import { columnKit, wide } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import type { Column } from '../../output/table.ts'
import { importPeople } from './import-people.ts'
import { sessionLeaves } from './session-leaves.ts'

const userArg: Arg = { name: '<user>', text: 'subject, e-mail or id of the user', values: 'users' }
const roles = ['member', 'admin'] as const
const grants: readonly string[] = ['team:lead', 'billing:read', 'audit:read', 'ops:operate']

function grantList(text: string, previous: unknown): readonly string[] {
  const wanted = commaList(text, previous)
  const unknown = wanted.find((word) => !grants.includes(word))
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is none of ${grants.join(', ')}.`)
  return wanted
}

export function userColumns(context: Context): readonly Column<Row>[] {
  const kit = columnKit(context.output)
  const active: Column<Row> = { ...kit.status('active'), shown: (row) => (row.active ? 'active' : 'inactive') }
  return [
    kit.text('subject'),
    kit.text('email'),
    kit.text('role'),
    kit.list('grants', 'grants'),
    active,
    kit.time('last seen', 'last_seen_at'),
    wide(kit.text('issuer', 'identity.issuer')),
    wide(kit.time('created', 'created_at')),
    kit.id,
  ]
}

const list: Leaf = {
  name: 'list',
  summary: 'list people',
  kind: 'list',
  routes: ['GET /admin/users'],
  options: [
    { flags: '--team <team>', text: 'of one team', values: 'teams' },
    { flags: '--role <role>', text: 'only these', choices: roles },
    { flags: '--grant <grant>', text: 'only those who have it', choices: grants },
    { flags: '--active <bool>', text: 'only active (true) or suspended (false) ones', choices: ['true', 'false'] },
    {
      flags: '--adoption <stage>',
      text: 'only those who may sign in, have connected a client, or called in the last seven days',
      choices: ['invited', 'connected', 'active'],
    },
  ],
  examples: ['users list --role admin', 'users list -q ada'],
  run: async (context, _args, { team, role, grant, active, adoption }) => {
    const [subject, ...rest] = userColumns(context)
    await printList(context, {
      path: '/admin/users',
      query: {
        role,
        grant,
        active,
        adoption,
        team_id: team === undefined ? undefined : await findId(await context.client(), kinds.team, team),
      },
      columns: [subject as Column<Row>, nameColumn(context, 'team', 'team', 'team_id'), ...rest],
      empty: 'Nobody was found.',
    })
  },
}

const show: Leaf = {
  name: 'show',
  summary: 'show one person',
  kind: 'read',
  routes: ['GET /admin/users/{user_id}'],
  args: [userArg],
  examples: ['users show ada@example.com'],
  run: async (context, [reference]) => {
    const record = await findRecord(await context.client(), kinds.user, reference)
    await printRecord(context, record, [nameColumn(context, 'team', 'team', 'team_id'), ...userColumns(context)])
  },
}

const create: Leaf = {
  name: 'create',
  summary: 'add a person before their first sign-in',
  kind: 'write',
  routes: ['POST /admin/users'],
  args: [{ name: '<subject>', text: 'the identifier from the identity provider, typically an e-mail address' }],
  options: [
    { flags: '--email <email>', text: 'e-mail address' },
    { flags: '--role <role>', text: 'default member', choices: roles },
    { flags: '--grant <grants>', text: 'what they may see beside the role', parse: grantList, choices: grants },
    { flags: '--team <team>', text: 'put them into a team', values: 'teams' },
  ],
  examples: ['users create ada@example.com --email ada@example.com --team platform'],
  run: async (context, [subject], { email, role, grant, team }) => {
    const body = {
      subject,
      ...defined({
        email,
        role,
        grants: grant,
        team_id: team === undefined ? undefined : await findId(await context.client(), kinds.team, team),
      }),
    }
    const done = (user: Row): string => `Added ${user.subject} (${user.id}).`
    await change(context, { method: 'POST', path: '/admin/users', body, done })
  },
}

const update: Leaf = {
  name: 'update',
  summary: 'change the role, the grants or the e-mail address of a person',
  kind: 'write',
  routes: ['PATCH /admin/users/{user_id}'],
  args: [userArg],
  options: [
    { flags: '--email <email>', text: 'e-mail address; none', parse: orNone(String) },
    { flags: '--role <role>', text: 'member or admin', choices: roles },
    { flags: '--grant <grants>', text: 'let them see more, comma-separated', parse: grantList, choices: grants },
    { flags: '--revoke-grant <grants>', text: 'take it back', parse: grantList, choices: grants },
  ],
  about: 'Grants show a part of the administration to somebody who is no administrator; docs/security.md says which.',
  examples: ['users update ada@example.com --role admin', 'users update fin@example.com --grant billing:read'],
  run: async (context, [reference], { email, role, grant, revokeGrant }) => {
    requireOptions(defined({ email, role, grant, revokeGrant }), 'users update')
    const user = await findRecord(await context.client(), kinds.user, reference)
    await change(context, {
      method: 'PATCH',
      path: `/admin/users/${user.id}`,
      body: defined({ email, role, grants: changedGrants(user.grants, grant, revokeGrant) }),
      done: (after) => `${after.subject} is ${after.role}${withGrants(after.grants)}.`,
    })
  },
}

/** The gateway takes the whole list; undefined leaves it as it is. */
function changedGrants(
  now: readonly string[],
  added: readonly string[] | undefined,
  revoked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (added === undefined && revoked === undefined) return undefined
  return grants.filter((one) => (now.includes(one) || added?.includes(one)) && !revoked?.includes(one))
}

function withGrants(held: readonly string[]): string {
  return held.length === 0 ? '' : ` and has ${held.join(', ')}`
}

const suspend: Leaf = {
  name: 'suspend',
  summary: 'deactivate a person: keys and sessions stop within 5 seconds',
  kind: 'destroy',
  args: [userArg],
  examples: ['users suspend ada@example.com --yes'],
  run: async (context, [reference]) => {
    const user = await findRecord(await context.client(), kinds.user, reference)
    await change(context, {
      method: 'PATCH',
      path: `/admin/users/${user.id}`,
      body: { active: false },
      confirm: `Suspend ${user.subject}? Their keys and sessions stop within 5 seconds.`,
      done: () => `Suspended ${user.subject}.`,
    })
  },
}

const activate: Leaf = {
  name: 'activate',
  summary: 'let a suspended person in again',
  kind: 'write',
  args: [userArg],
  examples: ['users activate ada@example.com'],
  run: async (context, [reference]) => {
    const id = await findId(await context.client(), kinds.user, reference)
    await change(context, {
      method: 'PATCH',
      path: `/admin/users/${id}`,
      body: { active: true },
      done: (user) => `${user.subject} may sign in again.`,
    })
  },
}

const team: Leaf = {
  name: 'team',
  summary: 'put a person into a team',
  kind: 'write',
  routes: ['PUT /admin/users/{user_id}/team'],
  args: [userArg, { name: '<team>', text: 'name or id; none takes them out', values: 'teams' }],
  examples: ['users team ada@example.com platform', 'users team ada@example.com none'],
  run: async (context, [reference, teamReference]) => {
    const client = await context.client()
    const id = await findId(client, kinds.user, reference)
    const teamId = teamReference === 'none' ? null : await findId(client, kinds.team, teamReference)
    await change(context, {
      method: 'PUT',
      path: `/admin/users/${id}/team`,
      body: { team_id: teamId },
      done: (user) =>
        user.team_id === null ? `${user.subject} has no team.` : `${user.subject} is in ${teamReference}.`,
    })
  },
}

const unbind: Leaf = {
  name: 'unbind',
  summary: 'forget which identity a person signed in with; the next sign-in binds anew',
  kind: 'destroy',
  routes: ['DELETE /admin/users/{user_id}/identity'],
  args: [userArg],
  examples: ['users unbind ada@example.com --yes'],
  run: async (context, [reference]) => {
    const user = await findRecord(await context.client(), kinds.user, reference)
    await change(context, {
      method: 'DELETE',
      path: `/admin/users/${user.id}/identity`,
      confirm: `Forget the identity of ${user.subject}? Whoever signs in next under this name becomes them.`,
      done: () => `The next sign-in of ${user.subject} binds anew.`,
    })
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'delete a person',
  kind: 'destroy',
  routes: ['DELETE /admin/users/{user_id}'],
  args: [userArg],
  examples: ['users delete ada@example.com --yes'],
  run: async (context, [reference]) => {
    const user = await findRecord(await context.client(), kinds.user, reference)
    await change(context, {
      method: 'DELETE',
      path: `/admin/users/${user.id}`,
      confirm: `Delete ${user.subject}? Their keys stop; their spend stays in the records.`,
      done: () => `Deleted ${user.subject}.`,
    })
  },
}

const sessions = sessionLeaves({
  command: 'users sessions',
  route: '/admin/users/{user_id}/sessions',
  whose: [userArg],
  example: ' ada@example.com',
  find: async (context, reference = '') => {
    const user = await findRecord(await context.client(), kinds.user, reference)
    return { path: `/admin/users/${user.id}/sessions`, name: user.subject }
  },
})

export const users: Noun = {
  name: 'users',
  summary: 'people, their roles and grants',
  leaves: [
    list,
    show,
    create,
    importPeople,
    update,
    suspend,
    activate,
    team,
    unbind,
    remove,
    { name: 'sessions', summary: 'where a person is signed in', leaves: sessions },
  ],
}
