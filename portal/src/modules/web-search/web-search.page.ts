import { Globe } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/web-search',
  title: 'Web search mode',
  access: 'admin',
  nav: { group: 'Platform', order: 40, icon: Globe },
  keywords: ['websearch', 'tavily', 'serper', 'duckduckgo', 'searxng'],
  load: async () => (await import('./web-search.tsx')).WebSearchPage,
}
