/** `causeway notifications`: where events go, and which. */

import { shownAddress } from '../../../src/foundation/domain/shown-address.ts'
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { Leaf, Noun, Opt } from '../../command/command.ts'
import { change, printInner, printRecord, type Values } from '../../command/context.ts'
import { trueOrFalse } from '../../command/option-values.ts'
import { readSecretOption, secretOptions } from '../../command/secret-input.ts'
import { columnKit } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'

const BASE = '/admin/notifications'

const categoryOptions: readonly Opt[] = [
  { flags: '--budget <bool>', text: 'budget events, true or false', parse: trueOrFalse },
  { flags: '--rate-limit <bool>', text: 'rate-limit events, true or false', parse: trueOrFalse },
  { flags: '--keys <bool>', text: 'keys that expire soon, true or false', parse: trueOrFalse },
  { flags: '--digest <bool>', text: 'the weekly digest, true or false', parse: trueOrFalse },
]

function readCategories(values: Values): Row {
  const { budget, rateLimit, keys, digest } = values
  const given = { budget, rate_limit: rateLimit, keys, digest }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function shownCategories(flags: Row): string {
  return Object.entries(flags)
    .map(([name, isOn]) => `${name.replace('_', ' ')} ${isOn === true ? 'on' : 'off'}`)
    .join(', ')
}

const show: Leaf = {
  name: 'show',
  summary: 'show the active destination and the draft',
  kind: 'read',
  routes: ['GET /admin/notifications/config'],
  examples: ['notifications show'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const side = (name: string) => [
      {
        name,
        value: (row: Row) => row[name]?.destination,
        shown: (row: Row) =>
          row[name] === null ? 'none' : `${row[name].destination_type} ${shownAddress(row[name].destination)}`,
      },
    ]
    await printRecord(context, await (await context.client()).get(`${BASE}/config`), [
      ...side('active'),
      kit.json('categories', 'active.categories'),
      ...side('draft'),
      kit.time('draft tested', 'draft.tested_at'),
      ...side('env_fallback'),
      { name: 'last delivery', value: (row) => row.history[0]?.status },
    ])
  },
}

const deliveries: Leaf = {
  name: 'deliveries',
  summary: 'list what was delivered and what was not',
  kind: 'read',
  examples: ['notifications deliveries'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const document = await (await context.client()).get(`${BASE}/config`)
    await printInner(context, {
      document: { data: document.history },
      rows: document.history,
      columns: [
        kit.time('at', 'created_at'),
        kit.status('status'),
        kit.text('event', 'event_type'),
        kit.text('destination'),
        kit.number('attempt', 'attempt'),
        kit.text('answer', 'response_status'),
        kit.ms('took', 'duration_ms'),
        kit.text('error'),
      ],
      empty: 'Nothing was delivered yet.',
    })
  },
}

const draft: Leaf = {
  name: 'draft',
  summary: 'save a draft of the destination; deliveries go on to the active one',
  kind: 'write',
  routes: ['PUT /admin/notifications/config'],
  args: [
    { name: '<type>', text: 'webhook, topic or event_bus', choices: ['webhook', 'topic', 'event_bus'] },
    { name: '<destination>', text: 'https address or ARN' },
  ],
  options: [...secretOptions('secret', 'the secret that signs webhooks'), ...categoryOptions],
  examples: [
    'notifications draft webhook https://hooks.example.com/causeway --ask-secret',
    'notifications draft topic arn:aws:sns:us-east-1:111122223333:budgets',
  ],
  run: async (context, [type, destination], values) => {
    const secret = await readSecretOption(context.io, values, 'secret')
    const categories = readCategories(values)
    await change(context, {
      method: 'PUT',
      path: `${BASE}/config`,
      body: {
        destination_type: type,
        destination,
        ...defined({ secret }),
        ...(Object.keys(categories).length === 0 ? {} : { categories }),
      },
      done: () => 'Saved the draft. Try it with "causeway notifications test", then "causeway notifications activate".',
    })
  },
}

const test: Leaf = {
  name: 'test',
  summary: 'deliver a synthetic event to the draft',
  kind: 'read',
  routes: ['POST /admin/notifications/test'],
  about: 'Ends with code 8 when it was not delivered.',
  examples: ['notifications test'],
  run: async (context) => {
    const result = await (await context.client()).send('POST', `${BASE}/test`, {})
    const kit = columnKit(context.output)
    await printRecord(context, result, [
      kit.flag('delivered', 'success'),
      kit.text('answer', 'response_status'),
      kit.ms('took', 'duration_ms'),
      kit.text('error'),
    ])
    if (result.success !== true) throw new CliError('the event was not delivered', { exit: 'checkFailed' })
  },
}

const activate: Leaf = {
  name: 'activate',
  summary: 'make the tested draft the active destination',
  kind: 'write',
  routes: ['POST /admin/notifications/activate'],
  examples: ['notifications activate'],
  run: async (context) => {
    await change(context, {
      method: 'POST',
      path: `${BASE}/activate`,
      body: {},
      done: (record) => `Events go to ${record.destination}.`,
    })
  },
}

const discard: Leaf = {
  name: 'discard',
  summary: 'throw the draft away',
  kind: 'write',
  routes: ['DELETE /admin/notifications/draft'],
  examples: ['notifications discard'],
  run: async (context) => {
    await change(context, { method: 'DELETE', path: `${BASE}/draft`, done: () => 'There is no draft.' })
  },
}

const deactivate: Leaf = {
  name: 'deactivate',
  summary: 'stop deliveries to the active destination',
  kind: 'destroy',
  routes: ['DELETE /admin/notifications/config'],
  examples: ['notifications deactivate --yes'],
  run: async (context) => {
    await change(context, {
      method: 'DELETE',
      path: `${BASE}/config`,
      confirm: 'Stop notifications? Events go to BUDGET_NOTIFICATION_URL if it is set, else nowhere.',
      done: () => 'There is no active destination.',
    })
  },
}

const categories: Leaf = {
  name: 'categories',
  summary: 'choose which events are delivered',
  kind: 'write',
  routes: ['PUT /admin/notifications/categories'],
  options: categoryOptions,
  examples: ['notifications categories --rate-limit true', 'notifications categories --keys true --digest true'],
  run: async (context, _args, values) => {
    const chosen = readCategories(values)
    if (Object.keys(chosen).length === 0)
      throw usageError('which ones? name --budget, --rate-limit, --keys or --digest with true or false')
    await change(context, {
      method: 'PUT',
      path: `${BASE}/categories`,
      body: { categories: chosen },
      done: (record) => `${shownCategories(record.categories)}.`,
    })
  },
}

export const notifications: Noun = {
  name: 'notifications',
  summary: 'where events go, and which',
  leaves: [show, draft, test, activate, discard, deactivate, categories, deliveries],
}
