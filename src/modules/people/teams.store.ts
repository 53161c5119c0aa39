/** Teams. Writes touch the section `people`; `remove` also `keys`, `budgets` and `endpoints`. */
import { type Kysely, type Selectable, sql } from 'kysely'
import { containing, type Page, type PageRequest, readPage } from '../../foundation/database/paging.ts'
import type { Schema } from '../../foundation/database/schema.ts'
import type { Team } from '../../foundation/domain/team.ts'
import { newId } from '../../foundation/platform/ids.ts'

export interface TeamRecord extends Team {
  readonly memberCount: number
}

export interface TeamFilter extends PageRequest {
  readonly ids?: readonly string[] | undefined
}

type Row = Selectable<Schema['teams']>

export function toTeam(row: Row): Team {
  return { id: row.id, name: row.name, createdAt: row.created_at.toISOString() }
}

const order = {
  sorts: {
    name: { expression: sql`lower(teams.name)`, type: 'text' },
    created_at: { expression: sql`teams.created_at`, type: 'timestamptz' },
  },
  defaultSort: 'name',
  id: sql`teams.id`,
  idType: 'uuid',
} as const

const memberCount = sql<number>`(select count(*) from users where users.team_id = teams.id)`.as('member_count')

function toTeamRecord(row: Row & { member_count: number }): TeamRecord {
  return { ...toTeam(row), memberCount: row.member_count }
}

export function createTeamStore(db: Kysely<Schema>) {
  const records = () => db.selectFrom('teams').selectAll('teams').select(memberCount)

  const find = async (id: string): Promise<TeamRecord | undefined> => {
    const row = await records().where('id', '=', id).executeTakeFirst()
    return row && toTeamRecord(row)
  }

  return {
    find,

    /** A name that is taken, in whatever case, is a ConflictError of `teams_name_unique`. */
    insert: async (name: string): Promise<TeamRecord> => {
      const row = await db.insertInto('teams').values({ id: newId(), name }).returningAll().executeTakeFirstOrThrow()
      return { ...toTeam(row), memberCount: 0 }
    },

    list: (request: TeamFilter): Promise<Page<TeamRecord>> => {
      const pattern = containing(request.q)
      let query = records()
      if (request.ids !== undefined) query = query.where('id', 'in', [...request.ids])
      if (pattern !== undefined) query = query.where('name', 'ilike', pattern)
      return readPage(query, order, request, toTeamRecord)
    },

    rename: async (id: string, name: string): Promise<TeamRecord | undefined> => {
      await db.updateTable('teams').set({ name }).where('id', '=', id).execute()
      return find(id)
    },

    /** Members stay, without a team. Keys that only the team owned are revoked: nobody's budget would cover them. */
    remove: async (id: string): Promise<boolean> => {
      await db
        .updateTable('virtual_keys')
        .set({ revoked_at: sql<Date>`least(revoked_at, now())` })
        .where('team_id', '=', id)
        .where('user_id', 'is', null)
        .execute()
      const result = await db.deleteFrom('teams').where('id', '=', id).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

export type TeamStore = ReturnType<typeof createTeamStore>
