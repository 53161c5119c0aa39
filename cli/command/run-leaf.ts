/** Runs one command whose words commander has read. */

import type { Command } from 'commander'
import { defined } from '../../src/foundation/platform/defined.ts'
import { createClient } from '../client/http-client.ts'
import { createPaint, wantsColor } from '../output/paint.ts'
import { chooseFormat } from '../output/render.ts'
import { readConfigFile } from '../profile/config-file.ts'
import { decideConnection, signInNeeded } from '../profile/connection.ts'
import type { Io } from '../terminal/io.ts'
import { withSpinner } from '../terminal/spinner.ts'
import type { Leaf } from './command.ts'
import type { Context, Values } from './context.ts'
import { NONE } from './option-values.ts'

export interface Surroundings {
  readonly io: Io
  readonly version: string
}

export function runLeaf(leaf: Leaf, command: Command, values: Values, surroundings: Surroundings): Promise<void> {
  const args = command.processedArgs.map((arg) => (arg === NONE ? null : arg))
  const given = withNull(values)
  return leaf.run(createContext(leaf, given, surroundings), args, given)
}

function withNull(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === NONE ? null : value]))
}

function createContext(leaf: Leaf, values: Values, { io, version }: Surroundings): Context {
  const paint = createPaint(wantsColor(io.isTerminal, io.environment, values['color'] !== false))
  const connection = async () => decideConnection(values, io.environment, await readConfigFile(io))
  return {
    io,
    paint,
    version,
    values,
    output: { io, paint, format: chooseFormat(values['output'], values['json'] === true, io.isTerminal) },
    isDryRun: (leaf.kind === 'write' || leaf.kind === 'destroy') && values['dryRun'] === true,
    connection,
    client: async (timeoutMs) => {
      const { url, token } = await connection()
      if (token === undefined) throw signInNeeded(url)
      const client = createClient({
        base: url,
        token,
        signal: io.signal,
        userAgent: `causeway/${version}`,
        ...defined({ timeoutMs }),
      })
      return {
        ...client,
        get: (path, query) => withSpinner(io, client.get(path, query)),
        send: (method, path, body) => withSpinner(io, client.send(method, path, body)),
      }
    },
  }
}
