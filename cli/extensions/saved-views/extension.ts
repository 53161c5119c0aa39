/** What this extension adds to the command line. */
import type { Extension } from '../../command/extension.ts'

export const extension: Extension = {
  leaves: [{ noun: 'me', before: 'keys', load: async () => (await import('./own-views.ts')).views }],
}
