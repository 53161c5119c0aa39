import { Users } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/teams',
  title: 'Teams',
  access: 'admin',
  nav: { group: 'Organization', order: 50, icon: Users },
  shortcut: 't',
  keywords: ['groups', 'members'],
  load: async () => (await import('./teams.tsx')).TeamsPage,
}
