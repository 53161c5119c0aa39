import { ListTree } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-registry.ts'

export const page: PageDefinition = {
  path: '/me/requests',
  title: 'My requests',
  access: 'member',
  nav: { group: 'You', order: 3, icon: ListTree },
  keywords: ['log', 'calls', 'history', 'cost', 'errors'],
  load: async () => (await import('./my-requests.tsx')).MyRequestsPage,
}
