/** What the spend would have been with another model. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { fill } from '../../app/slot.tsx'
import { spendCards } from '../../modules/analytics/slots.ts'

export const whatIf: PortalExtension = {
  fillings: [fill(spendCards, async () => (await import('./what-if.tsx')).WhatIfCard)],
}
