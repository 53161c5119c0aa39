import type { PageDefinition } from '../../app/page-registry.ts'

export const page: PageDefinition = {
  path: '/teams/$id',
  title: 'Team',
  access: 'admin',
  load: async () => (await import('./team-detail.tsx')).TeamPage,
}
