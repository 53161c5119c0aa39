/** Rejects requests for models without a price when the setting `unpriced_models` is `refuse`. */
import { problem } from '../../foundation/domain/errors.ts'
import { findPrice } from '../../foundation/domain/find-price.ts'
import { modelIdForText, withoutAccount } from '../../foundation/domain/model-id.ts'
import type { Snapshot } from '../../foundation/domain/snapshot.ts'
import type { Candidate, Routed } from '../call.ts'

/** Keeps the candidates that have a price. A price depends on the profile, so one endpoint may have it and another not. */
export function requirePrice(
  call: Pick<Routed, 'model' | 'candidates'>,
  { settings, prices }: Pick<Snapshot, 'settings' | 'prices'>,
): readonly Candidate[] {
  if (settings.unpriced_models === 'estimate') return call.candidates
  const { hostedModelId, requestedId } = call.model
  const candidates = call.candidates.filter(
    ({ modelId, endpoint }) =>
      findPrice(prices, { invokedId: modelId, hostedModelId, region: endpoint.region }) !== undefined,
  )
  if (candidates.length > 0) return candidates
  const names = { model: modelIdForText(requestedId), hosted: modelIdForText(withoutAccount(hostedModelId)) }
  throw problem('model_without_price', names)
}
