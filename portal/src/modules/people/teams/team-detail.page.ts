import type { PageDefinition } from '../../../app/page-registry.ts'

export const page: PageDefinition = {
  path: '/teams/$id',
  title: 'Team',
  access: 'admin',
  grants: ['team:lead'],
  isTheirs: (me, pathname) => pathname === `/teams/${me.team?.id}`,
  load: async () => (await import('./team-detail.tsx')).TeamPage,
}
