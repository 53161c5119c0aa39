/** The permissions of an endpoint's credentials, and which of them it cannot do without. */
import type { Row } from '../../output/render.ts'

export interface PermissionRow {
  readonly permission: string
  readonly status: string
  readonly message: string | null
}

const actions: Readonly<Record<string, string>> = {
  invoke: 'bedrock:InvokeModel',
  stream: 'bedrock:InvokeModelWithResponseStream',
  list: 'bedrock:ListInferenceProfiles',
  get: 'bedrock:GetInferenceProfile',
  quotas: 'servicequotas:ListServiceQuotas',
}

export function toAction({ permission }: PermissionRow): string {
  return actions[permission] ?? permission
}

/** Whether it has overrides, or the profile of an old release: only these are read one by one. */
export function hasOwnProfiles(endpoint: Row): boolean {
  return endpoint.aip_overrides.length > 0 || endpoint.inference_profile_arn !== null
}

/** Quotas are shown and nothing more. */
export function isNeeded({ permission }: PermissionRow, ownProfiles: boolean): boolean {
  if (permission === 'quotas') return false
  return permission !== 'get' || ownProfiles
}

export function isMissing({ status }: PermissionRow): boolean {
  return status === 'denied' || status === 'failed'
}
