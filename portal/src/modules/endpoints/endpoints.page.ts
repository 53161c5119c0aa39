import { Server } from 'lucide-react'
import type { PageDefinition } from '../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/endpoints',
  title: 'Endpoints',
  access: 'admin',
  grants: ['ops:operate'],
  nav: { group: 'Platform', order: 20, icon: Server },
  shortcut: 'e',
  keywords: ['accounts', 'regions', 'routing', 'failover', 'bedrock'],
  load: async () => (await import('./endpoints.tsx')).EndpointsPage,
}
