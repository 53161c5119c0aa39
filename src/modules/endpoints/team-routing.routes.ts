/** Which endpoints a team may reach, and in which way one is chosen for a call. */
import { z } from 'zod'
import type { Change } from '../../foundation/database/change.ts'
import { invalidField, problem } from '../../foundation/domain/errors.ts'
import { routingStrategies, type TeamRouting } from '../../foundation/domain/team.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { write } from '../../foundation/http/write-change.ts'
import { createTeamStore } from '../people/teams.store.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import { createEndpointStore } from './endpoints.store.ts'
import { createTeamRoutingStore } from './team-routing.store.ts'

const tag = 'Teams'
const path = '/admin/teams/{team_id}/endpoints'
const params = z.object({ team_id: id })
const strategy = z.enum(routingStrategies)

const routingSchema = z.object({
  routing_strategy: strategy,
  endpoints: z.array(z.object({ endpoint_id: id, name: z.string(), priority: z.int() })),
})

const assignment = z.strictObject({
  routing_strategy: strategy.default('sticky_user'),
  endpoints: z.array(z.strictObject({ endpoint_id: id, priority: z.int().min(0).max(1_000_000) })).max(500),
})

export function teamRoutingRoutes(ports: EndpointPorts): Route[] {
  return [readRouting(ports), replaceRouting(ports)]
}

type Db = Change['tx']

async function requireTeam(db: Db, teamId: string): Promise<void> {
  if ((await createTeamStore(db).find(teamId)) === undefined) throw problem('not_found', { what: 'team' })
}

async function routingBody(db: Db, teamId: string) {
  const routing = await createTeamRoutingStore(db).find(teamId)
  const names = new Map((await createEndpointStore(db).list()).map((endpoint) => [endpoint.id, endpoint.name]))
  return {
    routing_strategy: routing?.strategy ?? 'sticky_user',
    endpoints: (routing?.endpoints ?? []).map(({ endpointId, priority }) => ({
      endpoint_id: endpointId,
      name: names.get(endpointId) ?? '',
      priority,
    })),
  }
}

function readRouting(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'GET',
    path,
    access: 'admin',
    tag,
    summary: 'Read the endpoints of a team and its routing strategy',
    description: 'Without an assignment the list is empty, and the team uses the default endpoint.',
    params,
    answers: { 200: { text: 'The assignment', schema: routingSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { team_id: teamId } = call.params
      // One transaction: an assignment read beside the names of another moment would show endpoints without a name.
      const body = await ports
        .database()
        .kysely.transaction()
        .execute(async (tx) => {
          await requireTeam(tx, teamId)
          return await routingBody(tx, teamId)
        })
      return ok(body)
    },
  })
}

function replaceRouting(ports: EndpointPorts): Route {
  return apiRoute({
    method: 'PUT',
    path,
    access: 'admin',
    tag,
    summary: 'Assign endpoints to a team',
    description:
      'Replaces the whole assignment; an empty list removes it. The priority here overrides the priority of the endpoint.',
    params,
    body: assignment,
    answers: { 200: { text: 'The assignment', schema: routingSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async (call) => {
      const { team_id: teamId } = call.params
      const wanted: TeamRouting = {
        teamId,
        strategy: call.body.routing_strategy,
        endpoints: call.body.endpoints.map(({ endpoint_id, priority }) => ({ endpointId: endpoint_id, priority })),
      }
      const body = await write(ports, call, ['endpoints'], async ({ tx, audit }) => {
        await requireTeam(tx, teamId)
        await requireEndpoints(tx, wanted)
        const before = await routingBody(tx, teamId)
        await createTeamRoutingStore(tx).replace(wanted)
        const after = await routingBody(tx, teamId)
        audit({ action: 'team_endpoints.update', target: `team:${teamId}`, before, after })
        return after
      })
      return ok(body)
    },
  })
}

async function requireEndpoints(db: Db, { endpoints }: TeamRouting): Promise<void> {
  const known = new Set((await createEndpointStore(db).list()).map((endpoint) => endpoint.id))
  const seen = new Set<string>()
  for (const [index, { endpointId }] of endpoints.entries()) {
    const field = `endpoints.${index}.endpoint_id`
    if (!known.has(endpointId)) throw invalidField(field, 'There is no endpoint with this id.')
    if (seen.has(endpointId)) throw invalidField(field, 'This endpoint stands in the list twice.')
    seen.add(endpointId)
  }
}
