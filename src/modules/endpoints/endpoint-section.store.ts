/** The endpoints of the snapshot, and which teams use which. */
import { frozenMap, type SectionReader } from '../../foundation/snapshot/snapshot-sections.store.ts'
import { joinOverrides } from './endpoints.store.ts'
import { routingRows, toTeamRoutings } from './team-routing.store.ts'

export const readEndpointSection: SectionReader<'endpoints'> = async (tx) => {
  const rows = await tx.selectFrom('endpoints').selectAll().orderBy('priority').orderBy('name').execute()
  const overrides = await tx.selectFrom('aip_overrides').selectAll().orderBy('model_id').execute()
  const all = joinOverrides(rows, overrides).map((endpoint) => Object.freeze(endpoint))
  const routings = toTeamRoutings(await routingRows(tx).execute())
  return {
    endpoints: frozenMap(all.map((endpoint) => [endpoint.id, endpoint])),
    defaultEndpoint: all.find((endpoint) => endpoint.isDefault) ?? null,
    teamRouting: frozenMap(routings.map((routing) => [routing.teamId, Object.freeze(routing)])),
  }
}
