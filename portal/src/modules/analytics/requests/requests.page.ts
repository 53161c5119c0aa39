import { ListTree } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'
import { viewActions } from '../slots.ts'

export const page: PageDefinition = {
  path: '/requests',
  title: 'Requests',
  access: 'admin',
  grants: ['ops:operate', 'team:lead'],
  nav: { group: 'Organization', order: 20, icon: ListTree },
  shortcut: 'r',
  keywords: ['calls', 'log', 'live', 'tail', 'errors'],
  slots: [viewActions],
  load: async () => (await import('./requests.tsx')).RequestsPage,
}
