import { PiggyBank } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/budgets',
  title: 'Budgets',
  access: 'admin',
  grants: ['billing:read'],
  nav: { group: 'Organization', order: 40, icon: PiggyBank },
  shortcut: 'b',
  keywords: ['limits', 'caps', 'money'],
  load: async () => (await import('./budgets.tsx')).BudgetsPage,
}
