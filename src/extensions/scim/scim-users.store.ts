/** Users as the identity provider that manages them sees them. Writes touch the section `people`. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { User } from '../../foundation/domain/user.ts'
import { toUser } from '../../modules/people/users.store.ts'
import { joinConditions, type ScimCondition, type ScimUserAttribute, userCondition } from './scim-filter.store.ts'

/** What only the provider's view of a user has. */
export interface ScimProfile {
  readonly externalId: string | null
  readonly displayName: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  readonly formattedName: string | null
  /** The provider removed `active`; only meaningful while the user is inactive. */
  readonly activeUnassigned: boolean
}

export interface ScimUserRecord {
  readonly user: User
  readonly profile: ScimProfile
  readonly groups: readonly { readonly id: string; readonly displayName: string }[]
  readonly createdAt: string
  readonly updatedAt: string
}

/** Somebody who already has a name that a provider wants to give. */
export interface NameHolder {
  readonly user: User
  /** The provider that manages this user; null when none does. */
  readonly idpId: string | null
}

export interface ScimSlice {
  readonly offset: number
  readonly limit: number
}

const groupsOfUser = sql<{ id: string; displayName: string }[]>`coalesce((
  select json_agg(json_build_object('id', scim_groups.id, 'displayName', scim_groups.display_name)
    order by scim_members.position)
  from scim_members join scim_groups on scim_groups.id = scim_members.group_id
  where scim_members.user_id = users.id), '[]')`.as('groups')

function toColumns(profile: ScimProfile) {
  return {
    external_id: profile.externalId,
    display_name: profile.displayName,
    given_name: profile.givenName,
    family_name: profile.familyName,
    formatted_name: profile.formattedName,
    active_unassigned: profile.activeUnassigned,
  }
}

export function createScimUserStore(db: Kysely<Schema>, idpId: string) {
  const joined = () =>
    db.selectFrom('scim_users').innerJoin('users', 'users.id', 'scim_users.user_id').where('idp_id', '=', idpId)

  const records = () =>
    joined()
      .selectAll('users')
      .select(['external_id', 'display_name', 'given_name', 'family_name', 'formatted_name', 'updated_at'])
      .select('active_unassigned')
      .select(['scim_users.created_at as managed_at', groupsOfUser])

  type Row = Awaited<ReturnType<ReturnType<typeof records>['execute']>>[number]

  const toRecord = (row: Row): ScimUserRecord => ({
    user: toUser(row),
    profile: {
      externalId: row.external_id,
      displayName: row.display_name,
      givenName: row.given_name,
      familyName: row.family_name,
      formattedName: row.formatted_name,
      activeUnassigned: row.active_unassigned,
    },
    groups: row.groups,
    createdAt: row.managed_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  })

  return {
    find: async (userId: string): Promise<ScimUserRecord | undefined> => {
      const row = await records().where('users.id', '=', userId).executeTakeFirst()
      return row && toRecord(row)
    },

    count: async (conditions: readonly ScimCondition<ScimUserAttribute>[]): Promise<number> => {
      const row = await joined()
        .select(sql<number>`count(*)`.as('total'))
        .where(joinConditions(conditions.map(userCondition)))
        .executeTakeFirstOrThrow()
      return Number(row.total)
    },

    list: async (
      conditions: readonly ScimCondition<ScimUserAttribute>[],
      { offset, limit }: ScimSlice,
    ): Promise<readonly ScimUserRecord[]> => {
      const rows = await records()
        .where(joinConditions(conditions.map(userCondition)))
        .orderBy('scim_users.created_at')
        .orderBy('users.id')
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },

    /** Whoever has this name in whatever case, of all users: names are unique across providers. */
    findNameHolders: async (userName: string): Promise<readonly NameHolder[]> => {
      const rows = await db
        .selectFrom('users')
        .leftJoin('scim_users', 'scim_users.user_id', 'users.id')
        .selectAll('users')
        .select('scim_users.idp_id')
        .where(sql<boolean>`lower(users.subject) = lower(${userName}::text)`)
        .execute()
      return rows.map((row) => ({ user: toUser(row), idpId: row.idp_id }))
    },

    findBootstrapName: async (): Promise<string | undefined> => {
      const row = await db.selectFrom('users').select('subject').where('bootstrap', '=', true).executeTakeFirst()
      return row?.subject
    },

    /** The user is managed by this provider from now on. */
    manage: async (userId: string, profile: ScimProfile): Promise<void> => {
      await db
        .insertInto('scim_users')
        .values({ user_id: userId, idp_id: idpId, ...toColumns(profile) })
        .execute()
    },

    update: async (userId: string, profile: ScimProfile): Promise<void> => {
      await db
        .updateTable('scim_users')
        .set({ ...toColumns(profile), updated_at: new Date() })
        .where('user_id', '=', userId)
        .where('idp_id', '=', idpId)
        .execute()
    },

    rename: async (userId: string, subject: string): Promise<void> => {
      await db.updateTable('users').set({ subject }).where('id', '=', userId).execute()
    },

    /** Those of the ids that this provider manages. */
    findKnown: async (userIds: readonly string[]): Promise<ReadonlySet<string>> => {
      if (userIds.length === 0) return new Set()
      const rows = await db
        .selectFrom('scim_users')
        .select('user_id')
        .where('idp_id', '=', idpId)
        .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
        .execute()
      return new Set(rows.map((row) => row.user_id))
    },
  }
}

export type ScimUserStore = ReturnType<typeof createScimUserStore>
