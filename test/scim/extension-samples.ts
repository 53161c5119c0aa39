import { newId } from '../../src/foundation/platform/ids.ts'
import { adminsOnly } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

const inOneDay = () => new Date(Date.now() + 86_400_000).toISOString()
/** Of the provider that `addTargets` was called for last. */
let tokenId = newId()

export const samples: ExtensionSamples = {
  roles: {
    'POST /admin/idps/{id}/scim-tokens': adminsOnly,
    'GET /admin/idps/{id}/scim-tokens': adminsOnly,
    'DELETE /admin/idps/{id}/scim-tokens/{token_id}': adminsOnly,
    'GET /admin/idps/{id}/scim': adminsOnly,
    'PUT /admin/idps/{id}/scim': adminsOnly,
  },
  accessBelow: {
    '/scim/v2/': 'a provisioning token',
  },
  bodies: {
    'POST /admin/idps/{id}/scim-tokens': () => ({ name: 'sample', expires_at: inOneDay() }),
    'PUT /admin/idps/{id}/scim': () => ({ scim_admin_group: `admins ${newId()}` }),
  },
  pathValues: () => ({ token_id: tokenId }),
  addTargets: async (app, { idpId }) => {
    const { body } = await app.call('POST', `/admin/idps/${idpId}/scim-tokens`, { as: app.admin, body: {} })
    tokenId = (body as { id: string }).id
  },
  tables: ['scim_tokens', 'scim_settings'],
  commands: {
    after: 'idps test',
    steps: [
      ['scim show', { args: 'Example', gives: 'users groups' }],
      ['scim admin-group', { args: 'Example Admins', gives: 'scim_admin_group' }],
      ['scim tokens create', { args: 'Example --name okta', gives: 'id token name' }],
      ['scim tokens list', { args: 'Example', gives: 'data has_more next_cursor' }],
      ['scim tokens delete', { args: 'Example @last --yes', gives: 'nothing' }],
    ],
  },
}
