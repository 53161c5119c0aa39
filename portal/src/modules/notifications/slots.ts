/** Places on the pages of this module that extensions fill. */
import type { Slot } from '../../app/slot.tsx'
import type { Category } from './categories.ts'
import type { NotificationConfig } from './destination.ts'

interface NotificationCard {
  /** The card has the switch of this category, so the page shows none for it. */
  readonly category: Category
}

/** For administrators, below the destinations. */
export const notificationCards: Slot<Pick<NotificationConfig, 'active'>, NotificationCard> = {
  name: 'cards for administrators',
}
