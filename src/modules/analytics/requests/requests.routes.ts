/** The request log: search and one call in full. */
import { z } from 'zod'
import type { Database } from '../../../foundation/database/database.ts'
import { badInput, forAdmins, unknownId } from '../../../foundation/http/answers.ts'
import { text } from '../../../foundation/http/fields.ts'
import { describePage } from '../../../foundation/http/lists.ts'
import { apiRoute, ok, type Route } from '../../../foundation/http/route.ts'
import type { RoutePorts } from '../../../foundation/http/write-change.ts'
import { requireOwnTeam } from '../../people/own-team.ts'
import { isRecord, type RequestFilter } from '../../spend/request-conditions.store.ts'
import { createSpendRequests } from '../../spend/spend-requests.store.ts'
import { requestDetailSchema, requireRequest } from './request-detail.service.ts'
import { requestBodies, requestSchema } from './request-records.fields.ts'
import { adminSearchQuery, buildSearch, readName, searchDescription } from './request-search.fields.ts'

const tag = 'Requests'

export function requestRoutes(ports: RoutePorts): Route[] {
  return [listRequests(ports), showRequest(ports)]
}

function listRequests(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/requests',
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'Search the request log',
    description: `${searchDescription} Prompts and answers are not stored.`,
    query: z.strictObject(adminSearchQuery),
    answers: { 200: { text: 'Calls', schema: describePage(requestSchema) }, ...badInput, ...forAdmins },
    handle: async (call) => {
      const database = ports.database()
      return found(database, await buildSearch(database, call.query))
    },
    handleForLead: async ({ query: { team, ...rest } }, teamId) => {
      if (team !== undefined) requireOwnTeam(ports, teamId, readName(team).text)
      const database = ports.database()
      const filter = await buildSearch(database, rest)
      return found(database, { ...filter, terms: [...filter.terms, isRecord('team', teamId)] })
    },
  })
}

async function found(database: Database, filter: RequestFilter) {
  const page = await createSpendRequests(database.kysely).list(filter)
  return ok({ ...page, data: await requestBodies(database, page.data, 'admin') })
}

function showRequest(ports: RoutePorts): Route {
  return apiRoute({
    method: 'GET',
    path: '/admin/requests/{request_id}',
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'One request with routing, attempts, price and, if it failed, the reason',
    description:
      'A request that needed several hosted calls (web search) is one call here: sums over all of them, and each under `rounds`.',
    params: z.object({ request_id: text(200) }),
    answers: { 200: { text: 'The call', schema: requestDetailSchema }, ...badInput, ...unknownId, ...forAdmins },
    handle: async ({ params }) => ok(await requireRequest(ports.database(), params.request_id, 'admin')),
    handleForLead: async ({ params }, teamId) =>
      ok(await requireRequest(ports.database(), params.request_id, 'user', (record) => record.teamId === teamId)),
  })
}
