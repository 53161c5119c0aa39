/** What `--version` says beside the version of this command: that of the gateway which commands would go to, if one is named. */
import { createClient } from '../client/http-client.ts'
import type { Values } from '../command/context.ts'
import { harmless } from '../output/table.ts'
import { readConfigFile } from '../profile/config-file.ts'
import { findAddress, profileName, requireUrl } from '../profile/connection.ts'
import type { Io } from '../terminal/io.ts'

/** Nobody waits longer to learn a version. */
const WAIT_MS = 2_000

/** Never a failure: the question was answered already. */
export async function tellServerVersion(io: Io, version: string, values: Values): Promise<void> {
  try {
    const file = await readConfigFile(io)
    const address = findAddress(values, io.environment, file.profiles[profileName(values, io.environment, file)])
    if (address === undefined) return
    const base = requireUrl(address, values['allowHttp'] === true)
    const client = createClient({
      base,
      token: undefined,
      signal: io.signal,
      userAgent: `causeway/${version}`,
      timeoutMs: WAIT_MS,
    })
    const { version: told } = (await client.get('/health')) ?? {}
    if (typeof told !== 'string') throw new Error(`what answers at ${base} tells no version`)
    const server = harmless(told)
    io.err(`gateway ${server} at ${base}\n`)
    if (server !== version) io.err(`warning: this command is ${version}; install the version of the gateway\n`)
  } catch (error) {
    io.err(`gateway: ${(error as Error).message}\n`)
  }
}
