/** What this extension adds to the command line. */
import { type Extension, groups } from '../../command/extension.ts'

export const extension: Extension = {
  nouns: [
    {
      name: 'managed-settings',
      summary: 'settings that clients get from the gateway',
      group: groups.administration,
      before: 'websearch',
      load: async () => (await import('./managed-settings.ts')).managedSettings,
    },
  ],
}
