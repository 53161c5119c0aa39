/** `causeway logout`: ends the session at the gateway and forgets its token. */
import { createClient } from '../../client/http-client.ts'
import type { Leaf } from '../../command/command.ts'
import { readConfigFile, writeConfigFile } from '../../profile/config-file.ts'
import { profileName } from '../../profile/connection.ts'

export const logout: Leaf = {
  name: 'logout',
  summary: 'end the session and forget its token',
  kind: 'plain',
  examples: ['logout', 'logout --profile work'],
  run: async ({ io, version }, _args, values) => {
    const file = await readConfigFile(io)
    const name = profileName(values, io.environment, file)
    const profile = file.profiles[name]
    if (profile?.token === undefined) {
      io.err(`Nobody is signed in under the profile "${name}".\n`)
      return
    }
    const client = createClient({
      base: profile.url,
      token: profile.token,
      signal: io.signal,
      userAgent: `causeway/${version}`,
      timeoutMs: 10_000,
    })
    const ended = await client.ask('POST', '/auth/logout').then(
      ({ status }) => status < 300 || status === 401,
      () => false,
    )
    const { token: _, expires_at: __, user: ___, ...rest } = profile
    await writeConfigFile(io, { ...file, profiles: { ...file.profiles, [name]: rest } })
    const host = new URL(profile.url).host
    io.err(
      ended
        ? `Signed out of ${host}.\n`
        : `The token is forgotten here. ${host} did not answer, so the session there ends by itself.\n`,
    )
  },
}
