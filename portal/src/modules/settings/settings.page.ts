import { Settings } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'
import { settingsTabs } from './slots.ts'

export const page: PageDefinition = {
  path: '/settings',
  title: 'Settings',
  access: 'admin',
  nav: { group: 'Platform', order: 80, icon: Settings },
  shortcut: 's',
  keywords: ['configuration', 'retention', 'session', 'managed settings'],
  slots: [settingsTabs],
  load: async () => (await import('./settings.tsx')).SettingsPage,
}
