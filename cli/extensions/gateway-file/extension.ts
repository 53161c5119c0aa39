/** What this extension adds to the command line. */
import { type Extension, groups } from '../../command/extension.ts'

export const extension: Extension = {
  nouns: [
    {
      name: 'export',
      summary: 'write the configuration as YAML',
      group: groups.administration,
      before: 'completion',
      load: async () => (await import('./export.ts')).exportCommand,
    },
    {
      name: 'diff',
      summary: 'compare a file with the gateway',
      group: groups.administration,
      before: 'completion',
      load: async () => (await import('./diff.ts')).diff,
    },
    {
      name: 'apply',
      summary: 'bring the gateway to what a file says',
      group: groups.administration,
      before: 'completion',
      load: async () => (await import('./apply.ts')).apply,
    },
  ],
}
