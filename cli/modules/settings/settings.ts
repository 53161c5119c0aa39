/** `causeway settings`: what changes without a restart. */
import { isSettingKey, settingSpecs } from '../../../src/foundation/domain/settings.ts'
import { nearest } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { change, printInner } from '../../command/context.ts'
import { readTextFile } from '../../command/secret-input.ts'
import type { Row } from '../../output/render.ts'
import { CliError } from '../../terminal/cli-error.ts'

const keyArg: Arg = { name: '<key>', text: 'name of the setting', values: 'settings' }

const list: Leaf = {
  name: 'list',
  summary: 'list all settings',
  kind: 'read',
  routes: ['GET /admin/settings'],
  examples: ['settings list', 'settings list --json'],
  run: async (context) => {
    const document: Row = await (await context.client()).get('/admin/settings')
    const rows = Object.entries(document).map(([key, value]) => ({ key, value }))
    await printInner(context, {
      document,
      rows,
      columns: [
        { name: 'key', value: (row) => row.key },
        { name: 'value', value: (row) => (typeof row.value === 'string' ? row.value : JSON.stringify(row.value)) },
        {
          name: 'about',
          value: ({ key }: { readonly key: string }) => (isSettingKey(key) ? settingSpecs[key].text : ''),
        },
      ],
      empty: 'There are no settings.',
    })
  },
}

const get: Leaf = {
  name: 'get',
  summary: 'print the value of a setting',
  kind: 'plain',
  args: [keyArg],
  options: [{ flags: '--json', text: 'print it as JSON' }],
  examples: ['settings get websearch_mode'],
  run: async (context, [key], { json }) => {
    const document: Row = await (await context.client()).get('/admin/settings')
    if (!Object.hasOwn(document, key)) {
      const near = nearest(key, Object.keys(document))
      throw new CliError(`there is no setting "${key}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`, {
        exit: 'notFound',
        next: 'causeway settings list',
      })
    }
    const value = document[key]
    context.io.out(`${typeof value === 'string' && json !== true ? value : JSON.stringify(value)}\n`)
  },
}

const set: Leaf = {
  name: 'set',
  summary: 'change a setting',
  kind: 'write',
  routes: ['PUT /admin/settings/{key}'],
  args: [keyArg, { name: '<value>', text: 'true, 24, a word, or JSON; - reads standard input' }],
  examples: [
    'settings set session_token_ttl_hours 12',
    'settings set default_budget \'{"limit_usd":50,"period":"monthly"}\'',
    'settings set default_budget null',
  ],
  run: async (context, [key, text]) => {
    const value = parseValue(text === '-' ? (await readTextFile(context.io, '-')).trim() : text)
    await change(context, {
      method: 'PUT',
      path: `/admin/settings/${encodeURIComponent(key)}`,
      body: { value },
      done: (record) => `${record.key} is ${JSON.stringify(record.value)}.`,
    })
  },
}

/** A word that is no JSON is a string. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const settings: Noun = {
  name: 'settings',
  summary: 'settings that change without a restart',
  leaves: [list, get, set],
}
