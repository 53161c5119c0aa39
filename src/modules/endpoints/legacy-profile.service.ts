/** The deprecated `inference_profile_arn` in a request: its profile's own model gets an override at once. */

import type { Change } from '../../foundation/database/change.ts'
import type { Endpoint } from '../../foundation/domain/endpoint.ts'
import { createAipOverrideStore } from './aip-overrides.store.ts'
import type { EndpointPorts } from './endpoint-ports.ts'
import { aipOverrideBody } from './endpoint-records.fields.ts'

/** Asked before the transaction begins: no lock waits for another company's server. */
export async function findModelOfProfile(
  ports: Pick<EndpointPorts, 'getProfile'>,
  endpoint: Endpoint,
): Promise<string | undefined> {
  if (endpoint.inferenceProfileArn === null) return undefined
  try {
    return (await ports.getProfile(endpoint, endpoint.inferenceProfileArn)).modelIds[0]
  } catch {
    // failure-modes: legacy profile not migrated. The legacy path serves; the next start tries again.
    return undefined
  }
}

export async function addOverrideOfProfile(
  { tx, audit }: Change,
  endpoint: Endpoint,
  modelId: string | undefined,
): Promise<void> {
  if (modelId === undefined || endpoint.inferenceProfileArn === null) return
  const { record } = await createAipOverrideStore(tx).put({
    endpointId: endpoint.id,
    modelId,
    aipArn: endpoint.inferenceProfileArn,
    reason: null,
    setBy: 'admin',
  })
  audit({ action: 'aip_override.put', target: `endpoint:${endpoint.id}`, after: aipOverrideBody(record) })
}
