import { forBilling } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'POST /admin/analytics/reconciliation': forBilling,
  },
  grants: {
    'POST /admin/analytics/reconciliation': ['billing:read'],
  },
  commands: {
    after: 'analytics recount',
    steps: [
      [
        'analytics reconcile',
        {
          args: 'test/reconciliation/golden/cost-explorer.csv',
          gives: 'range report totals by_model days places causes left_out',
          code: 8,
        },
      ],
    ],
  },
}
