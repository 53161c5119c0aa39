import { everyLead, forBilling } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'GET /admin/analytics/what-if': { ...forBilling, ...everyLead },
  },
  grants: {
    'GET /admin/analytics/what-if': ['billing:read', 'team:lead'],
  },
  commands: {
    after: 'analytics explore',
    steps: [
      ['analytics what-if', { args: '--share 50', gives: 'range share spend_usd what_if reason choices assumptions' }],
    ],
  },
}
