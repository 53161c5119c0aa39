import type { ExtensionSamples } from '../support/extensions.ts'

export const samples: ExtensionSamples = {
  withoutDocument: { mcp: 'answers an assistant until its input ends; see mcp.test.ts' },
  withoutGateway: ['mcp'],
}
