import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/requests/$id',
  title: 'Request',
  access: 'admin',
  grants: ['ops:operate', 'team:lead'],
  load: async () => (await import('./request-link.tsx')).RequestLinkPage,
}
