/** `causeway capabilities`: the capability cache, under the name that the API gives it. */
import type { Noun } from '../../command/command.ts'
import { listCapabilities } from './betas.ts'

export const capabilities: Noun = {
  name: 'capabilities',
  summary: 'what profiles are known to take (the same as betas list)',
  leaves: [{ ...listCapabilities, routes: [], examples: ['capabilities list --endpoint main'] }],
}
