/** `causeway prices`: what tokens cost. */

import { priceScopes } from '../../../src/foundation/domain/price.ts'
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { Leaf, Noun, Opt } from '../../command/command.ts'
import { change, printList, printRecord } from '../../command/context.ts'
import { amount, wholeNumber } from '../../command/option-values.ts'
import { columnKit } from '../../output/columns.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'

const scope = (text: string): Opt => ({ flags: '--scope <scope>', text, choices: [...priceScopes, 'both'] })
const MOST_TOKENS = 100_000_000

const rates = [
  ['input-usd', 'input_usd_per_mtok'],
  ['output-usd', 'output_usd_per_mtok'],
  ['cache-read-usd', 'cache_read_usd_per_mtok'],
  ['cache-write-5m-usd', 'cache_write_5m_usd_per_mtok'],
  ['cache-write-1h-usd', 'cache_write_1h_usd_per_mtok'],
] as const

const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const list: Leaf = {
  name: 'list',
  summary: 'list the prices in force, in dollars a million tokens',
  kind: 'list',
  routes: ['GET /admin/pricing'],
  examples: ['prices list --all', 'prices list -q sonnet'],
  run: async (context) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: '/admin/pricing',
      columns: [
        kit.text('model', 'model_id'),
        kit.text('scope'),
        ...rates.map(([name, field]) => ({ ...kit.text(name.replace('-usd', ''), field), right: true })),
        { name: 'long above', value: (row) => row.long_context?.above_prompt_tokens, right: true },
        kit.text('source'),
        kit.time('updated', 'updated_at'),
      ],
      empty: 'There are no prices.',
    })
  },
}

const set: Leaf = {
  name: 'set',
  summary: 'set the price of a model; it wins over the price list',
  kind: 'write',
  routes: ['PUT /admin/pricing/{model_id}'],
  args: [{ name: '<model>', text: 'hosted model id' }],
  options: [
    ...rates.map(([name]) => ({ flags: `--${name} <usd>`, text: 'dollars a million tokens', parse: amount })),
    {
      flags: '--long-above <tokens>',
      text: 'prompts above this pay the long rates',
      parse: wholeNumber(1, MOST_TOKENS),
    },
    ...rates.map(([name]) => ({ flags: `--long-${name} <usd>`, text: 'the same for long prompts', parse: amount })),
    scope('default both: global and geo'),
  ],
  examples: [
    'prices set anthropic.claude-sonnet-5 --input-usd 3 --output-usd 15 --cache-read-usd 0.3 --cache-write-5m-usd 3.75 --cache-write-1h-usd 6',
  ],
  run: async (context, [model], values) => {
    const read = (prefix: string) =>
      Object.fromEntries(
        rates
          .map(([name, field]) => [field, values[camel(`${prefix}${name}`)]])
          .filter(([, value]) => value !== undefined),
      )
    const base = read('')
    const missing = rates
      .slice(0, 4)
      .filter(([, field]) => base[field] === undefined)
      .map(([name]) => `--${name}`)
    if (missing.length > 0) throw usageError(`a price needs ${missing.join(', ')}`)
    const above = values['longAbove']
    const long = read('long-')
    if (above === undefined && Object.keys(long).length > 0)
      throw usageError('from how many tokens on is a prompt long? name it with --long-above')
    await change(context, {
      method: 'PUT',
      path: `/admin/pricing/${encodeURIComponent(model)}`,
      body: {
        ...base,
        ...(above === undefined ? {} : { long_context: { above_prompt_tokens: above, ...long } }),
        ...defined({ scope: values['scope'] }),
      },
      done: () => `Calls to ${model} cost that from now on; earlier records keep their price.`,
    })
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: "remove an administrator's price, so that the price list counts again",
  kind: 'destroy',
  routes: ['DELETE /admin/pricing/{model_id}'],
  args: [{ name: '<model>', text: 'hosted model id' }],
  options: [scope('default every scope; both is global and geo')],
  examples: ['prices delete anthropic.claude-sonnet-5 --yes'],
  run: async (context, [model], values) => {
    const query = values['scope'] === undefined ? '' : `?scope=${values['scope']}`
    await change(context, {
      method: 'DELETE',
      path: `/admin/pricing/${encodeURIComponent(model)}${query}`,
      confirm: `Remove the price of ${model}? The price list or the built-in price counts again.`,
      done: () => `Removed the price of ${model}.`,
    })
  },
}

const refresh: Leaf = {
  name: 'refresh',
  summary: 'read the price list now',
  kind: 'read',
  routes: ['POST /admin/pricing/refresh'],
  examples: ['prices refresh'],
  run: async (context) => {
    const result = await (await context.client()).send('POST', '/admin/pricing/refresh', {})
    const kit = columnKit(context.output)
    await printRecord(context, result, [
      kit.flag('read', 'success'),
      kit.number('listed', 'listed'),
      kit.number('changed', 'changed'),
      { name: 'skipped', value: (row) => row.skipped.length },
      kit.text('error'),
    ])
    if (result.success !== true) throw new CliError('the price list could not be read', { exit: 'failed' })
  },
}

export const prices: Noun = { name: 'prices', summary: 'what tokens cost', leaves: [list, set, remove, refresh] }
