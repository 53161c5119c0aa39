/** What this extension adds to the command line. */
import { type Extension, groups } from '../../command/extension.ts'

export const extension: Extension = {
  nouns: [
    {
      name: 'security',
      summary: 'how safe the gateway is set up, what it keeps and whom it calls',
      group: groups.administration,
      before: 'completion',
      load: async () => (await import('./security.ts')).security,
    },
  ],
  offered: [{ path: 'security', before: 'logs' }],
}
