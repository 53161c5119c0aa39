import { Bell } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'
import { notificationCards } from './slots.ts'

export const page: PageDefinition = {
  path: '/notifications',
  title: 'Notifications',
  access: 'admin',
  grants: ['ops:operate'],
  nav: { group: 'Platform', order: 50, icon: Bell },
  keywords: ['webhook', 'topic', 'event bus', 'alerts', 'deliveries'],
  slots: [notificationCards],
  load: async () => (await import('./notifications.tsx')).NotificationsPage,
}
