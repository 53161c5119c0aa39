/** Which teams disabling or deleting an endpoint would move or stop, in lines for a question. */
import type { Client } from '../../client/http-client.ts'
import type { Row } from '../../output/render.ts'
import { harmless } from '../../output/table.ts'

export async function listTeamLines(
  client: Client,
  endpointId: string,
  effect: 'if_disabled' | 'if_deleted',
): Promise<readonly string[]> {
  const { teams } = await client.get(`/admin/endpoints/${endpointId}/drain`)
  return teams.flatMap((team: Row) =>
    team[effect] === 'next_endpoint' ? [] : [teamLine({ name: team.name, effect: team[effect] })],
  )
}

export function teamLine(team: { readonly name: string; readonly effect: 'stopped' | 'default_endpoint' }): string {
  const effects = {
    stopped: 'has no other enabled endpoint, so its requests stop',
    default_endpoint: 'moves to the default endpoint',
  }
  return `  ${harmless(team.name)}: ${effects[team.effect]}`
}
