/** A lead asks about the own team and no other: every handler for leads checks here what its call names. */
import { problem } from '../../foundation/domain/errors.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

/** Throws the public error unless each name, where there is one, is the id or the present name of the own team. */
export function requireOwnTeam(
  ports: Pick<RoutePorts, 'snapshot'>,
  ownTeamId: string,
  ...named: readonly (string | undefined)[]
): void {
  const own = [ownTeamId, ports.snapshot().teams.get(ownTeamId)?.name]
  for (const name of named) if (name !== undefined && !own.includes(name)) throw problem('own_team_only')
}
