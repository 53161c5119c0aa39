import { HandCoins } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/budget-requests',
  title: 'Budget requests',
  access: 'admin',
  grants: ['team:lead'],
  nav: { group: 'Organization', order: 45, icon: HandCoins, waiting: '/admin/budget-requests' },
  keywords: ['more money', 'approve', 'top-up'],
  load: async () => (await import('./budget-requests.tsx')).BudgetRequestsPage,
}
