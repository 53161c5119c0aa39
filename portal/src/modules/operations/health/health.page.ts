import { Activity } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/health',
  title: 'Health',
  access: 'admin',
  grants: ['ops:operate'],
  nav: { group: 'Platform', order: 10, icon: Activity },
  keywords: ['status', 'instances', 'loops', 'ledger', 'incident'],
  load: async () => (await import('./health.tsx')).HealthPage,
}
