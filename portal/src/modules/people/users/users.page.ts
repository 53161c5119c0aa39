import { UserRound } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/users',
  title: 'People',
  access: 'admin',
  grants: ['audit:read'],
  nav: { group: 'Organization', order: 60, icon: UserRound },
  shortcut: 'u',
  keywords: ['users', 'members', 'roles', 'suspend'],
  load: async () => (await import('./users.tsx')).UsersPage,
}
