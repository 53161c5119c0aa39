/** The tables of provisioning by identity providers, as Kysely sees them. */
import type { ColumnType, Generated } from 'kysely'

type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>
type OptionalTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

export interface ScimSchema {
  scim_settings: { idp_id: string; admin_group: string | null }
  scim_tokens: ScimTokenTable
  scim_users: ScimUserTable
  scim_groups: ScimGroupTable
  scim_members: { group_id: string; user_id: string; position: Generated<number> }
}

export interface ScimTokenTable {
  id: string
  idp_id: string
  name: string
  hash: Buffer
  prefix: string
  created_by: string
  created_at: DefaultTime
  expires_at: OptionalTime
  last_used_at: OptionalTime
}

export interface ScimUserTable {
  user_id: string
  idp_id: string
  external_id: string | null
  display_name: string | null
  given_name: string | null
  family_name: string | null
  formatted_name: string | null
  active_unassigned: Generated<boolean>
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface ScimGroupTable {
  id: string
  idp_id: string
  display_name: string
  external_id: string | null
  team_id: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}
