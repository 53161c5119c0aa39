import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/login',
  title: 'Sign in',
  access: 'open',
  load: async () => (await import('./sign-in.tsx')).SignInPage,
}
