/** `causeway serve`: the gateway in this process, as `npm start` runs it. */
import type { Leaf } from '../command/command.ts'

export const serve: Leaf = {
  name: 'serve',
  summary: 'run the gateway, configured by the environment',
  kind: 'plain',
  about: 'Stops in order on SIGTERM. The variables are described in docs/configuration.md.',
  examples: ['serve'],
  run: async () => {
    // It installs its own signal handlers; the first Ctrl-C must drain, not abort.
    process.removeAllListeners('SIGINT')
    await import('../../src/main.ts')
  },
}
