import { Plug } from 'lucide-react'
import type { PageDefinition } from '../../../app/page-definition.ts'

export const page: PageDefinition = {
  path: '/connect',
  title: 'Connect',
  access: 'member',
  nav: { group: 'You', order: 2, icon: Plug },
  shortcut: 'c',
  keywords: ['setup', 'install', 'claude code', 'login', 'helper', 'editor'],
  load: async () => (await import('./connect.tsx')).ConnectPage,
}
