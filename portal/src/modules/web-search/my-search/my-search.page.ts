import { Globe } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/me/search',
  title: 'My web search',
  access: 'member',
  nav: { group: 'You', order: 5, icon: Globe, label: 'Web search' },
  keywords: ['search provider', 'tavily', 'serper', 'duckduckgo', 'searxng'],
  load: async () => (await import('./my-search.tsx')).MySearchPage,
}
