import { ChartNoAxesCombined } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'
import { spendCards, viewActions } from '../slots.ts'

export const page: PageDefinition = {
  path: '/org-analytics',
  title: 'Analytics',
  access: 'admin',
  grants: ['billing:read', 'team:lead'],
  nav: { group: 'Organization', order: 10, icon: ChartNoAxesCombined },
  shortcut: 'a',
  keywords: ['spend', 'cost', 'usage', 'forecast', 'export', 'csv', 'reconcile', 'bill', 'invoice'],
  slots: [spendCards, viewActions],
  load: async () => (await import('./org-analytics.tsx')).OrgAnalyticsPage,
}
