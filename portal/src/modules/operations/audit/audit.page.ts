import { ScrollText } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/audit',
  title: 'Audit',
  access: 'admin',
  grants: ['audit:read'],
  nav: { group: 'Platform', order: 70, icon: ScrollText },
  keywords: ['log', 'history', 'who changed', 'sign-ins'],
  load: async () => (await import('./audit.tsx')).AuditPage,
}
