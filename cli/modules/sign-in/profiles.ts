/** `causeway profiles`: gateways that this machine knows. */
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { printInner } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'
import { readConfigFile, writeConfigFile } from '../../profile/config-file.ts'
import { profileName } from '../../profile/connection.ts'
import { usageError } from '../../terminal/cli-error.ts'

const profileArg: Arg = { name: '<profile>', text: 'name of the profile', values: 'profiles' }

const list: Leaf = {
  name: 'list',
  summary: 'list profiles; * is the current one',
  kind: 'read',
  examples: ['profiles list'],
  run: async (context) => {
    const { io, values } = context
    const file = await readConfigFile(io)
    const current = profileName(values, io.environment, file)
    const rows = Object.entries(file.profiles).map(([name, profile]) => ({
      name,
      url: profile.url,
      user: profile.user ?? null,
      signed_in: profile.token !== undefined,
      expires_at: profile.expires_at ?? null,
      current: name === current,
    }))
    const kit = columnKit(context.output)
    await printInner(context, {
      document: { data: rows },
      rows,
      columns: [
        { ...kit.text('name'), shown: (row) => `${row.name}${row.current ? ' *' : ''}` },
        kit.text('url'),
        kit.text('user'),
        kit.flag('signed in', 'signed_in'),
        kit.time('expires', 'expires_at'),
      ],
      empty: 'There are no profiles. Make one with "causeway login <url>".',
    })
  },
}

const use: Leaf = {
  name: 'use',
  summary: 'make a profile the current one',
  kind: 'plain',
  args: [profileArg],
  examples: ['profiles use work'],
  run: async ({ io }, [name]) => {
    const file = await readConfigFile(io)
    if (file.profiles[name] === undefined) throw usageError(`there is no profile "${name}"`, 'causeway profiles list')
    await writeConfigFile(io, { ...file, current: name })
    io.err(`Commands go to ${file.profiles[name].url} now.\n`)
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'forget a profile and its token',
  kind: 'plain',
  args: [profileArg],
  examples: ['profiles delete work'],
  run: async ({ io }, [name]) => {
    const file = await readConfigFile(io)
    if (file.profiles[name] === undefined) throw usageError(`there is no profile "${name}"`, 'causeway profiles list')
    const { [name]: _, ...rest } = file.profiles
    await writeConfigFile(io, { ...file, profiles: rest })
    io.err(`Forgot the profile "${name}". Its session at the gateway ends by itself.\n`)
  },
}

export const profiles: Noun = {
  name: 'profiles',
  summary: 'gateways that this machine knows',
  leaves: [list, use, remove],
}
