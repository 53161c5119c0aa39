/** What a provider may search users and groups by, as conditions with parameters. */
import { type RawBuilder, sql } from 'kysely'

export type ScimOperator = 'eq' | 'co' | 'sw'

/** All of a list must hold. */
export interface ScimCondition<A extends string> {
  readonly attribute: A
  readonly operator: ScimOperator
  readonly value: string | boolean | null
}

export const userAttributes = ['id', 'userName', 'externalId', 'emails.value', 'active', 'displayName'] as const
export const groupAttributes = ['id', 'externalId', 'displayName', 'members.value'] as const
export type ScimUserAttribute = (typeof userAttributes)[number]
export type ScimGroupAttribute = (typeof groupAttributes)[number]

type Expression = RawBuilder<unknown>

/** RFC 7643: ids and externalId are compared as they are, names and addresses in any case. */
const userColumns: Readonly<Record<ScimUserAttribute, { readonly column: Expression; readonly exact: boolean }>> = {
  id: { column: sql`users.id::text`, exact: true },
  userName: { column: sql`users.subject`, exact: false },
  externalId: { column: sql`scim_users.external_id`, exact: true },
  'emails.value': { column: sql`users.email`, exact: false },
  active: { column: sql`users.active`, exact: true },
  displayName: { column: sql`scim_users.display_name`, exact: false },
}

export function userCondition({ attribute, operator, value }: ScimCondition<ScimUserAttribute>): RawBuilder<boolean> {
  const { column, exact } = userColumns[attribute]
  return compare(column, exact, operator, value)
}

const groupColumns = {
  id: { column: sql`scim_groups.id::text`, exact: true },
  externalId: { column: sql`scim_groups.external_id`, exact: true },
  displayName: { column: sql`scim_groups.display_name`, exact: false },
} as const

export function groupCondition({ attribute, operator, value }: ScimCondition<ScimGroupAttribute>): RawBuilder<boolean> {
  if (attribute !== 'members.value') {
    const { column, exact } = groupColumns[attribute]
    return compare(column, exact, operator, value)
  }
  const isMember = compare(sql`scim_members.user_id::text`, true, operator, value)
  return sql<boolean>`exists (
    select from scim_members where scim_members.group_id = scim_groups.id and ${isMember})`
}

function compare(
  column: Expression,
  exact: boolean,
  operator: ScimOperator,
  value: string | boolean | null,
): RawBuilder<boolean> {
  if (value === null) return sql<boolean>`${column} is null`
  if (typeof value === 'boolean') return sql<boolean>`${column} = ${value}`
  const text = exact ? column : sql`lower(${column})`
  const wanted = exact ? sql`${value}::text` : sql`lower(${value}::text)`
  if (operator === 'eq') return sql<boolean>`${text} = ${wanted}`
  // No pattern language: a value with % or _ means these characters.
  return operator === 'co'
    ? sql<boolean>`strpos(${text}, ${wanted}) > 0`
    : sql<boolean>`starts_with(${text}, ${wanted})`
}

export function joinConditions(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}
