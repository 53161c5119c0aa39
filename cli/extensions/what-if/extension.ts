/** What this extension adds to the command line. */
import type { Extension } from '../../command/extension.ts'

export const extension: Extension = {
  leaves: [{ noun: 'analytics', before: 'unit-price', load: async () => (await import('./what-if.ts')).whatIf }],
  offered: [{ path: 'analytics what-if', before: 'analytics unit-price' }],
}
