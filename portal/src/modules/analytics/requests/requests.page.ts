import { ListTree } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-registry.ts'

export const page: PageDefinition = {
  path: '/requests',
  title: 'Requests',
  access: 'admin',
  grants: ['ops:operate', 'team:lead'],
  nav: { group: 'Organization', order: 20, icon: ListTree },
  shortcut: 'r',
  keywords: ['calls', 'log', 'live', 'tail', 'errors'],
  load: async () => (await import('./requests.tsx')).RequestsPage,
}
