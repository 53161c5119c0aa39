/** What this extension adds to the command line. */
import type { Extension } from '../../command/extension.ts'

export const extension: Extension = {
  leaves: [{ noun: 'budgets', before: 'clear', load: async () => (await import('./simulate.ts')).simulate }],
}
