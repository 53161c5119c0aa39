/** Runtime settings: kept in the database, changed without a restart. */
import { isTimeZone } from './usage-range.ts'

export const webSearchModes = ['enabled', 'disabled', 'global'] as const
export type WebSearchMode = (typeof webSearchModes)[number]

/** What happens to requests for a model without a price. */
export const unpricedModelRules = ['estimate', 'refuse'] as const
export type UnpricedModelRule = (typeof unpricedModelRules)[number]

export interface Settings {
  readonly virtual_keys_enabled: boolean
  readonly admin_login_enabled: boolean
  readonly session_token_ttl_hours: number
  readonly websearch_mode: WebSearchMode
  readonly websearch_price_usd: number
  readonly capability_probe_aip: boolean
  readonly default_budget: Readonly<Record<string, unknown>> | null
  readonly spend_retention_days: number
  readonly audit_retention_days: number
  readonly digest_time_zone: string
  readonly unpriced_models: UnpricedModelRule
  readonly store_failure_messages: boolean
}

export type SettingKey = keyof Settings

interface SettingSpec {
  readonly default: Settings[SettingKey]
  readonly text: string
  /** Undefined when the value is fine, else what is wrong with it. */
  readonly check: (value: unknown) => string | undefined
}

const aBoolean = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? undefined : 'must be true or false'

const anInteger =
  (low: number, high: number) =>
  (value: unknown): string | undefined =>
    typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high
      ? undefined
      : `must be a whole number from ${low} to ${high}`

export const settingSpecs: Readonly<Record<SettingKey, SettingSpec>> = {
  virtual_keys_enabled: {
    default: true,
    text: 'When false only OIDC and admin password authentication work.',
    check: aBoolean,
  },
  admin_login_enabled: {
    default: true,
    text: 'Enables the admin username and password login form.',
    check: aBoolean,
  },
  session_token_ttl_hours: {
    default: 24,
    text: 'Lifetime of session tokens in hours.',
    check: anInteger(1, 8760),
  },
  websearch_mode: {
    default: 'enabled',
    text: '`enabled`, `disabled` or `global`.',
    check: (value) =>
      webSearchModes.some((mode) => mode === value) ? undefined : `must be one of ${webSearchModes.join(', ')}`,
  },
  websearch_price_usd: {
    default: 0,
    text: 'What one web search costs in USD; charged with the call that made it.',
    check: (value) =>
      typeof value === 'number' && value >= 0 && value <= 100 ? undefined : 'must be a number from 0 to 100',
  },
  capability_probe_aip: {
    default: true,
    text: 'Whether profiles behind AIP overrides are probed for betas.',
    check: aBoolean,
  },
  default_budget: {
    default: null,
    text: 'The budget of users who have none of their own and no team member limit.',
    check: (value) =>
      value === null || (typeof value === 'object' && !Array.isArray(value)) ? undefined : 'must be a budget or null',
  },
  spend_retention_days: {
    default: 400,
    text: 'Days that spend records are kept.',
    check: anInteger(1, 3650),
  },
  audit_retention_days: {
    default: 365,
    text: 'Days that audit records are kept.',
    check: anInteger(1, 3650),
  },
  digest_time_zone: {
    default: 'UTC',
    text: 'IANA name of the time zone that the week of the weekly digest and its Monday morning are of.',
    check: (value) =>
      typeof value === 'string' && value.length <= 64 && isTimeZone(value)
        ? undefined
        : 'must be an IANA time zone such as Europe/Berlin',
  },
  unpriced_models: {
    default: 'estimate',
    text: '`estimate` charges requests for a model without a price at the highest known rates of its family. `refuse` rejects them.',
    check: (value) =>
      unpricedModelRules.some((rule) => rule === value) ? undefined : `must be one of ${unpricedModelRules.join(', ')}`,
  },
  store_failure_messages: {
    default: true,
    text: 'Whether request records keep the message and the limit of a failure. When false, only the kind and the code are kept.',
    check: aBoolean,
  },
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingSpecs, key)
}

export const defaultSettings = Object.freeze(
  Object.fromEntries(Object.entries(settingSpecs).map(([key, spec]) => [key, spec.default])),
) as unknown as Settings
