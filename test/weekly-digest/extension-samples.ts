import { adminsOnly } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'GET /admin/notifications/digest': adminsOnly,
  },
  commands: {
    after: 'notifications show',
    steps: [['notifications digest', { gives: 'is_on next_at payload' }]],
  },
}
