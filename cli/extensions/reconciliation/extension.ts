/** What this extension adds to the command line. */
import type { Extension } from '../../command/extension.ts'

export const extension: Extension = {
  leaves: [{ noun: 'analytics', before: 'recount', load: async () => (await import('./reconcile.ts')).reconcile }],
}
