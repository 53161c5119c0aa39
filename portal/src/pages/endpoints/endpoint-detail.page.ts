import type { PageDefinition } from '../../app/page-registry.ts'

export const page: PageDefinition = {
  path: '/endpoints/$id',
  title: 'Endpoint',
  access: 'admin',
  load: async () => (await import('./endpoint-detail.tsx')).EndpointPage,
}
