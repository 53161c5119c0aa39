/** Groups of an identity provider, their members in the order of joining, and which group makes administrators. */
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { ScimGroupTable } from '../../foundation/database/scim/scim-schema.ts'
import { newId } from '../../foundation/platform/ids.ts'
import { groupCondition, joinConditions, type ScimCondition, type ScimGroupAttribute } from './scim-filter.store.ts'
import type { ScimSlice } from './scim-users.store.ts'

export interface ScimGroupRecord {
  readonly id: string
  readonly displayName: string
  readonly externalId: string | null
  readonly teamId: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ScimMember {
  readonly userId: string
  readonly userName: string
}

export interface ScimGroupValues {
  readonly displayName: string
  readonly externalId: string | null
  readonly teamId: string | null
}

function toRecord(row: Selectable<ScimGroupTable>): ScimGroupRecord {
  return {
    id: row.id,
    displayName: row.display_name,
    externalId: row.external_id,
    teamId: row.team_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function toColumns({ displayName, externalId, teamId }: ScimGroupValues) {
  return { display_name: displayName, external_id: externalId, team_id: teamId }
}

export function createScimGroupStore(db: Kysely<Schema>, idpId: string) {
  const groups = () => db.selectFrom('scim_groups').where('idp_id', '=', idpId)
  const matching = (conditions: readonly ScimCondition<ScimGroupAttribute>[]): RawBuilder<boolean> =>
    joinConditions(conditions.map(groupCondition))

  return {
    find: async (id: string): Promise<ScimGroupRecord | undefined> => {
      const row = await groups().selectAll().where('id', '=', id).executeTakeFirst()
      return row && toRecord(row)
    },

    findByName: async (displayName: string): Promise<ScimGroupRecord | undefined> => {
      const row = await groups()
        .selectAll()
        .where(sql<boolean>`lower(display_name) = lower(${displayName}::text)`)
        .executeTakeFirst()
      return row && toRecord(row)
    },

    count: async (conditions: readonly ScimCondition<ScimGroupAttribute>[]): Promise<number> => {
      const row = await groups()
        .select(sql<number>`count(*)`.as('total'))
        .where(matching(conditions))
        .executeTakeFirstOrThrow()
      return Number(row.total)
    },

    list: async (
      conditions: readonly ScimCondition<ScimGroupAttribute>[],
      { offset, limit }: ScimSlice,
    ): Promise<readonly ScimGroupRecord[]> => {
      const rows = await groups()
        .selectAll()
        .where(matching(conditions))
        .orderBy('created_at')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },

    insert: async (values: ScimGroupValues): Promise<ScimGroupRecord> => {
      const row = await db
        .insertInto('scim_groups')
        .values({ id: newId(), idp_id: idpId, ...toColumns(values) })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toRecord(row)
    },

    update: async (id: string, values: ScimGroupValues): Promise<void> => {
      await db
        .updateTable('scim_groups')
        .set({ ...toColumns(values), updated_at: new Date() })
        .where('id', '=', id)
        .where('idp_id', '=', idpId)
        .execute()
    },

    remove: async (id: string): Promise<void> => {
      await db.deleteFrom('scim_groups').where('id', '=', id).where('idp_id', '=', idpId).execute()
    },

    /** By group, each in the order of joining. */
    listMembers: async (groupIds: readonly string[]): Promise<ReadonlyMap<string, readonly ScimMember[]>> => {
      const members = new Map<string, ScimMember[]>(groupIds.map((id) => [id, []]))
      if (groupIds.length === 0) return members
      const rows = await db
        .selectFrom('scim_members')
        .innerJoin('users', 'users.id', 'scim_members.user_id')
        .select(['group_id', 'user_id', 'subject'])
        .where(sql<boolean>`group_id = any(${groupIds}::uuid[])`)
        .orderBy('position')
        .execute()
      for (const row of rows) members.get(row.group_id)?.push({ userId: row.user_id, userName: row.subject })
      return members
    },

    addMembers: async (groupId: string, userIds: readonly string[]): Promise<void> => {
      await sql`
        insert into scim_members (group_id, user_id)
        select ${groupId}::uuid, id from unnest(${userIds}::uuid[]) with ordinality as one (id, place) order by place
        on conflict do nothing`.execute(db)
    },

    removeMembers: async (groupId: string, userIds: readonly string[]): Promise<void> => {
      await sql`
        delete from scim_members where group_id = ${groupId}::uuid and user_id = any(${userIds}::uuid[])`.execute(db)
    },

    findTeamByName: async (name: string): Promise<string | undefined> => {
      const row = await db
        .selectFrom('teams')
        .select('id')
        .where(sql<boolean>`lower(name) = lower(${name}::text)`)
        .executeTakeFirst()
      return row?.id
    },

    /** Whether a group of any provider but this one maps to the team. */
    isTeamShared: async (teamId: string, groupId: string): Promise<boolean> => {
      const row = await db
        .selectFrom('scim_groups')
        .select('id')
        .where('team_id', '=', teamId)
        .where('id', '<>', groupId)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    findAdminGroup: async (): Promise<string | null> => {
      const row = await db
        .selectFrom('scim_settings')
        .select('admin_group')
        .where('idp_id', '=', idpId)
        .executeTakeFirst()
      return row?.admin_group ?? null
    },

    setAdminGroup: async (name: string | null): Promise<void> => {
      await db
        .insertInto('scim_settings')
        .values({ idp_id: idpId, admin_group: name })
        .onConflict((conflict) => conflict.column('idp_id').doUpdateSet({ admin_group: name }))
        .execute()
    },
  }
}

export type ScimGroupStore = ReturnType<typeof createScimGroupStore>
