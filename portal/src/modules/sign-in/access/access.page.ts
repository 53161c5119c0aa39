import { KeyRound } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/access',
  title: 'Sign-in',
  access: 'admin',
  nav: { group: 'Platform', order: 60, icon: KeyRound },
  keywords: ['sso', 'oidc', 'identity providers', 'okta', 'entra', 'scim', 'provisioning'],
  load: async () => (await import('./access.tsx')).AccessPage,
}
