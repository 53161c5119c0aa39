import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/users/$id',
  title: 'Person',
  access: 'admin',
  grants: ['audit:read'],
  load: async () => (await import('./user-detail.tsx')).UserPage,
}
