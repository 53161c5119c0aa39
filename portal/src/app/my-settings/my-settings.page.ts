import { Settings2 } from 'lucide-react'
import type { PageDefinition } from '../page-definition.ts'

export const page: PageDefinition = {
  path: '/me/settings',
  title: 'My settings',
  access: 'member',
  nav: { group: 'You', order: 9, icon: Settings2 },
  keywords: ['theme', 'dark', 'time zone', 'shortcuts', 'account', 'sign out'],
  load: async () => (await import('./my-settings.tsx')).MySettingsPage,
}
