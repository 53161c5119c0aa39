/** The tables as Kysely sees them. Kept by hand beside the migrations; rows become domain nouns in the repositories. */
import type { ColumnType, Generated } from 'kysely'
import type { BudgetPeriod, BudgetRule } from '../domain/budget.ts'
import type { BudgetRequestStatus, GrantForm } from '../domain/budget-request.ts'
import type { RoutingPrefix } from '../domain/endpoint.ts'
import type { MappingSource } from '../domain/model-mapping.ts'
import type { EventCategory, NotificationEvent } from '../domain/notification.ts'
import type { DestinationType } from '../domain/notification-destination.ts'
import type { PriceScope, PriceSource, Rates } from '../domain/price.ts'
import type { SignInVia } from '../domain/sign-in.ts'
import type { RoutingStrategy } from '../domain/team.ts'
import type { Role } from '../domain/user.ts'
import type { IdpTable } from './idp-schema.ts'
import type { ScimSchema } from './scim/scim-schema.ts'
import type { SpendSchema } from './spend-schema.ts'

/** Read as Date; written as Date or ISO text. */
type Time = ColumnType<Date, Date | string, Date | string>
type OptionalTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>
type WrittenByTrigger = ColumnType<number, never, never>
/** Written as JSON text: pg would turn a JS array into a Postgres array. */
type Json<T> = ColumnType<T, string, string>
type OptionalJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export interface Schema extends ScimSchema, SpendSchema {
  cache_versions: { section: string; version: number }
  snapshot_removals: { section: string; revision: number; key: string; removed_at: DefaultTime }
  instance_secrets: { name: string; value: Buffer; created_at: DefaultTime }
  proxy_settings: { key: string; value: Json<unknown>; updated_at: DefaultTime; updated_by: string }
  revoked_sessions: { id: string; expires_at: Time }
  sign_ins: SignInTable
  audit_log: AuditTable
  login_requests: LoginRequestTable
  refresh_tokens: RefreshTokenTable
  managed_settings: ManagedSettingsTable
  former_names: { id: string; kind: string; name: string; removed_at: DefaultTime }
  teams: { id: string; name: string; routing_strategy: Generated<RoutingStrategy>; created_at: DefaultTime }
  users: UserTable
  virtual_keys: KeyTable
  idps: IdpTable
  endpoints: EndpointTable
  aip_overrides: AipOverrideTable
  key_addresses: { key_id: string; address: string; first_seen_at: Time; last_seen_at: Time }
  team_endpoints: { team_id: string; endpoint_id: string; priority: number }
  model_mappings: MappingTable
  capability_overrides: CapabilityTable
  capability_probes: CapabilityProbeTable
  search_providers: SearchProviderTable
  saved_views: SavedViewTable
  model_prices: PriceTable
  budgets: BudgetTable
  budget_top_ups: BudgetTopUpTable
  budget_requests: BudgetRequestTable
  key_expiry_notices: KeyExpiryNoticeTable
  notification_configs: NotificationConfigTable
  notification_outbox: NotificationOutboxTable
  notification_intervals: { key: string; fired_at: Time }
  notification_deliveries: NotificationDeliveryTable
}

export interface SavedViewTable {
  user_id: string
  name: string
  path: string
  updated_at: DefaultTime
}

export interface AuditTable {
  id: string
  at: Time
  actor: string
  action: string
  target: string | null
  before: OptionalJson<unknown>
  after: OptionalJson<unknown>
  source_address: string | null
  request_id: string | null
}

export interface LoginRequestTable {
  id: string
  kind: 'cli' | 'device'
  secret_hash: Buffer
  user_code: string
  asked_from: string
  client: string | null
  state: Generated<'pending' | 'approved' | 'denied'>
  user_id: string | null
  polled_at: OptionalTime
  created_at: DefaultTime
  expires_at: Time
}

export interface SignInTable {
  id: string
  user_id: string
  via: SignInVia
  session_epoch: number
  client: string | null
  source_address: string | null
  created_at: Time
  last_used_at: Time
  expires_at: Time
  ended_at: OptionalTime
}

export interface RefreshTokenTable {
  hash: Buffer
  family: string
  user_id: string
  session_epoch: number
  used_at: OptionalTime
  created_at: DefaultTime
  expires_at: Time
}

export interface ManagedSettingsTable {
  id: string
  team_id: string | null
  document: Json<Readonly<Record<string, unknown>>>
  updated_at: DefaultTime
  updated_by: string
}

export interface UserTable {
  id: string
  subject: string
  email: string | null
  role: Role
  grants: Generated<string[]>
  team_id: string | null
  active: Generated<boolean>
  issuer: string | null
  oidc_subject: string | null
  bootstrap: Generated<boolean>
  session_epoch: Generated<number>
  last_seen_at: OptionalTime
  models_listed_at: OptionalTime
  created_at: DefaultTime
  revision: WrittenByTrigger
}

export interface KeyTable {
  id: string
  name: string
  hash: Buffer
  prefix: string
  user_id: string | null
  team_id: string | null
  rate_limit_rpm: number | null
  allowed_models: string[] | null
  expires_at: OptionalTime
  revoked_at: OptionalTime
  last_used_at: OptionalTime
  created_by: string
  created_at: DefaultTime
  revision: WrittenByTrigger
}

export interface EndpointTable {
  id: string
  name: string
  region: string
  routing_prefix: RoutingPrefix
  priority: Generated<number>
  enabled: Generated<boolean>
  is_default: Generated<boolean>
  role_arn: string | null
  external_id: string | null
  inference_profile_arn: string | null
  created_at: DefaultTime
}

export interface AipOverrideTable {
  endpoint_id: string
  model_id: string
  aip_arn: string
  reason: string | null
  set_by: string
  created_at: DefaultTime
  updated_at: DefaultTime
}

export interface MappingTable {
  vendor_prefix: string
  hosted_model_id: string
  display_name: string
  context_window: number | null
  max_output_tokens: number | null
  source: MappingSource
  created_at: DefaultTime
}

export interface CapabilityTable {
  endpoint_id: string
  profile_id: string
  feature: string
  supported: boolean
  reason: string | null
  set_by: string
  updated_at: DefaultTime
}

export interface CapabilityProbeTable {
  endpoint_id: string
  profile_id: string
  feature: string
  verdict: 'supported' | 'unsupported' | null
  settled_at: OptionalTime
  next_at: Time
  claimed_until: OptionalTime
  failure: string | null
}

export interface SearchProviderTable {
  id: string
  user_id: string | null
  provider_type: string
  api_key: Buffer | null
  api_url: string | null
  max_results: number
  updated_at: DefaultTime
}

export interface PriceTable {
  model_id: string
  scope: PriceScope
  source: PriceSource
  input: number
  output: number
  cache_read: number
  cache_write_5m: number
  cache_write_1h: number | null
  long_context: OptionalJson<{ abovePromptTokens: number; rates: Rates }>
  updated_at: DefaultTime
}

export interface BudgetTable {
  id: string
  user_id: string | null
  team_id: string | null
  limit_nano_usd: number
  period: BudgetPeriod
  policy: string | null
  rules: Json<readonly BudgetRule[]>
  member_limit_nano_usd: number | null
  updated_at: DefaultTime
}

export interface BudgetTopUpTable {
  id: string
  user_id: string | null
  team_id: string | null
  amount_nano_usd: number
  ends_at: Time
  reason: string | null
  created_by: string
  created_at: DefaultTime
}

export interface BudgetRequestTable {
  id: string
  user_id: string
  team_id: string | null
  amount_nano_usd: number
  reason: string | null
  status: Generated<BudgetRequestStatus>
  created_at: DefaultTime
  decided_at: OptionalTime
  decided_by: string | null
  note: string | null
  granted_nano_usd: number | null
  granted_as: GrantForm | null
}

export interface KeyExpiryNoticeTable {
  key_id: string
  expires_at: Time
  days: number
}

export interface NotificationConfigTable {
  slot: 'active' | 'draft'
  destination_type: DestinationType
  destination: string
  secret: Buffer | null
  budget: boolean
  rate_limit: boolean
  keys: Generated<boolean>
  digest: Generated<boolean>
  tested_fingerprint: string | null
  tested_at: OptionalTime
  updated_at: DefaultTime
  updated_by: string
}

export interface NotificationOutboxTable {
  id: string
  dedupe_key: string
  event: Json<NotificationEvent>
  category: EventCategory
  state: Generated<'pending' | 'delivered' | 'dropped' | 'failed'>
  attempts: Generated<number>
  next_attempt_at: DefaultTime
  claimed_until: OptionalTime
  was_outage: Generated<boolean>
  created_at: DefaultTime
}

export interface NotificationDeliveryTable {
  id: string
  event_id: string
  event_type: string
  destination_type: DestinationType
  destination: string
  status: 'delivered' | 'failed'
  attempt: number
  response_status: number | null
  error: string | null
  duration_ms: number
  created_at: DefaultTime
}
