import { ListTree } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'
import { viewActions } from '../slots.ts'

export const page: PageDefinition = {
  path: '/me/requests',
  title: 'My requests',
  access: 'member',
  nav: { group: 'You', order: 3, icon: ListTree },
  keywords: ['log', 'calls', 'history', 'cost', 'errors'],
  slots: [viewActions],
  load: async () => (await import('./my-requests.tsx')).MyRequestsPage,
}
