import { everybodyForThemself, personsOnly } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'GET /me/views': everybodyForThemself,
    'PUT /me/views/{name}': personsOnly,
    'DELETE /me/views/{name}': personsOnly,
  },
  bodies: {
    'PUT /me/views/{name}': () => ({ path: '#/me/requests?status=error' }),
  },
  upserts: ['PUT /me/views/{name}'],
  commands: {
    after: 'me keys revoke',
    steps: [
      ['me views save', { args: 'errors #/me/requests?status=error', gives: 'name path updated_at' }],
      ['me views list', { gives: 'data' }],
      ['me views delete', { args: 'errors --yes', gives: 'nothing' }],
    ],
  },
}
