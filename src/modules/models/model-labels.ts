/**
 * Which model a call is counted under. Clients may send any id, so the label is the foundation model behind it, and
 * only one that the mappings know; every other call is counted as `other`, and one that named no model as `none`.
 */
import { findFoundationModelId } from '../../foundation/domain/model-id.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { SpendRecord } from '../../foundation/domain/spend-record.ts'

const OTHER_MODEL = 'other'
export const NO_MODEL = 'none'

export function createModelLabels(snapshot: () => Pick<Snapshot, 'mappings'>) {
  let readFrom: Snapshot['mappings'] | undefined
  const byRequestedId = new Map<string, string>()
  const known = new Set<string>()

  const learn = (mappings: Snapshot['mappings']): void => {
    readFrom = mappings
    byRequestedId.clear()
    known.clear()
    for (const [requestedId, { hostedModelId }] of mappings) {
      const label = findFoundationModelId(hostedModelId)
      if (label === undefined) continue
      known.add(label)
      byRequestedId.set(requestedId, label)
      byRequestedId.set(`${requestedId}[1m]`, label)
    }
  }

  return ({ model, hostedModel }: Pick<SpendRecord, 'model' | 'hostedModel'>): string => {
    const { mappings } = snapshot()
    if (mappings !== readFrom) learn(mappings)
    const found = byRequestedId.get(model)
    if (found !== undefined) return found
    if (model === '') return NO_MODEL
    // Named by its hosted id, or discovered a moment ago.
    const behind = hostedModel === null ? undefined : findFoundationModelId(hostedModel)
    return behind !== undefined && known.has(behind) ? behind : OTHER_MODEL
  }
}
