import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  access: {
    'GET /managed/settings': 'any credential',
  },
}
