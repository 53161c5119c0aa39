/** `causeway run -- claude`: starts a client that uses the gateway, for this once. */
import type { Leaf } from '../../command/command.ts'
import { signInNeeded } from '../../profile/connection.ts'
import { CliError } from '../../terminal/cli-error.ts'
import type { Environment } from '../../terminal/environment.ts'
import { clientVariables, rivals } from './merge.ts'
import { findOverruling } from './overruling.ts'

export const run: Leaf = {
  name: 'run',
  summary: 'start a client that uses the gateway, and leave its settings alone',
  kind: 'plain',
  args: [{ name: '<command...>', text: 'the client and its arguments' }],
  about:
    'Everything behind -- belongs to the client, which gets the address and your token in its environment and runs until the token ends; `causeway connect` is for every day. It ends with the code of the client.',
  examples: ['run -- claude', 'run --profile work -- claude --resume'],
  run: async (context, [words]) => {
    const { io } = context
    const [command = '', ...args] = words as readonly string[]
    const { url, token } = await context.connection()
    if (token === undefined) throw signInNeeded(url)
    // First, because a client whose token has ended tells of it in words of its own.
    await (await context.client()).get('/me')
    const overruling = await findOverruling(io, command, url)
    if (overruling !== undefined)
      throw new CliError(
        `${overruling.settings} sets ${overruling.names.join(' and ')}, which the client follows instead of ${url}`,
        { exit: 'conflict', next: 'causeway connect, which takes its place' },
      )
    const environment = { ...withoutRivals(io.environment), ...clientVariables(url, { kind: 'key', key: token }) }
    await io.runClient(command, args, environment).catch((error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'is not installed, or not in PATH' : `cannot be started: ${error.message}`
      throw new CliError(`${command} ${why}`, { exit: 'failed', cause: error })
    })
  },
}

function withoutRivals(environment: Environment): Environment {
  const names: readonly string[] = rivals
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)))
}
