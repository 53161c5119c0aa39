/** Whether a profile on an endpoint takes a beta or a body field. */
export interface CapabilityKey {
  readonly endpointId: string
  readonly profileId: string
  /** A beta name, or a body field path such as `context_management` or `tools.defer_loading`. */
  readonly feature: string
}

export interface CapabilityOverride extends CapabilityKey {
  readonly supported: boolean
  readonly reason: string | null
  readonly setBy: string
  readonly updatedAt: string
}

export const LONG_CONTEXT_BETA = 'context-1m-2025-08-07'
/** What the beta promises. */
export const LONG_CONTEXT_TOKENS = 1_000_000
