/** Why a request was rejected or failed, in a form that is stored with its record and shown to people. */
import type { Settings } from './settings.ts'

export const failureKinds = [
  'budget',
  'rate_limit',
  'token_limit',
  'concurrency',
  'model_access',
  'credential',
  'invalid_request',
  'throttled_by_aws',
  'aws_access',
  'aws_unavailable',
  'guardrail',
  'timeout',
  'network',
  'client_left',
  'gateway',
] as const
export type FailureKind = (typeof failureKinds)[number]

export const limitScopes = ['key', 'user', 'team', 'default'] as const
export const limitUnits = ['usd', 'requests_per_minute'] as const

/** The limit that rejected a request, as it was at that moment. */
export interface ReachedLimit {
  /** `default`: the default budget for users, applied to the user in `id`. */
  readonly scope: (typeof limitScopes)[number]
  readonly id: string
  readonly name: string
  readonly limit: number
  readonly used: number
  readonly unit: (typeof limitUnits)[number]
  readonly resetsAtMs: number
}

export interface FailureReason {
  readonly kind: FailureKind
  /** A code of the error catalogue, or the name of an AWS exception. */
  readonly code: string
  /** The sentence that the client received; null when failure messages are not stored. */
  readonly message: string | null
  readonly limit: ReachedLimit | null
}

/** What is kept of a reason: nothing but its kind and code while the setting `store_failure_messages` is off. */
export function keepAllowed(reason: FailureReason, settings: Pick<Settings, 'store_failure_messages'>): FailureReason {
  if (settings.store_failure_messages) return reason
  return { kind: reason.kind, code: reason.code, message: null, limit: null }
}
