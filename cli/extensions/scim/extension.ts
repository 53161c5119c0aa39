/** What this extension adds to the command line. */
import { type Extension, groups } from '../../command/extension.ts'

export const extension: Extension = {
  nouns: [
    {
      name: 'scim',
      summary: 'provisioning by an identity provider',
      group: groups.access,
      load: async () => (await import('./scim.ts')).scim,
    },
  ],
}
