import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/keys/$id',
  title: 'Key',
  access: 'admin',
  grants: ['audit:read'],
  load: async () => (await import('./key-detail.tsx')).KeyPage,
}
