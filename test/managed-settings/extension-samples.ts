import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  access: {
    'GET /managed/settings': 'any credential',
  },
  commands: {
    after: 'settings set',
    steps: [
      ['managed-settings set', { args: '-', input: '{"cleanupPeriodDays":10}', gives: 'settings' }],
      ['managed-settings show', { gives: 'settings' }],
      ['managed-settings mine', { gives: 'any' }],
      ['managed-settings clear', { args: '--yes', gives: 'nothing' }],
    ],
  },
}
