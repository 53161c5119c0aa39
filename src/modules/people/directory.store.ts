/** People and teams in the order of their ids, which is the order in which they came: a page begins after an id, whoever has gone since. */
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { Team } from '../../foundation/domain/team.ts'
import type { Role, User } from '../../foundation/domain/user.ts'
import { toTeam } from './teams.store.ts'
import { toUser } from './users.store.ts'

export interface PlaceRequest {
  readonly limit: number
  readonly afterId?: string | undefined
  /** The page that ends before it. */
  readonly beforeId?: string | undefined
}

export interface DirectoryPage<T> {
  readonly data: readonly T[]
  /** In the direction of the question. */
  readonly hasMore: boolean
}

export interface PeopleRequest extends PlaceRequest {
  /** As it is shown, in any letter case. */
  readonly email?: string | undefined
  readonly roles?: readonly Role[] | undefined
}

export interface TeamsRequest extends PlaceRequest {
  readonly ids?: readonly string[] | undefined
}

export function createDirectory(db: Kysely<Schema>) {
  return {
    people: ({ email, roles, ...place }: PeopleRequest): Promise<DirectoryPage<User>> => {
      let query = db.selectFrom('users').selectAll()
      if (email !== undefined)
        query = query.where(sql<boolean>`lower(coalesce(email, subject)) = lower(${email}::text)`)
      if (roles !== undefined) query = query.where(sql<boolean>`role = any(${roles}::text[])`)
      return readPlace(query, place, toUser)
    },

    teams: ({ ids, ...place }: TeamsRequest): Promise<DirectoryPage<Team>> => {
      let query = db.selectFrom('teams').selectAll()
      if (ids !== undefined) query = query.where(sql<boolean>`id = any(${ids}::uuid[])`)
      return readPlace(query, place, toTeam)
    },
  }
}

async function readPlace<Table extends 'users' | 'teams', T>(
  query: SelectQueryBuilder<Schema, Table, Selectable<Schema[Table]>>,
  { limit, afterId, beforeId }: PlaceRequest,
  toItem: (row: Selectable<Schema[Table]>) => T,
): Promise<DirectoryPage<T>> {
  const isBackward = beforeId !== undefined
  let placed = query.orderBy(sql`id ${sql.raw(isBackward ? 'desc' : 'asc')}`).limit(limit + 1)
  if (afterId !== undefined) placed = placed.where(sql<boolean>`id > ${afterId}::uuid`)
  if (beforeId !== undefined) placed = placed.where(sql<boolean>`id < ${beforeId}::uuid`)
  const rows = (await placed.execute()) as Selectable<Schema[Table]>[]
  const shown = rows.slice(0, limit).map(toItem)
  return { data: isBackward ? shown.reverse() : shown, hasMore: rows.length > limit }
}
