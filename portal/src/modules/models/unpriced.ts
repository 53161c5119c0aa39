/** Which models an administrator has to price. */
import type { Answer } from '../../api/client.ts'

export type Unpriced = Answer<'/admin/status', 'get'>['unpriced_models'][number]

/** The gateway also lists models that have got their price since: nothing is left to do about those. */
export function withoutPrice(models: readonly Unpriced[]): readonly Unpriced[] {
  return models.filter(({ has_price: hasPrice }) => !hasPrice)
}

export function unpricedTitle(models: readonly Unpriced[]): string {
  const used = models.filter(({ requests }) => requests > 0).length
  const one = models.length === 1
  if (used === models.length) return `${used} ${one ? 'model is' : 'models are'} used without a price`
  const all = `${models.length} ${one ? 'model has' : 'models have'} no price`
  return used === 0 ? all : `${all}, ${used} of them ${used === 1 ? 'is' : 'are'} used`
}
