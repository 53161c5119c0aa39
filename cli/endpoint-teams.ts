/** Which teams disabling or deleting an endpoint would move or stop, in lines for a question. */
import type { Client } from './client/http-client.ts'
import type { Row } from './output/render.ts'
import { harmless } from './output/table.ts'

export async function listTeamLines(
  client: Client,
  endpointId: string,
  effect: 'if_disabled' | 'if_deleted',
): Promise<readonly string[]> {
  const { teams } = await client.get(`/admin/endpoints/${endpointId}/drain`)
  return teams.flatMap((team: Row) => {
    if (team[effect] === 'stopped') return [`  ${harmless(team.name)}: has no other endpoint, so its requests stop`]
    if (team[effect] === 'default_endpoint') return [`  ${harmless(team.name)}: moves to the default endpoint`]
    return []
  })
}
