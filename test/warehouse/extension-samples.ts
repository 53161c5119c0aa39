import { adminsOnly } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'GET /admin/warehouse': { ...adminsOnly, biller: 'in', operator: 'in' },
    'POST /admin/warehouse/export': adminsOnly,
  },
  grants: {
    'GET /admin/warehouse': ['billing:read', 'ops:operate'],
  },
  bodies: {
    'POST /admin/warehouse/export': () => ({}),
  },
  tables: ['warehouse_state'],
  commands: {
    after: 'analytics recount',
    steps: [
      ['warehouse status', { gives: 'is_on url files records last_file last_failure' }],
      ['warehouse export', { gives: 'is_on' }],
    ],
  },
}
