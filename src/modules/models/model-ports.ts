/** What the routes about models need from the rest of the gateway. */
import type { Endpoint, HealthStatus } from '../../foundation/domain/endpoint.ts'
import type { RoutePorts } from '../../foundation/http/write-change.ts'

export interface ModelPorts extends RoutePorts {
  /** Without an endpoint: as on every enabled one. */
  readonly explainModel: (model: string, endpoint: Endpoint | undefined) => Promise<ModelExplanation>
}

export interface ModelExplanation {
  readonly hostedModelId: string | null
  readonly longContext: boolean
  readonly steps: readonly { readonly step: string; readonly matched: boolean; readonly detail: string }[]
  readonly endpoints: readonly {
    readonly endpointId: string
    readonly name: string
    readonly healthStatus: HealthStatus
    readonly invokedId: string | null
    readonly via: string | null
    readonly detail: string
  }[]
}
