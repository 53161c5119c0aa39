import { ShieldCheck } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/security',
  title: 'Security',
  access: 'admin',
  grants: ['audit:read'],
  nav: { group: 'Platform', order: 75, icon: ShieldCheck },
  keywords: ['posture', 'hardening', 'compliance', 'privacy', 'data', 'retention', 'egress'],
  load: async () => (await import('./security.tsx')).SecurityPage,
}
