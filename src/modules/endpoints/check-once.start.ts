/** Checks endpoints once, without a gateway: for the command line on the machine where the gateway would run. */

import { getInferenceProfile, listInferenceProfiles } from '../../bedrock/profiles.ts'
import { listServiceQuotas } from '../../bedrock/quotas.ts'
import type { ServiceCaller } from '../../bedrock/service-caller.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import type { EndpointWarning } from '../../foundation/domain/endpoint-warning.ts'
import type { ModelHost } from '../../foundation/domain/model-host.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import { systemClock } from '../../foundation/platform/clock.ts'
import { neverChecked } from './endpoint-conditions.memory.ts'
import { listEndpointWarnings } from './endpoint-warnings.service.ts'
import { checkEndpoint } from './health-check.loop.ts'
import { checkPermissions, type EndpointCheck } from './permission-check.loop.ts'
import { callSynthetically } from './synthetic-call.service.ts'

export interface CheckedEndpoint {
  readonly name: string
  readonly hasOwnProfiles: boolean
  readonly check: EndpointCheck
  readonly warnings: readonly EndpointWarning[]
}

export interface CheckParts {
  readonly service: ServiceCaller
  readonly host: ModelHost
  readonly snapshot: Snapshot
}

/** Makes two requests of one token. No gateway runs, so nothing records them. */
export async function checkOnce(endpoint: Endpoint, { service, host, snapshot }: CheckParts): Promise<CheckedEndpoint> {
  const getProfile = (one: Endpoint, id: string) => getInferenceProfile(service, one, id)
  const check = await checkPermissions(endpoint, {
    check: (checked) =>
      checkEndpoint(checked, {
        listProfiles: (one) => listInferenceProfiles(service, one),
        getProfile,
        readHealth: () => neverChecked,
        nowMs: Date.now,
      }),
    getProfile,
    call: (call) =>
      callSynthetically(call, { host, clock: systemClock, snapshot: () => snapshot, record: async () => undefined }),
    readQuotas: (one) => listServiceQuotas(service, one),
    prices: () => snapshot.prices,
  })
  return {
    name: endpoint.name,
    hasOwnProfiles: endpoint.aipOverrides.length > 0 || endpoint.inferenceProfileArn !== null,
    check,
    warnings: listEndpointWarnings(endpoint, check.health, (id) => snapshot.mappings.get(id)),
  }
}
