/** `causeway scim`: provisioning of people and groups by an identity provider. */
import { defined } from '../../../src/foundation/platform/defined.ts'
import { findId, kinds } from '../../client/find-record.ts'
import type { Arg, Leaf, Noun } from '../../command/command.ts'
import { change, printList, printRecord } from '../../command/context.ts'
import { ahead } from '../../command/moments.ts'
import { orNone } from '../../command/option-values.ts'
import { requireSecretShown } from '../../modules/keys/key-actions.ts'
import { columnKit } from '../../output/columns.ts'
import { isDocumentFormat } from '../../output/render.ts'

const idpArg: Arg = { name: '<idp>', text: 'name, issuer or id of the identity provider', values: 'idps' }

const show: Leaf = {
  name: 'show',
  summary: 'show how an identity provider provisions',
  kind: 'read',
  routes: ['GET /admin/idps/{id}/scim'],
  args: [idpArg],
  examples: ['scim show Okta'],
  run: async (context, [reference]) => {
    const client = await context.client()
    const kit = columnKit(context.output)
    await printRecord(context, await client.get(`/admin/idps/${await findId(client, kinds.idp, reference)}/scim`), [
      kit.text('admin group', 'scim_admin_group'),
      kit.number('users', 'users'),
      kit.number('groups', 'groups'),
    ])
  },
}

const adminGroup: Leaf = {
  name: 'admin-group',
  summary: 'decide which group makes administrators',
  kind: 'write',
  routes: ['PUT /admin/idps/{id}/scim'],
  args: [idpArg, { name: '<group>', text: 'display name of the group; none', parse: orNone(String) }],
  examples: ['scim admin-group Okta "Gateway admins"', 'scim admin-group Okta none'],
  run: async (context, [reference, group]) => {
    const id = await findId(await context.client(), kinds.idp, reference)
    await change(context, {
      method: 'PUT',
      path: `/admin/idps/${id}/scim`,
      body: { scim_admin_group: group },
      done: (record) =>
        record.scim_admin_group === null
          ? 'No group makes administrators.'
          : `Members of "${record.scim_admin_group}" are administrators.`,
    })
  },
}

const tokens: Leaf = {
  name: 'list',
  summary: 'list provisioning tokens',
  kind: 'list',
  routes: ['GET /admin/idps/{id}/scim-tokens'],
  args: [idpArg],
  examples: ['scim tokens list Okta'],
  run: async (context, [reference]) => {
    const id = await findId(await context.client(), kinds.idp, reference)
    const kit = columnKit(context.output)
    await printList(context, {
      path: `/admin/idps/${id}/scim-tokens`,
      columns: [
        kit.text('name'),
        kit.text('prefix'),
        kit.text('made by', 'created_by'),
        kit.time('created', 'created_at'),
        kit.time('last used', 'last_used_at'),
        kit.time('expires', 'expires_at'),
        kit.text('id'),
      ],
      empty: 'There are no provisioning tokens.',
    })
  },
}

const createToken: Leaf = {
  name: 'create',
  summary: 'make a provisioning token; it is shown once',
  kind: 'write',
  routes: ['POST /admin/idps/{id}/scim-tokens'],
  args: [idpArg],
  options: [
    { flags: '--name <name>', text: 'what it is for' },
    { flags: '--expires <when>', text: 'such as 365d; none', parse: orNone(ahead) },
  ],
  examples: ['scim tokens create Okta --name "Okta provisioning" --expires 365d'],
  run: async (context, [reference], { name, expires }) => {
    requireSecretShown(context)
    const id = await findId(await context.client(), kinds.idp, reference)
    const made = await change(context, {
      method: 'POST',
      path: `/admin/idps/${id}/scim-tokens`,
      body: defined({ name, expires_at: expires }),
      done: (record) => record.token,
    })
    if (made !== undefined && !isDocumentFormat(context.output.format))
      context.io.err('The token is shown once, now.\n')
  },
}

const deleteToken: Leaf = {
  name: 'delete',
  summary: 'delete a provisioning token',
  kind: 'destroy',
  routes: ['DELETE /admin/idps/{id}/scim-tokens/{token_id}'],
  args: [idpArg, { name: '<token-id>', text: 'id of the token' }],
  examples: ['scim tokens delete Okta 01900000-0000-7000-8000-000000000000 --yes'],
  run: async (context, [reference, tokenId]) => {
    const id = await findId(await context.client(), kinds.idp, reference)
    await change(context, {
      method: 'DELETE',
      path: `/admin/idps/${id}/scim-tokens/${encodeURIComponent(tokenId)}`,
      confirm: 'Delete this token? The identity provider can provision nobody with it afterwards.',
      done: () => 'Deleted the token.',
    })
  },
}

export const scim: Noun = {
  name: 'scim',
  summary: 'provisioning by an identity provider',
  leaves: [
    show,
    adminGroup,
    { name: 'tokens', summary: 'tokens of the provisioning service', leaves: [tokens, createToken, deleteToken] },
  ],
}
