import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  commands: {
    after: 'audit export',
    steps: [
      ['export', { gives: 'version' }],
      ['diff', { args: '-f -', input: 'version: 1', gives: 'any', code: 0 }],
      ['apply', { args: '-f - --yes', input: 'version: 1', gives: 'any' }],
    ],
  },
  withoutGateway: ['export', 'diff', 'apply'],
}
