/** The week as a message: its switch and its preview. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { fill } from '../../app/slot.tsx'
import { notificationCards } from '../../modules/notifications/slots.ts'

export const weeklyDigest: PortalExtension = {
  fillings: [
    fill(notificationCards, async () => (await import('./digest-card.tsx')).DigestCard, { category: 'digest' }),
  ],
}
