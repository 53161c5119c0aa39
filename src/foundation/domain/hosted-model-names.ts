/** Which model an invoked profile is, and how clients call it, where only the profile is known. */
import type { Endpoint } from './endpoint.ts'
import { findFoundationModelId } from './model-id.ts'
import type { Snapshot } from './snapshot.ts'

export interface HostedModelNames {
  /** Null for an application profile whose override was removed. */
  readonly hostedModelId: string | null
  /** The client id, so that the record is counted with the requests of clients. */
  readonly model: string
}

export function findHostedModelNames(
  hostedModel: string,
  endpoint: Endpoint | undefined,
  { mappings }: Pick<Snapshot, 'mappings'>,
): HostedModelNames {
  // An application profile does not name its model; the override that leads to it does.
  const named = endpoint?.aipOverrides.find(({ aipArn }) => aipArn === hostedModel)?.modelId ?? hostedModel
  const hostedModelId = findFoundationModelId(mappings.get(named)?.hostedModelId ?? named) ?? null
  for (const mapping of mappings.values())
    if (mapping.hostedModelId === hostedModelId) return { hostedModelId, model: mapping.vendorPrefix }
  return { hostedModelId, model: hostedModelId ?? hostedModel }
}
