/** What this extension adds to the command line. */
import { type Extension, groups } from '../../command/extension.ts'

export const extension: Extension = {
  nouns: [
    {
      name: 'mcp',
      summary: 'let an assistant look at the gateway: a read-only MCP server on standard input and output',
      group: groups.you,
      load: async (catalogue) => (await import('./mcp.ts')).mcp(catalogue),
    },
  ],
}
