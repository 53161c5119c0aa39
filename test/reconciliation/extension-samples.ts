import { forBilling } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'POST /admin/analytics/reconciliation': forBilling,
  },
  grants: {
    'POST /admin/analytics/reconciliation': ['billing:read'],
  },
}
