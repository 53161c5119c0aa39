/** `causeway me`: your own spend, limits, keys and search provider. */
import { defined } from '../../src/foundation/platform/defined.ts'
import { findRecord, isId, kinds } from '../client/find-record.ts'
import { readAll } from '../client/pages.ts'
import type { Arg, Leaf, Noun } from '../command/command.ts'
import { type Context, change, printInner, printList, printRecord } from '../command/context.ts'
import { ahead, seconds } from '../command/moments.ts'
import { orNone } from '../command/option-values.ts'
import { explainRequest, requestArg } from '../modules/analytics/explain-request.ts'
import { requestColumns, requestFilters, requestQuery } from '../modules/analytics/request-fields.ts'
import { rangeOptions, toQuery } from '../modules/analytics/usage-options.ts'
import { ask, asked, withdraw } from '../modules/budgets/ask-for-more.ts'
import { createKey, revokeKey, rotateKey } from '../modules/keys/key-actions.ts'
import { sessionLeaves } from '../modules/people/session-leaves.ts'
import {
  printProvider,
  providerOptions,
  readProvider,
  testOptions,
  tryProvider,
} from '../modules/web-search/websearch.ts'
import { columnKit } from '../output/columns.ts'
import { isForPeople, printValues, type Row } from '../output/render.ts'
import { money, relativeTime, wholeLimit } from '../output/shown.ts'
import { harmless } from '../output/table.ts'
import { usageError } from '../terminal/cli-error.ts'

const KEYS = '/me/keys'

const overview: Leaf = {
  name: 'me',
  summary: 'who you are, what you have left, your keys',
  kind: 'read',
  routes: ['GET /me'],
  examples: ['me', 'me --json', 'me budget'],
  run: async (context) => {
    const client = await context.client()
    const [me, { budgets }, keys] = await Promise.all([
      client.get('/me'),
      client.get('/me/budget'),
      ownKeys(client.ask),
    ])
    if (!isForPeople(context.output.format)) return printValues(context.output, { ...me, budgets, keys })
    const { io, paint } = context
    const lines = [
      `${paint.bold(harmless(me.user?.subject ?? me.key?.name ?? 'somebody'))} ${paint.dim(describeStanding(me))}`,
      ...budgets.map(
        (budget: Row) =>
          `${budget.scope.padEnd(6)} ${money(budget.remaining_usd)} of ${money(wholeLimit(budget))} left, resets ${relativeTime(budget.resets_at, io.nowMs())}${budget.status === 'ok' ? '' : ` ${paint.yellow(budget.status)}`}`,
      ),
      ...(budgets.length === 0 ? ['no budget limits you'] : []),
      `keys   ${keys.map((key: Row) => key.name).join(', ') || 'none'}`,
    ]
    io.out(`${lines.join('\n')}\n`)
  },
}

function describeStanding({ role, grants, team }: Row): string {
  return [role, ...(grants ?? []), ...(team === null ? [] : [`team ${team.name}`])].join(', ')
}

/** A key that belongs to nobody has no keys of its own, and is refused. */
async function ownKeys(
  ask: (method: 'GET', path: string) => Promise<{ status: number; body: Row }>,
): Promise<readonly Row[]> {
  const { status, body } = await ask('GET', '/me/keys?status=active')
  return status === 200 ? body.data : []
}

const budget: Leaf = {
  name: 'budget',
  summary: 'the budgets that your calls are charged to',
  kind: 'read',
  routes: ['GET /me/budget'],
  examples: ['me budget'],
  run: async (context) => {
    const document = await (await context.client()).get('/me/budget')
    const kit = columnKit(context.output)
    await printInner(context, {
      document,
      rows: document.budgets,
      columns: [
        kit.text('scope'),
        kit.text('name'),
        kit.status('status'),
        kit.usd('left', 'remaining_usd'),
        kit.usd('limit', 'limit_usd'),
        kit.usd('on top', 'top_up_usd'),
        kit.percent('used', 'percent'),
        kit.text('period'),
        kit.time('resets', 'resets_at'),
      ],
      empty: 'No budget limits you.',
    })
  },
}

const usage: Leaf = {
  name: 'usage',
  summary: 'what you have used',
  kind: 'read',
  routes: ['GET /me/usage'],
  options: rangeOptions,
  examples: ['me usage --days 7'],
  run: async (context, _args, values) => {
    const document = await (await context.client()).get('/me/usage', toQuery(values))
    const totals: Row = document.totals ?? document
    const columns = Object.keys(totals)
      .filter((name) => typeof totals[name] !== 'object')
      .map((name) => ({ name: name.replaceAll('_', ' '), value: () => totals[name] }))
    await printRecord(context, document, columns)
  },
}

const ownRequests: Leaf = {
  name: 'requests',
  summary: 'your own calls, newest first',
  kind: 'list',
  routes: ['GET /me/requests'],
  options: requestFilters.filter(({ flags }) => !/^--(user|team|key)/.test(flags)),
  examples: ['me requests --errors'],
  run: (context, _args, values) =>
    printList(context, {
      path: '/me/requests',
      query: requestQuery(values),
      columns: requestColumns(context),
      empty: 'You made no such calls.',
    }),
}

const ownRequest: Leaf = {
  name: 'request',
  summary: 'explain one of your calls: routing, attempts, tokens and price line by line',
  kind: 'read',
  routes: ['GET /me/requests/{request_id}'],
  args: [requestArg],
  examples: ['me request req_01J…'],
  run: (context, [id]) => explainRequest(context, '/me/requests', id),
}

const keyArg: Arg = { name: '<key>', text: 'name or id of your key' }

const listKeys: Leaf = {
  name: 'list',
  summary: 'list your keys',
  kind: 'list',
  routes: ['GET /me/keys'],
  options: [{ flags: '--status <status>', text: 'only these', choices: ['active', 'revoked', 'expired'] }],
  examples: ['me keys list'],
  run: async (context, _args, { status }) => {
    const kit = columnKit(context.output)
    await printList(context, {
      path: '/me/keys',
      query: { status },
      columns: [
        kit.text('name'),
        kit.text('prefix'),
        kit.status('status'),
        kit.usd('spend', 'spend_usd'),
        kit.time('last used', 'last_used_at'),
        kit.time('expires', 'expires_at'),
        kit.id,
      ],
      empty: 'You have no keys. Make one with "causeway me keys create <name>".',
    })
  },
}

const createOwnKey: Leaf = {
  name: 'create',
  summary: 'make a key for yourself; it is shown once',
  kind: 'write',
  routes: ['POST /me/keys'],
  args: [{ name: '<name>', text: 'what it is for' }],
  options: [{ flags: '--expires <when>', text: 'such as 90d; none', parse: orNone(ahead) }],
  examples: ['me keys create laptop --expires 90d'],
  run: async (context, [name], { expires }) => {
    await createKey(context, KEYS, defined({ name, expires_at: expires }))
  },
}

const revokeOwnKey: Leaf = {
  name: 'revoke',
  summary: 'stop one of your keys for good',
  kind: 'destroy',
  routes: ['POST /me/keys/{key_id}/revoke'],
  args: [keyArg],
  examples: ['me keys revoke laptop --yes'],
  run: async (context, [reference]) => {
    await revokeKey(context, KEYS, await ownKey(context, reference))
  },
}

const rotateOwnKey: Leaf = {
  name: 'rotate',
  summary: 'replace one of your keys by a new one; it is shown once',
  kind: 'destroy',
  routes: ['POST /me/keys/{key_id}/rotate'],
  args: [keyArg],
  options: [{ flags: '--grace <time>', text: 'how long the old one still works, such as 1h', parse: seconds }],
  examples: ['me keys rotate laptop --grace 1h --yes'],
  run: async (context, [reference], { grace }) => {
    await rotateKey(context, KEYS, await ownKey(context, reference), grace)
  },
}

async function ownKey(context: Context, reference: string): Promise<Row> {
  const client = await context.client()
  if (!isId(reference)) return findRecord(client, kinds.ownKey, reference)
  // There is no route for one of them. An id that is not among them is refused by the gateway.
  const known = (await readAll(client, KEYS)).find(({ id }) => id === reference)
  return known ?? { id: reference, name: reference, prefix: 'unknown' }
}

const PROVIDER = '/me/search-provider'

const showProvider: Leaf = {
  name: 'show',
  summary: 'show your web search provider',
  kind: 'read',
  routes: ['GET /me/search-provider'],
  examples: ['me search-provider show'],
  run: (context) => printProvider(context, PROVIDER),
}

const setProvider: Leaf = {
  name: 'set',
  summary: 'choose your web search provider',
  kind: 'write',
  routes: ['PUT /me/search-provider'],
  options: providerOptions,
  examples: ['me search-provider set --provider tavily --api-key-file key.txt'],
  run: async (context, _args, values) => {
    const body = await readProvider(context, values)
    if (body === undefined) throw usageError('which one? name it with --provider')
    await change(context, {
      method: 'PUT',
      path: PROVIDER,
      body,
      done: (record) => `You search through ${record.provider?.provider_type}.`,
    })
  },
}

const deleteProvider: Leaf = {
  name: 'delete',
  summary: 'go back to the usual web search provider',
  kind: 'destroy',
  routes: ['DELETE /me/search-provider'],
  examples: ['me search-provider delete --yes'],
  run: async (context) => {
    await change(context, {
      method: 'DELETE',
      path: PROVIDER,
      confirm: 'Forget your search provider and its key?',
      done: () => 'You search through the usual provider.',
    })
  },
}

const testProvider: Leaf = {
  name: 'test',
  summary: 'send one search through your provider, stored or not yet',
  kind: 'read',
  routes: ['POST /me/search-provider/test'],
  options: testOptions,
  about: 'Ends with code 8 when it does not answer as it should.',
  examples: ['me search-provider test'],
  run: (context, _args, values) => tryProvider(context, `${PROVIDER}/test`, values),
}

const client: Leaf = {
  name: 'client',
  summary: 'whether your client asks for the list of models',
  kind: 'read',
  routes: ['GET /me/client'],
  examples: ['me client'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const seen = await (await context.client()).get('/me/client')
    await printRecord(context, seen, [kit.time('models listed', 'models_listed_at')])
  },
}

const sessions = sessionLeaves({
  command: 'me sessions',
  route: '/me/sessions',
  whose: [],
  example: '',
  find: async () => ({ path: '/me/sessions', name: 'yours' }),
})

export const me: Noun = {
  name: 'me',
  summary: 'your own spend, limits and keys',
  itself: overview,
  leaves: [
    budget,
    ask,
    asked,
    withdraw,
    usage,
    ownRequests,
    ownRequest,
    client,
    { name: 'sessions', summary: 'where you are signed in', leaves: sessions },
    { name: 'keys', summary: 'your own keys', leaves: [listKeys, createOwnKey, revokeOwnKey, rotateOwnKey] },
    {
      name: 'search-provider',
      summary: 'your own web search provider',
      leaves: [showProvider, setProvider, deleteProvider, testProvider],
    },
  ],
}
