/** The teams that disabling or deleting an endpoint would move or stop, for the question before it. */
import type { Answer } from '../../api/client.ts'
import { useGet } from '../../api/queries.ts'
import { Callout, QueryView } from '../../ui/states.tsx'

type Team = Answer<'/admin/endpoints/{id}/drain', 'get'>['teams'][number]

interface AffectedTeamsProps {
  readonly endpointId: string
  readonly effect: 'if_disabled' | 'if_deleted'
}

export function AffectedTeams({ endpointId, effect }: AffectedTeamsProps) {
  const preview = useGet('/admin/endpoints/{id}/drain', { params: { path: { id: endpointId } } })
  return (
    <QueryView query={preview}>
      {({ teams }) => {
        const moved = teams.filter((team) => team[effect] === 'default_endpoint')
        const stopped = teams.filter((team) => team[effect] === 'stopped')
        if (moved.length + stopped.length === 0) return <p>No team loses its last endpoint.</p>
        return (
          <div className="flex flex-col gap-2">
            {stopped.length > 0 && (
              <Callout tone="bad" title="Requests of these teams stop">
                {listNames(stopped)}. They have no other enabled endpoint.
              </Callout>
            )}
            {moved.length > 0 && (
              <Callout tone="warn" title="These teams move to the default endpoint">
                {listNames(moved)}. They have no other endpoint.
              </Callout>
            )}
          </div>
        )
      }}
    </QueryView>
  )
}

function listNames(teams: readonly Team[]): string {
  return teams.map(({ name }) => name).join(', ')
}
