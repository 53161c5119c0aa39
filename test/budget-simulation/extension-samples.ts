import { adminsOnly } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  roles: {
    'POST /admin/budgets/simulate': adminsOnly,
  },
  bodies: {
    'POST /admin/budgets/simulate': () => ({ scope: 'default', limit_usd: 5, period: 'daily', policy: 'standard' }),
  },
  commands: {
    after: 'budgets show',
    steps: [
      ['budgets simulate', { args: '--team Platform --limit 50', gives: 'scope total current finished subjects' }],
    ],
  },
}
