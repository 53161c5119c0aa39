import { Boxes } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/models',
  title: 'Models',
  access: 'admin',
  grants: ['ops:operate', 'billing:read'],
  nav: { group: 'Platform', order: 30, icon: Boxes },
  shortcut: 'm',
  keywords: ['mappings', 'prices', 'pricing', 'resolve', 'unpriced'],
  load: async () => (await import('./models.tsx')).ModelsPage,
}
