/** `causeway keys`: virtual keys of people, teams and programs. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, findRecord, kinds } from '../../client/find-record.ts'
import { createClient } from '../../client/http-client.ts'
import type { Arg, Leaf, Noun, Opt } from '../../command/command.ts'
import { type Context, change, printList, printRecord, requireOptions, type Values } from '../../command/context.ts'
import { ahead, seconds } from '../../command/moments.ts'
import { nameColumn } from '../../command/name-column.ts'
import { commaList, orNone, wholeNumber } from '../../command/option-values.ts'
import { readSecret } from '../../command/secret-input.ts'
import { columnKit, wide } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import { relativeTime } from '../../output/shown.ts'
import { createKey, revokeKey, rotateKey } from './key-actions.ts'

const keyArg: Arg = { name: '<key>', text: 'name, prefix or id of the key', values: 'keys' }
const BASE = '/admin/keys'
const MOST_RPM = 1_000_000

const fieldOptions: readonly Opt[] = [
  { flags: '--rpm <n>', text: 'requests a minute; none takes the limit away', parse: orNone(wholeNumber(1, MOST_RPM)) },
  { flags: '--user <user>', text: 'whose key it is; none', values: 'users' },
  { flags: '--team <team>', text: 'which team pays; none', values: 'teams' },
  { flags: '--expires <when>', text: 'such as 90d or 2027-01-31; none', parse: orNone(ahead) },
  {
    flags: '--models <ids>',
    text: 'the only models it may use, comma-separated; none for every model',
    parse: orNone(commaList),
  },
]

async function readFields(context: Context, values: Values): Promise<Row> {
  const client = await context.client()
  const findOptionalId = async (kind: 'user' | 'team', reference: string) =>
    reference === 'none' ? null : findId(client, kinds[kind], reference)
  return defined({
    rate_limit_rpm: values['rpm'],
    user_id: values['user'] === undefined ? undefined : await findOptionalId('user', values['user']),
    team_id: values['team'] === undefined ? undefined : await findOptionalId('team', values['team']),
    expires_at: values['expires'],
    allowed_models: values['models'],
  })
}

const list: Leaf = {
  name: 'list',
  summary: 'list keys',
  kind: 'list',
  routes: ['GET /admin/keys'],
  options: [
    { flags: '--user <user>', text: 'of one person', values: 'users' },
    { flags: '--team <team>', text: 'of one team', values: 'teams' },
    { flags: '--status <status>', text: 'only these', choices: ['active', 'revoked', 'expired'] },
  ],
  examples: ['keys list --team platform --status active', 'keys list --all -o csv'],
  run: async (context, _args, values) => {
    const client = await context.client()
    const kit = columnKit(context.output)
    await printList(context, {
      path: BASE,
      query: {
        status: values['status'],
        user_id: values['user'] === undefined ? undefined : await findId(client, kinds.user, values['user']),
        team_id: values['team'] === undefined ? undefined : await findId(client, kinds.team, values['team']),
      },
      columns: [
        kit.text('name'),
        kit.text('prefix'),
        kit.status('status'),
        nameColumn(context, 'user', 'user', 'user_id'),
        nameColumn(context, 'team', 'team', 'team_id'),
        kit.number('rpm', 'rate_limit_rpm'),
        kit.usd('spend', 'spend_usd'),
        kit.time('last used', 'last_used_at'),
        kit.time('expires', 'expires_at'),
        wide(kit.list('models', 'allowed_models')),
        wide(kit.time('created', 'created_at')),
        kit.id,
      ],
      empty: 'There are no keys. Make one with "causeway keys create <name>".',
    })
  },
}

const show: Leaf = {
  name: 'show',
  summary: 'show one key, and from where it is used',
  kind: 'read',
  routes: ['GET /admin/keys/{key_id}'],
  args: [keyArg],
  examples: ['keys show ci-build'],
  run: async (context, [reference]) => {
    const kit = columnKit(context.output)
    const client = await context.client()
    await printRecord(context, await client.get(`${BASE}/${await findId(client, kinds.key, reference)}`), [
      { ...kit.id, wide: false },
      kit.text('name'),
      kit.text('prefix'),
      kit.status('status'),
      nameColumn(context, 'user', 'user', 'user_id'),
      nameColumn(context, 'team', 'team', 'team_id'),
      kit.number('requests a minute', 'rate_limit_rpm'),
      kit.list('models', 'allowed_models'),
      kit.usd('spend', 'spend_usd'),
      kit.time('last used', 'last_used_at'),
      {
        name: 'used from',
        value: (row) => row.addresses.map((one: Row) => one.address).join(', '),
        shown: (row) => usedFrom(row.addresses, context.output.io.nowMs()),
      },
      kit.time('expires', 'expires_at'),
      kit.time('revoked', 'revoked_at'),
      kit.time('created', 'created_at'),
    ])
  },
}

const SHOWN_ADDRESSES = 5

function usedFrom(addresses: readonly Row[], nowMs: number): string {
  if (addresses.length === 0) return '-'
  const latest = addresses
    .slice(0, SHOWN_ADDRESSES)
    .map((one) => `${one.address} (${relativeTime(one.last_seen_at, nowMs)})`)
  const others = addresses.length - latest.length
  return `${latest.join(', ')}${others === 0 ? '' : `, ${others} more`}`
}

const create: Leaf = {
  name: 'create',
  summary: 'make a key; it is shown once',
  kind: 'write',
  routes: ['POST /admin/keys'],
  args: [{ name: '<name>', text: 'what it is for' }],
  options: fieldOptions,
  examples: [
    'keys create ci-build --team platform --expires 90d --rpm 60',
    'keys create ci-build | gh secret set CAUSEWAY_KEY',
  ],
  run: async (context, [name], values) => {
    await createKey(context, BASE, { name, ...(await readFields(context, values)) })
  },
}

const update: Leaf = {
  name: 'update',
  summary: 'change a key',
  kind: 'write',
  routes: ['PATCH /admin/keys/{key_id}'],
  args: [keyArg],
  options: [{ flags: '--name <name>', text: 'another name' }, ...fieldOptions],
  examples: ['keys update ci-build --rpm 120', 'keys update ci-build --expires none'],
  run: async (context, [reference], values) => {
    const fields = {
      ...defined({ name: values['name'] }),
      ...(await readFields(context, values)),
    }
    const body = requireOptions(fields, 'keys update')
    const id = await findId(await context.client(), kinds.key, reference)
    await change(context, {
      method: 'PATCH',
      path: `${BASE}/${id}`,
      body,
      done: (record) => `Changed the key "${record.name}".`,
    })
  },
}

const revoke: Leaf = {
  name: 'revoke',
  summary: 'stop a key for good',
  kind: 'destroy',
  routes: ['POST /admin/keys/{key_id}/revoke'],
  args: [keyArg],
  examples: ['keys revoke ci-build --yes'],
  run: async (context, [reference]) => {
    await revokeKey(context, BASE, await findRecord(await context.client(), kinds.key, reference))
  },
}

const rotate: Leaf = {
  name: 'rotate',
  summary: 'replace a key by a new one; it is shown once',
  kind: 'destroy',
  routes: ['POST /admin/keys/{key_id}/rotate'],
  args: [keyArg],
  options: [{ flags: '--grace <time>', text: 'how long the old one still works, such as 1h', parse: seconds }],
  examples: ['keys rotate ci-build --grace 24h --yes'],
  run: async (context, [reference], { grace }) => {
    await rotateKey(context, BASE, await findRecord(await context.client(), kinds.key, reference), grace)
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'delete a revoked key',
  kind: 'destroy',
  routes: ['DELETE /admin/keys/{key_id}'],
  args: [keyArg],
  examples: ['keys delete old-build --yes'],
  run: async (context, [reference]) => {
    const key = await findRecord(await context.client(), kinds.key, reference)
    await change(context, {
      method: 'DELETE',
      path: `${BASE}/${key.id}`,
      confirm: `Delete the key "${key.name}"? Its spend stays in the records.`,
      done: () => `Deleted the key "${key.name}".`,
    })
  },
}

const test: Leaf = {
  name: 'test',
  summary: 'try a key: read it from standard input and say whose it is',
  kind: 'read',
  examples: ['keys test < key.txt'],
  run: async (context) => {
    const { url } = await context.connection()
    const token = await readSecret(context.io, 'key')
    const client = createClient({
      base: url,
      token,
      signal: context.io.signal,
      userAgent: `causeway/${context.version}`,
    })
    const kit = columnKit(context.output)
    await printRecord(context, await client.get('/me'), [
      kit.text('signed in with', 'signed_in_with'),
      kit.text('key', 'key.name'),
      kit.text('user', 'user.subject'),
      kit.text('team', 'team.name'),
      kit.number('requests a minute', 'key.rate_limit_rpm'),
      kit.time('expires', 'key.expires_at'),
    ])
  },
}

export const keys: Noun = {
  name: 'keys',
  summary: 'virtual keys',
  leaves: [list, show, create, update, rotate, revoke, remove, test],
}
