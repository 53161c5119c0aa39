/** What this extension adds to the command line. */
import { type Extension, groups } from '../../command/extension.ts'

export const extension: Extension = {
  nouns: [
    {
      name: 'warehouse',
      summary: 'the spend log as Parquet files',
      group: groups.money,
      load: async () => (await import('./warehouse.ts')).warehouse,
    },
  ],
}
