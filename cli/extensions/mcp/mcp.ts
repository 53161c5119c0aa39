/** `causeway mcp`: lets an assistant look at the gateway, with the rights of whoever is signed in. */
import type { Leaf } from '../../command/command.ts'
import type { Catalogue } from '../../command/extension.ts'
import { usageError } from '../../terminal/cli-error.ts'
import { readOffered } from './offered.ts'

export const mcp = (catalogue: Catalogue): Leaf => ({
  name: 'mcp',
  summary: 'let an assistant look at the gateway: a read-only MCP server on standard input and output',
  kind: 'plain',
  about:
    'An assistant starts it and asks with your sign-in: it sees what you see, and can change nothing. To add it to Claude Code: claude mcp add causeway -- causeway mcp',
  examples: ['mcp', 'mcp --profile production'],
  run: async (context) => {
    if (context.io.inputIsTerminal)
      throw usageError(
        'this is started by an assistant, not by a person',
        'add it to one: claude mcp add causeway -- causeway mcp',
      )
    const { serveTools } = await import('./server.ts')
    await serveTools(context, await readOffered(catalogue))
  },
})
