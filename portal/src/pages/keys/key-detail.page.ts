import type { PageDefinition } from '../../app/page-registry.ts'

export const page: PageDefinition = {
  path: '/keys/$id',
  title: 'Key',
  access: 'admin',
  load: async () => (await import('./key-detail.tsx')).KeyPage,
}
