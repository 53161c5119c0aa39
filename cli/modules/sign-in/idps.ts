/** `causeway idps`: identity providers for single sign-on. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, findRecord, kinds } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun, Opt } from '../../command/command.ts'
import { type Context, change, printList, printRecord, requireOptions, type Values } from '../../command/context.ts'
import { commaList, orNone, trueOrFalse } from '../../command/option-values.ts'
import { readSecretOption, secretOptions } from '../../command/secret-input.ts'
import { columnKit, wide } from '../../output/columns.ts'
import type { Row } from '../../output/render.ts'
import type { Column } from '../../output/table.ts'
import { CliError, usageError } from '../../terminal/cli-error.ts'

const idpArg: Arg = { name: '<idp>', text: 'name, issuer or id', values: 'idps' }

const fieldOptions: readonly Opt[] = [
  { flags: '--issuer <url>', text: 'serves /.well-known/openid-configuration' },
  { flags: '--audience <audience>', text: 'expected audience of its tokens' },
  { flags: '--client-id <id>', text: 'when it differs from the audience; none', parse: orNone(String) },
  ...secretOptions('client-secret', 'the client secret'),
  { flags: '--jwks-url <url>', text: 'when it is not discovered; none', parse: orNone(String) },
  { flags: '--auto-provision <bool>', text: 'add people at their first sign-in', parse: trueOrFalse },
  { flags: '--default-role <role>', text: 'role of people added that way', choices: ['member', 'admin'] },
  {
    flags: '--domains <domains>',
    text: 'allowed e-mail domains, comma-separated; none',
    parse: orNone(commaList),
  },
  {
    flags: '--user-claim <claim>',
    text: 'which claim names the person',
    choices: ['email', 'preferred_username', 'upn', 'oid', 'name', 'sub', 'auto'],
  },
  {
    flags: '--logout <where>',
    text: 'end only the session here, or also the one at the provider',
    choices: ['local', 'provider'],
  },
  { flags: '--enabled <bool>', text: 'true or false', parse: trueOrFalse },
]

async function readFields(context: Context, values: Values): Promise<Row> {
  const named = {
    issuer_url: values['issuer'],
    audience: values['audience'],
    client_id: values['clientId'],
    client_secret: await readSecretOption(context.io, values, 'client-secret'),
    jwks_url: values['jwksUrl'],
    auto_provision: values['autoProvision'],
    default_role: values['defaultRole'],
    allowed_domains: values['domains'],
    user_claim: values['userClaim'],
    logout: values['logout'],
    enabled: values['enabled'],
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

function buildColumns(context: Context): readonly Column<Row>[] {
  const kit = columnKit(context.output)
  return [
    kit.text('name'),
    kit.text('issuer', 'issuer_url'),
    kit.text('audience'),
    kit.flag('enabled', 'enabled'),
    kit.flag('provisions', 'auto_provision'),
    kit.text('role', 'default_role'),
    kit.list('domains', 'allowed_domains'),
    wide(kit.text('claim', 'user_claim')),
    wide(kit.text('logout')),
    wide(kit.flag('secret', 'has_client_secret')),
    kit.id,
  ]
}

const list: Leaf = {
  name: 'list',
  summary: 'list identity providers',
  kind: 'list',
  routes: ['GET /admin/idps'],
  examples: ['idps list'],
  run: (context) =>
    printList(context, {
      path: '/admin/idps',
      columns: buildColumns(context),
      empty: 'There are no identity providers.',
    }),
}

const show: Leaf = {
  name: 'show',
  summary: 'show one identity provider',
  kind: 'read',
  routes: ['GET /admin/idps/{id}'],
  args: [idpArg],
  examples: ['idps show Okta'],
  run: async (context, [reference]) =>
    printRecord(context, await findRecord(await context.client(), kinds.idp, reference), buildColumns(context)),
}

const create: Leaf = {
  name: 'create',
  summary: 'add an identity provider',
  kind: 'write',
  routes: ['POST /admin/idps'],
  args: [{ name: '<name>', text: 'shown on the sign-in button' }],
  options: fieldOptions,
  examples: [
    'idps create Okta --issuer https://example.okta.com --audience causeway --auto-provision true --client-secret-file secret.txt',
  ],
  run: async (context, [name], values) => {
    if (values['issuer'] === undefined || values['audience'] === undefined)
      throw usageError('an identity provider needs --issuer and --audience')
    const body = { name, ...(await readFields(context, values)) }
    await change(context, {
      method: 'POST',
      path: '/admin/idps',
      body,
      done: (made) => `Added "${made.name}" (${made.id}).`,
    })
  },
}

const update: Leaf = {
  name: 'update',
  summary: 'change an identity provider',
  kind: 'write',
  routes: ['PATCH /admin/idps/{id}'],
  args: [idpArg],
  options: [{ flags: '--name <name>', text: 'another name' }, ...fieldOptions],
  examples: ['idps update Okta --domains example.com,example.org'],
  run: async (context, [reference], values) => {
    const fields = {
      ...defined({ name: values['name'] }),
      ...(await readFields(context, values)),
    }
    const body = requireOptions(fields, 'idps update')
    const id = await findId(await context.client(), kinds.idp, reference)
    await change(context, {
      method: 'PATCH',
      path: `/admin/idps/${id}`,
      body,
      done: (record) => `Changed "${record.name}".`,
    })
  },
}

const remove: Leaf = {
  name: 'delete',
  summary: 'delete an identity provider',
  kind: 'destroy',
  routes: ['DELETE /admin/idps/{id}'],
  args: [idpArg],
  examples: ['idps delete Okta --yes'],
  run: async (context, [reference]) => {
    const idp = await findRecord(await context.client(), kinds.idp, reference)
    await change(context, {
      method: 'DELETE',
      path: `/admin/idps/${idp.id}`,
      confirm: `Delete "${idp.name}"? Nobody can sign in through it afterwards.`,
      done: () => `Deleted "${idp.name}".`,
    })
  },
}

const test: Leaf = {
  name: 'test',
  summary: 'try an identity provider: discovery, signing keys, and a token if you give one',
  kind: 'read',
  routes: ['POST /admin/idps/test'],
  args: [{ name: '[idp]', text: 'a stored one; or name one with --issuer', values: 'idps' }],
  options: [...fieldOptions, ...secretOptions('token', 'a token of a person')],
  about: 'Ends with code 8 when something does not fit.',
  examples: [
    'idps test Okta',
    'idps test --issuer https://example.okta.com --audience causeway --token-file token.txt',
  ],
  run: async (context, [reference], values) => {
    const client = await context.client()
    const stored = reference === undefined ? {} : testable(await findRecord(client, kinds.idp, reference))
    const token = await readSecretOption(context.io, values, 'token')
    const body = { ...stored, ...(await readFields(context, values)), ...defined({ token }) }
    if (!('issuer_url' in body)) throw usageError('which one? name a stored one, or give --issuer')
    const found = await client.send('POST', '/admin/idps/test', body)
    const kit = columnKit(context.output)
    await printRecord(context, found, [
      kit.text('discovery', 'discovery.message'),
      kit.text('signing keys', 'signing_keys.message'),
      kit.text('token', 'token.message'),
      kit.text('person', 'token.user_name'),
    ])
    if (found.success !== true) throw new CliError('the identity provider did not pass', { exit: 'checkFailed' })
  },
}

function testable(idp: Row): Row {
  const { issuer_url, audience, user_claim, allowed_domains, client_id, jwks_url } = idp
  return { issuer_url, audience, user_claim, allowed_domains, client_id, jwks_url }
}

export const idps: Noun = {
  name: 'idps',
  summary: 'identity providers',
  leaves: [list, show, create, update, remove, test],
}
