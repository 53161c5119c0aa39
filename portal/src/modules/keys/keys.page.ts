import { KeyRound } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/keys',
  title: 'Keys',
  access: 'member',
  nav: { group: 'You', order: 4, icon: KeyRound },
  shortcut: 'k',
  keywords: ['virtual key', 'token', 'secret', 'ci', 'revoke', 'rotate'],
  load: async () => (await import('./keys.tsx')).KeysPage,
}
