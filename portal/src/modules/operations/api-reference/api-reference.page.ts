import { BookOpen } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/api',
  title: 'API reference',
  access: 'member',
  nav: { group: 'Platform', order: 90, icon: BookOpen },
  keywords: ['openapi', 'curl', 'routes', 'documentation'],
  load: async () => (await import('./api-reference.tsx')).ApiReferencePage,
}
