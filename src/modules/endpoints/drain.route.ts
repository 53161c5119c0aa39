/** What taking an endpoint out of service would mean: who uses it, and where their calls go then. */
import { z } from 'zod'
import type { Database } from '../../foundation/database/database.ts'
import { deleteEffects, disableEffects } from '../../foundation/domain/affected-teams.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { badInput, forAdmins, unknownId } from '../../foundation/http/answers.ts'
import { id } from '../../foundation/http/fields.ts'
import { apiRoute, ok, type Route } from '../../foundation/http/route.ts'
import { decideHour } from '../../foundation/http/shown-hour.ts'
import { readAffectedTeams } from './affected-teams.service.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import { endpointSchema, requireEndpoint } from './endpoint-records.fields.ts'
import { params, path, tag } from './endpoints.routes.ts'
import { createEndpointStore } from './endpoints.store.ts'

const nextSchema = z.object({ endpoint_id: id, name: z.string(), health_status: endpointSchema.shape.health_status })

const drainSchema = z.object({
  endpoint_id: id,
  name: z.string(),
  enabled: z.boolean(),
  is_default: z.boolean().meta({ description: 'The default endpoint cannot be taken out.' }),
  requests_1h: z.int().meta({ description: 'Calls of the last hour, from their records.' }),
  teams: z.array(
    z.object({
      team_id: id,
      name: z.string(),
      next: nextSchema
        .nullable()
        .meta({ description: 'The best other endpoint of the team; null when its calls would be refused.' }),
      if_disabled: z
        .enum(disableEffects)
        .meta({ description: 'Where the team is after this endpoint is disabled. A stopped team gets 503.' }),
      if_deleted: z.enum(deleteEffects).meta({
        description: 'Where the team is after this endpoint is deleted. Without an assignment it uses the default one.',
      }),
    }),
  ),
})

export interface DrainPorts extends EndpointPorts {
  /** From the records of calls. */
  readonly readEndpointMinutes: (
    db: Database['kysely'],
    range: { readonly fromMs: number; readonly toMs: number },
  ) => Promise<readonly EndpointMinute[]>
}

interface EndpointMinute {
  readonly endpointId: string
  readonly requests: number
}

export function drainRoute(ports: DrainPorts): Route {
  return apiRoute({
    method: 'GET',
    path: `${path}/drain`,
    access: 'admin',
    grants: ['ops:operate'],
    tag,
    summary: 'Preview of disabling or deleting an endpoint',
    description:
      'Changes nothing. `PUT /admin/endpoints/{id}` with `{"enabled": false}` takes it out: new calls go elsewhere within 5 seconds on every instance, and running ones end as they would have.',
    params,
    answers: {
      200: { text: 'Who uses it, and what follows', schema: drainSchema },
      ...badInput,
      ...unknownId,
      ...forAdmins,
    },
    handle: async (call) => {
      const { kysely } = ports.database()
      const endpoint = await requireEndpoint(createEndpointStore(kysely), call.params.id)
      const minutes = await ports.readEndpointMinutes(kysely, decideHour(undefined, ports.clock.nowMs()))
      return ok({
        endpoint_id: endpoint.id,
        name: endpoint.name,
        enabled: endpoint.enabled,
        is_default: endpoint.isDefault,
        requests_1h: countCalls(endpoint.id, minutes),
        teams: (await readAffectedTeams(kysely, endpoint.id)).map(
          ({ teamId, name, others, ifDisabled, ifDeleted }) => ({
            team_id: teamId,
            name,
            next: nextBody(others, ports),
            if_disabled: ifDisabled,
            if_deleted: ifDeleted,
          }),
        ),
      })
    },
  })
}

/** From the same records as the pages of health and endpoints: a restart of an instance forgets none. */
function countCalls(endpointId: string, minutes: readonly EndpointMinute[]): number {
  return minutes.reduce((sum, one) => (one.endpointId === endpointId ? sum + one.requests : sum), 0)
}

/** Unhealthy ones are asked only where there is no other. */
function nextBody(others: readonly Endpoint[], { findCondition }: EndpointPorts): z.infer<typeof nextSchema> | null {
  const next = others.find((one) => findCondition(one.id).status !== 'unhealthy') ?? others[0]
  return next === undefined
    ? null
    : { endpoint_id: next.id, name: next.name, health_status: findCondition(next.id).status }
}
