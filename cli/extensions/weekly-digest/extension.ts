/** What this extension adds to the command line. */
import type { Extension } from '../../command/extension.ts'

export const extension: Extension = {
  leaves: [{ noun: 'notifications', before: 'deliveries', load: async () => (await import('./digest.ts')).digest }],
  offered: [{ path: 'notifications digest', before: 'audit list' }],
}
