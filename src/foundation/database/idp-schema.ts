/** The table of identity providers, as Kysely sees it. */
import type { ColumnType, Generated } from 'kysely'
import type { IdpLogout, UserClaim } from '../domain/idp.ts'
import type { Role } from '../domain/user.ts'

export interface IdpTable {
  id: string
  name: string
  issuer_url: string
  audience: string
  client_id: string | null
  client_secret: Buffer | null
  jwks_url: string | null
  user_claim: Generated<UserClaim>
  auto_provision: Generated<boolean>
  default_role: Generated<Role>
  allowed_domains: string[] | null
  enabled: Generated<boolean>
  logout: Generated<IdpLogout>
  created_at: ColumnType<Date, Date | string | undefined, Date | string>
}
