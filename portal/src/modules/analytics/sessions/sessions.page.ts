import { Workflow } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/sessions',
  title: 'Sessions',
  access: 'admin',
  nav: { group: 'Organization', order: 30, icon: Workflow },
  keywords: ['agents', 'conversations', 'subagents'],
  load: async () => (await import('./sessions.tsx')).SessionsPage,
}
