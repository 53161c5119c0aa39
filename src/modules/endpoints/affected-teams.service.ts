/** Reads which teams an endpoint's end would move or stop, for the preview and for the audit trail. */

import type { Database } from '../../foundation/database/database.ts'
import { type AffectedTeam, listAffectedTeams } from '../../foundation/domain/affected-teams.ts'
import { createEndpointStore } from './endpoints.store.ts'
import { createTeamRoutingStore } from './team-routing.store.ts'

/** A pool or a transaction. */
type Connection = Database['kysely']

export async function readAffectedTeams(db: Connection, endpointId: string): Promise<readonly AffectedTeam[]> {
  const assigned = await createTeamRoutingStore(db).listWith(endpointId)
  if (assigned.length === 0) return []
  return listAffectedTeams(endpointId, assigned, await createEndpointStore(db).list())
}

/** For the audit trail; nothing where no team is affected. */
export function affectedTeamsBody(teams: readonly AffectedTeam[], effect: 'ifDisabled' | 'ifDeleted') {
  const named = (wanted: AffectedTeam['ifDeleted']) =>
    teams.filter((team) => team[effect] === wanted).map(({ teamId, name }) => ({ team_id: teamId, name }))
  const [moved, stopped] = [named('default_endpoint'), named('stopped')]
  return {
    ...(moved.length === 0 ? {} : { teams_moved_to_default: moved }),
    ...(stopped.length === 0 ? {} : { teams_stopped: stopped }),
  }
}
