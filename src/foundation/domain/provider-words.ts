/** The hosted service's own words as people may read them, without what they tell of the operator's cloud account. */
import { catalogue } from './errors.ts'
import type { ProviderFailure } from './provider-failure.ts'

const ARN = /\barn:aws[a-z-]*:[^\s"'`<>()[\]{},;]*[^\s"'`<>()[\]{},;.:!?]/gi
const ACCOUNT_ID = /(?<![\d.])\d{12}(?![\d.]\d|\d)/g

export function cleanProviderText(text: string): string {
  return text.replace(ARN, '[arn]').replace(ACCOUNT_ID, '[account]')
}

/** The hosted service's own words, without what they may tell of the operator's account. */
export function publicWords(failure: ProviderFailure): string {
  if (failure.kind === 'unreachable') return catalogue.upstream_unreachable.text
  if (failure.kind === 'broken') return catalogue.upstream_broken.text
  if (failure.kind === 'credentials') return 'The gateway has no valid credentials for the hosted model service.'
  const words = cleanProviderText(failure.message.trim())
  if (words === '') return `The hosted model service answered ${failure.name || 'with an error'}.`
  return words
}
