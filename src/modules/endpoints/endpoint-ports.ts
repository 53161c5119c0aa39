/** What the routes about endpoints and capabilities need from the rest of the gateway. */

import type { InferenceProfile } from '../../bedrock/profiles.ts'
import type { ServiceQuota } from '../../bedrock/quotas.ts'
import type { CapabilityKey } from '../../foundation/domain/capability.ts'
import type { Endpoint, HealthStatus } from '../../foundation/domain/endpoint.ts'
import type { EndpointWarning } from '../../foundation/domain/endpoint-warning.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

export interface EndpointPorts extends Pick<RoutePorts, 'database' | 'changed' | 'snapshot' | 'clock'> {
  readonly findCondition: (endpointId: string) => EndpointCondition
  readonly listWarnings: (endpoint: Endpoint) => readonly EndpointWarning[]
  readonly listProfiles: (endpoint: Endpoint) => Promise<readonly InferenceProfile[]>
  /** Remembers the model behind an application profile, so that its warnings are there before the next check. */
  readonly getProfile: (endpoint: Endpoint, arn: string) => Promise<InferenceProfile>
  /** From memory for five minutes. */
  readonly findQuotas: (endpoint: Endpoint) => Promise<{
    readonly quotas: readonly ServiceQuota[]
    readonly fetchedAtMs: number
  }>
  readonly checkNow: (endpoint: Endpoint) => Promise<EndpointCheck>
  readonly listCapabilities: () => readonly KnownCapability[]
}

export interface EndpointCondition {
  readonly status: HealthStatus
  readonly reason: string | null
  readonly checkedAtMs: number | null
  readonly availableModels: ReadonlySet<string> | undefined
  readonly stats: {
    readonly requests: number
    readonly errors: number
    readonly throttles: number
    readonly failovers: number
    readonly latencyP50Ms: number | null
    readonly latencyP95Ms: number | null
    readonly firstTokenP50Ms: number | null
  }
}

export interface EndpointCheck {
  readonly health: Omit<EndpointCondition, 'stats'>
  readonly permissions: readonly {
    readonly permission: 'invoke' | 'stream' | 'list' | 'get' | 'quotas'
    readonly status: 'ok' | 'denied' | 'failed' | 'not_checked'
    readonly message: string | null
    readonly target: string | null
  }[]
}

export interface KnownCapability extends CapabilityKey {
  readonly verdict: 'supported' | 'unsupported' | 'suspected'
  readonly source: 'learned' | 'override'
  readonly expiresInMs: number | null
}
