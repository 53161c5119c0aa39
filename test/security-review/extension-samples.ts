import { forAudit } from '../app/roles.ts'
import type { ExtensionSamples } from '../support/extensions.ts'
import { sampleSecurity } from './security-facts.ts'

export const samples: ExtensionSamples = {
  roles: {
    'GET /admin/security': forAudit,
  },
  grants: {
    'GET /admin/security': ['audit:read'],
  },
  ports: { security: sampleSecurity() },
  fromMemory: ['GET /admin/security'],
  commands: {
    after: 'audit export',
    steps: [['security', { gives: 'version checked_at checks kept reached' }]],
  },
}
