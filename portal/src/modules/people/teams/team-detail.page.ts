import type { PageDefinition } from '../../../app/page-definition.ts'
import { teamTabs } from '../slots.ts'

export const page: PageDefinition = {
  path: '/teams/$id',
  title: 'Team',
  access: 'admin',
  grants: ['team:lead'],
  isTheirs: (me, pathname) => pathname === `/teams/${me.team?.id}`,
  slots: [teamTabs],
  load: async () => (await import('./team-detail.tsx')).TeamPage,
}
