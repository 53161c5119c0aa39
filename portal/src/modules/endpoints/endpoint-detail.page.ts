import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/endpoints/$id',
  title: 'Endpoint',
  access: 'admin',
  grants: ['ops:operate'],
  load: async () => (await import('./endpoint-detail.tsx')).EndpointPage,
}
