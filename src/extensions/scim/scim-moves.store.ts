/** Moves many people between teams at once: groups have thousands of members, and one by one would hold up every other change. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { User } from '../../foundation/domain/user.ts'
import { toUser } from '../../modules/people/users.store.ts'

export interface TeamMove {
  readonly userId: string
  readonly from: string | null
  readonly to: string | null
}

export function createScimMoveStore(db: Kysely<Schema>) {
  return {
    findUsers: async (userIds: readonly string[]): Promise<readonly User[]> => {
      const rows = await db.selectFrom('users').selectAll().where(sql<boolean>`id = any(${userIds}::uuid[])`).execute()
      return rows.map(toUser)
    },

    /** By user: the team of the group joined last, of those that have one. */
    findLastTeams: async (userIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const { rows } = await sql<{ user_id: string; team_id: string }>`
        select distinct on (user_id) user_id, team_id
        from scim_members join scim_groups on scim_groups.id = scim_members.group_id
        where user_id = any(${userIds}::uuid[]) and team_id is not null
        order by user_id, position desc`.execute(db)
      return new Map(rows.map((row) => [row.user_id, row.team_id]))
    },

    /** A key that names its owner's team goes along; one that an administrator gave to another team stays there. */
    move: async (moves: readonly TeamMove[]): Promise<void> => {
      const ids = moves.map((move) => move.userId)
      const targets = moves.map((move) => move.to)
      const sources = moves.map((move) => move.from)
      await sql`
        update virtual_keys set team_id = moved.target
        from unnest(${ids}::uuid[], ${sources}::uuid[], ${targets}::uuid[]) as moved (id, source, target)
        where virtual_keys.user_id = moved.id and virtual_keys.team_id = moved.source`.execute(db)
      await sql`
        update users set team_id = moved.target
        from unnest(${ids}::uuid[], ${targets}::uuid[]) as moved (id, target)
        where users.id = moved.id`.execute(db)
    },
  }
}
