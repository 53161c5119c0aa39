/** Which endpoints a team may reach. Writes touch the section `endpoints`. */
import type { Kysely } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { AssignedTeam } from '../../foundation/domain/affected-teams.ts'
import type { RoutingStrategy, TeamRouting } from '../../foundation/domain/team.ts'

export interface RoutingRow {
  readonly team_id: string
  readonly endpoint_id: string
  readonly priority: number
  readonly routing_strategy: RoutingStrategy
}

export function toTeamRoutings(rows: readonly RoutingRow[]): TeamRouting[] {
  return [...Map.groupBy(rows, (row) => row.team_id)].map(([teamId, assigned]) => ({
    teamId,
    strategy: assigned[0]?.routing_strategy ?? 'sticky_user',
    endpoints: assigned.map((row) => ({ endpointId: row.endpoint_id, priority: row.priority })),
  }))
}

export function routingRows(db: Kysely<Schema>) {
  return db
    .selectFrom('team_endpoints')
    .innerJoin('teams', 'teams.id', 'team_endpoints.team_id')
    .select(['team_endpoints.team_id', 'endpoint_id', 'priority', 'routing_strategy'])
    .orderBy('team_endpoints.team_id')
    .orderBy('priority')
    .orderBy('endpoint_id')
}

export function createTeamRoutingStore(db: Kysely<Schema>) {
  return {
    /** Undefined when the team has no assignment, and so uses the default endpoint. */
    find: async (teamId: string): Promise<TeamRouting | undefined> => {
      const rows = await routingRows(db).where('team_endpoints.team_id', '=', teamId).execute()
      return toTeamRoutings(rows)[0]
    },

    /** Every team that has this endpoint assigned, by name, with its whole assignment. */
    listWith: async (endpointId: string): Promise<readonly AssignedTeam[]> => {
      const rows = await routingRows(db)
        .select('teams.name')
        .where('team_endpoints.team_id', 'in', (inner) =>
          inner.selectFrom('team_endpoints').select('team_id').where('endpoint_id', '=', endpointId),
        )
        .execute()
      const names = new Map(rows.map((row) => [row.team_id, row.name]))
      return toTeamRoutings(rows)
        .map((routing) => ({ name: names.get(routing.teamId) ?? '', routing }))
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    },

    /** Replaces the whole assignment; no endpoints removes it. An unknown endpoint is a MissingReferenceError. */
    replace: async (routing: TeamRouting): Promise<void> => {
      const { teamId, endpoints } = routing
      await db.deleteFrom('team_endpoints').where('team_id', '=', teamId).execute()
      // Without an assignment the strategy falls back too: the default endpoint is all there is to choose.
      const strategy = endpoints.length === 0 ? 'sticky_user' : routing.strategy
      await db.updateTable('teams').set({ routing_strategy: strategy }).where('id', '=', teamId).execute()
      if (endpoints.length === 0) return
      await db
        .insertInto('team_endpoints')
        .values(endpoints.map(({ endpointId, priority }) => ({ team_id: teamId, endpoint_id: endpointId, priority })))
        .execute()
    },
  }
}
