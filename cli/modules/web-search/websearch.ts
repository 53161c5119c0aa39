/** `causeway websearch`: whether and through whom models search the web. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import type { Leaf, Noun, Opt } from '../../command/command.ts'
import { type Context, change, printRecord, type Values } from '../../command/context.ts'
import { wholeNumber } from '../../command/option-values.ts'
import { readSecretOption, secretOptions } from '../../command/secret-input.ts'
import { columnKit } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { CliError } from '../../terminal/cli-error.ts'

const MOST_RESULTS = 20

export const providerOptions: readonly Opt[] = [
  { flags: '--provider <type>', text: 'duckduckgo, tavily, serper, searxng or custom' },
  { flags: '--api-url <url>', text: 'address of the provider; needed for custom and searxng' },
  { flags: '--max-results <n>', text: '1 to 20', parse: wholeNumber(1, MOST_RESULTS) },
  ...secretOptions('api-key', 'the key of the provider'),
]

export async function readProvider(context: Context, values: Values): Promise<Row> {
  const named = {
    provider_type: values['provider'],
    api_url: values['apiUrl'],
    max_results: values['maxResults'],
    api_key: await readSecretOption(context.io, values, 'api-key'),
  }
  const given = Object.entries(named).filter(([, value]) => value !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

/** `path` is `/admin/websearch-mode` or `/me/search-provider`. */
export async function printProvider(context: Context, path: string): Promise<void> {
  const kit = columnKit(context.output)
  await printRecord(context, await (await context.client()).get(path), [
    kit.text('mode'),
    kit.text('provider', 'provider.provider_type'),
    kit.text('address', 'provider.api_url'),
    kit.text('results', 'provider.max_results'),
    kit.flag('has key', 'provider.has_api_key'),
  ])
}

const show: Leaf = {
  name: 'show',
  aliases: ['get'],
  summary: 'show the mode and the provider of everybody',
  kind: 'read',
  routes: ['GET /admin/websearch-mode'],
  examples: ['websearch show'],
  run: (context) => printProvider(context, '/admin/websearch-mode'),
}

const set: Leaf = {
  name: 'set',
  summary: 'choose the mode: enabled (each person their own), disabled, or global (one for everybody)',
  kind: 'write',
  routes: ['PUT /admin/websearch-mode'],
  args: [{ name: '<mode>', text: 'enabled, disabled or global', choices: ['enabled', 'disabled', 'global'] }],
  options: providerOptions,
  examples: ['websearch set disabled', 'websearch set global --provider tavily --api-key-file key.txt --max-results 5'],
  run: async (context, [mode], values) => {
    const provider = await readProvider(context, values)
    await change(context, {
      method: 'PUT',
      path: '/admin/websearch-mode',
      body: defined({ mode, provider }),
      done: (record) =>
        `Web search is ${record.mode}${record.provider?.provider_type === undefined ? '' : ` (${record.provider.provider_type})`}.`,
    })
  },
}

export async function tryProvider(context: Context, path: string, values: Values): Promise<void> {
  const given = (await readProvider(context, values)) ?? {}
  const query = values['query'] === undefined ? {} : { query: values['query'] }
  const result = await (await context.client()).send('POST', path, { ...given, ...query })
  const kit = columnKit(context.output)
  await printRecord(context, result, [
    kit.flag('works', 'success'),
    kit.text('provider', 'provider_type'),
    kit.number('results', 'result_count'),
    kit.ms('took', 'duration_ms'),
    kit.text('error'),
  ])
  if (result.success !== true) throw new CliError('the provider did not answer as it should', { exit: 'checkFailed' })
}

export const testOptions: readonly Opt[] = [...providerOptions, { flags: '--query <text>', text: 'what to search for' }]

const test: Leaf = {
  name: 'test',
  summary: 'send one search through the provider of everybody, stored or not yet',
  kind: 'read',
  routes: ['POST /admin/websearch-mode/test'],
  options: testOptions,
  about: 'Ends with code 8 when it does not answer as it should.',
  examples: ['websearch test', 'websearch test --provider tavily --api-key-file key.txt'],
  run: (context, _args, values) => tryProvider(context, '/admin/websearch-mode/test', values),
}

export const websearch: Noun = { name: 'websearch', summary: 'web search for models', leaves: [show, set, test] }
