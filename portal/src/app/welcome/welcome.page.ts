import type { PageDefinition } from '../page-definition.ts'

export const page: PageDefinition = {
  path: '/welcome',
  title: 'First steps',
  access: 'admin',
  keywords: ['setup', 'checklist', 'welcome', 'first run'],
  load: async () => (await import('./welcome.tsx')).WelcomePage,
}
