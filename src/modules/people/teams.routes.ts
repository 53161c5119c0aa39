/** Teams and their members. */
import { z } from 'zod'
import { problem } from '../../foundation/domain/errors.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id, name } from '../../foundation/http/fields.ts'
import { describePage, idsQuery, listQuery, mapPage } from '../../foundation/http/lists.ts'
import { apiRoute, created, noContent, ok, type Route } from '../../foundation/http/route.ts'
import { type RoutePorts, write } from '../../foundation/http/write-change.ts'
import { requireOwnTeam } from './own-team.ts'
import { createTeamStore, type TeamRecord, type TeamStore } from './teams.store.ts'
import { userBody, userSchema } from './user-records.fields.ts'
import { createUserStore } from './users.store.ts'

const tag = 'Teams'
const params = z.object({ team_id: id })
const query = z.strictObject(listQuery)
const teamSchema = z.object({
  id,
  name: z.string(),
  member_count: z.int(),
  created_at: z.iso.datetime(),
})

const nameTaken = { 409: { text: 'Another team has this name, in whatever case' } } as const

export function teamRoutes(ports: RoutePorts): Route[] {
  return [
    createTeam(ports),
    listTeams(ports),
    readTeam(ports),
    renameTeam(ports),
    removeTeam(ports),
    listMembers(ports),
  ]
}

function teamBody(team: TeamRecord) {
  return { id: team.id, name: team.name, member_count: team.memberCount, created_at: team.createdAt }
}

async function requireTeam(teams: TeamStore, teamId: string): Promise<TeamRecord> {
  const team = await teams.find(teamId)
  if (team === undefined) throw problem('not_found', { what: 'team' })
  return team
}

function createTeam(ports: RoutePorts): Route {
  return apiRoute({
    method: 'POST',
    path: '/admin/teams',
    access: 'admin',
    tag,
    summary: 'Create a team',
    body: z.strictObject({ name }),
    answers: { 201: { text: 'The team', schema: teamSchema }, ...badInput, ...nameTaken, ...forAdmins },
    handle: async (call) => {
      const team = await write(ports, call, ['people'], async ({ tx, audit }) => {
        const added = await createTeamStore(tx).insert(call.body.name)
        audit({ action: 'team.create', target: `team:${added.id}`, after: { name: added.name } })
        return added
      })
      return created(teamBody(team))
    },
  })
}

function listTeams(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/teams',
    access: 'admin',
    grants: ['audit:read'],
    tag,
    summary: 'List teams',
    description: '`q` looks in names. `sort`: name (default), created_at.',
    query: query.extend(idsQuery),
    answers: { 200: { text: 'Teams', schema: describePage(teamSchema) }, ...badInput, ...forAdmins },
    handle: async (call) => ok(mapPage(await createTeamStore(ports.database().kysely).list(call.query), teamBody)),
  })
}

function readTeam(ports: RoutePorts): Route {
  const read = async (teamId: string) =>
    ok(teamBody(await requireTeam(createTeamStore(ports.database().kysely), teamId)))
  return apiRoute({
    method: 'GET',
    path: '/admin/teams/{team_id}',
    access: 'admin',
    tag,
    summary: 'Read a team',
    params,
    answers: { 200: { text: 'The team', schema: teamSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: ({ params: { team_id: teamId } }) => read(teamId),
    handleForLead: (call, ownTeamId) => {
      requireOwnTeam(ports, ownTeamId, call.params.team_id)
      return read(ownTeamId)
    },
  })
}

function renameTeam(ports: RoutePorts): Route {
  return apiRoute({
    method: 'PATCH',
    path: '/admin/teams/{team_id}',
    access: 'admin',
    tag,
    summary: 'Rename a team',
    params,
    body: z.strictObject({ name: name.optional() }),
    answers: { 200: { text: 'The team', schema: teamSchema }, ...badInput, ...unknownId, ...nameTaken, ...forAdmins },
    handle: async (call) => {
      const { team_id: teamId } = call.params
      const team = await write(ports, call, ['people'], async ({ tx, audit }) => {
        const teams = createTeamStore(tx)
        const before = await requireTeam(teams, teamId)
        await teams.rename(teamId, call.body.name ?? before.name)
        const after = await requireTeam(teams, teamId)
        audit({
          action: 'team.update',
          target: `team:${teamId}`,
          before: { name: before.name },
          after: { name: after.name },
        })
        return after
      })
      return ok(teamBody(team))
    },
  })
}

function removeTeam(ports: RoutePorts): Route {
  return apiRoute({
    method: 'DELETE',
    path: '/admin/teams/{team_id}',
    access: 'admin',
    tag,
    summary: 'Delete a team',
    description: 'Its members stay, without a team. Keys that belonged to the team alone are revoked.',
    params,
    answers: { 204: { text: 'Deleted' }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { team_id: teamId } = call.params
      await write(ports, call, ['people', 'keys', 'budgets', 'endpoints'], async ({ tx, audit }) => {
        const teams = createTeamStore(tx)
        const before = await requireTeam(teams, teamId)
        await teams.remove(teamId)
        audit({
          action: 'team.delete',
          target: `team:${teamId}`,
          before: { name: before.name, member_count: before.memberCount },
        })
      })
      return noContent
    },
  })
}

function listMembers(ports: RoutePorts): Route {
  const list = async (teamId: string, page: z.infer<typeof query>) => {
    const { kysely } = ports.database()
    await requireTeam(createTeamStore(kysely), teamId)
    return ok(mapPage(await createUserStore(kysely).list({ ...page, teamId }), userBody))
  }
  return apiRoute({
    method: 'GET',
    path: '/admin/teams/{team_id}/members',
    access: 'admin',
    tag,
    summary: 'List the members of a team',
    description: '`q` looks in subjects and e-mail addresses. `sort`: subject (default), created_at, last_seen_at.',
    params,
    query,
    answers: { 200: { text: 'Users', schema: describePage(userSchema) }, ...badInput, ...unknownId, ...forAdmins },
    handle: (call) => list(call.params.team_id, call.query),
    handleForLead: (call, ownTeamId) => {
      requireOwnTeam(ports, ownTeamId, call.params.team_id)
      return list(ownTeamId, call.query)
    },
  })
}
