import { Settings } from 'lucide-react'
import type { PageDefinition } from '../../app/page-registry.ts'

export const page: PageDefinition = {
  path: '/settings',
  title: 'Settings',
  access: 'admin',
  nav: { group: 'Platform', order: 80, icon: Settings },
  shortcut: 's',
  keywords: ['configuration', 'retention', 'session', 'managed settings'],
  load: async () => (await import('./settings.tsx')).SettingsPage,
}
