import { House } from 'lucide-react'
import type { PageDefinition } from '../page-definition.ts'

export const page: PageDefinition = {
  path: '/',
  title: 'Home',
  access: 'member',
  nav: { group: 'You', order: 1, icon: House },
  shortcut: 'h',
  keywords: ['budget', 'spend', 'start'],
  load: async () => (await import('./home.tsx')).HomePage,
}
