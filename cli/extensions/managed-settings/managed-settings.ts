/** `causeway managed-settings`: settings that the gateway gives to its clients. */
import { findId, kinds } from '../../client/find-record.ts'
import type { Leaf, Noun, Opt } from '../../command/command.ts'
import { type Context, change, type Values } from '../../command/context.ts'
import { readTextFile } from '../../command/secret-input.ts'
import { printDocument } from '../../output/render.ts'
import { usageError } from '../../terminal/cli-error.ts'

const team: Opt = { flags: '--team <team>', text: 'of one team; without it, of everybody', values: 'teams' }

async function findPath(context: Context, values: Values): Promise<string> {
  if (values['team'] === undefined) return '/admin/managed-settings'
  return `/admin/teams/${await findId(await context.client(), kinds.team, values['team'])}/managed-settings`
}

const asJson = (context: Context) => ({
  ...context.output,
  format: context.output.format === 'yaml' ? context.output.format : ('json' as const),
})

const show: Leaf = {
  name: 'show',
  summary: 'print the document of everybody or of a team',
  kind: 'read',
  routes: ['GET /admin/managed-settings', 'GET /admin/teams/{id}/managed-settings'],
  options: [team],
  examples: ['managed-settings show', 'managed-settings show --team platform > settings.json'],
  run: async (context, _args, values) => {
    const found = await (await context.client()).get(await findPath(context, values))
    await printDocument(asJson(context), context.values['json'] === true ? found : found.settings, [])
  },
}

const mine: Leaf = {
  name: 'mine',
  summary: 'print the settings that apply to you',
  kind: 'read',
  examples: ['managed-settings mine'],
  run: async (context) => printDocument(asJson(context), await (await context.client()).get('/managed/settings'), []),
}

const set: Leaf = {
  name: 'set',
  summary: 'replace the document by a JSON file',
  kind: 'write',
  routes: ['PUT /admin/managed-settings', 'PUT /admin/teams/{id}/managed-settings'],
  args: [{ name: '<file>', text: 'JSON object; - is standard input' }],
  options: [team],
  examples: ['managed-settings set settings.json', 'managed-settings set - --team platform < settings.json'],
  run: async (context, [file], values) => {
    const text = await readTextFile(context.io, file)
    let settings: unknown
    try {
      settings = JSON.parse(text)
    } catch (error) {
      throw usageError(`${file} is not JSON: ${(error as Error).message}`)
    }
    await change(context, {
      method: 'PUT',
      path: await findPath(context, values),
      body: { settings },
      done: () => 'Clients get it at their next start.',
    })
  },
}

const clear: Leaf = {
  name: 'clear',
  aliases: ['delete'],
  summary: 'delete the document',
  kind: 'destroy',
  routes: ['DELETE /admin/managed-settings', 'DELETE /admin/teams/{id}/managed-settings'],
  options: [team],
  examples: ['managed-settings clear --team platform --yes'],
  run: async (context, _args, values) => {
    await change(context, {
      method: 'DELETE',
      path: await findPath(context, values),
      confirm: `Delete the managed settings of ${values['team'] ?? 'everybody'}?`,
      done: () => 'Deleted the managed settings.',
    })
  },
}

export const managedSettings: Noun = {
  name: 'managed-settings',
  summary: 'settings that clients get from the gateway',
  leaves: [show, mine, set, clear],
}
