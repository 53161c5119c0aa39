/**
 * Decides whether a refused count is about the model, so that it would come again for everybody. Only known wordings
 * count: what is about one request, or about credentials that are fetched anew, must not take the counter from others.
 */
import type { ProviderFailure } from '../../foundation/domain/provider-failure.ts'
import { withoutPrefix } from './rejections.ts'

const modelWordings = [
  /^(?:(?:the|this) )?(?:\w+ )?model\b.{0,200}\bcount(?:ing)?[- ]?tokens?\b/i,
  /^(?:the )?(?:provided )?model (?:identifier|id)\b.{0,200}\b(?:invalid|not (?:valid|found|supported))\b/i,
  /^invocation of model id\b.{0,300}\bon-demand throughput/i,
]

/** Keys of the hosted service are refused under the same name as access to a model. */
const KEY_REFUSED = /\b(?:api key|(?:bearer|security) token|authentication|signature)\b/i

export function isAboutModel({ status, name, message }: ProviderFailure): boolean {
  if (status === 404) return true
  if (status === 403) return name === 'AccessDeniedException' && !KEY_REFUSED.test(message)
  if (status !== 400) return false
  const text = withoutPrefix(message)
  return modelWordings.some((wording) => wording.test(text))
}
