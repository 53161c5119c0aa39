import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/device',
  title: 'Sign in a program',
  access: 'member',
  frame: 'bare',
  load: async () => (await import('./device.tsx')).DevicePage,
}
