/** The extensions of the command line, one line each, in the order of the help. */
import type { Extension } from '../command/extension.ts'

const loaded = await Promise.all([
  import('../extensions/mcp/extension.ts'),
  import('../extensions/scim/extension.ts'),
  import('../extensions/what-if/extension.ts'),
  import('../extensions/reconciliation/extension.ts'),
  import('../extensions/budget-simulation/extension.ts'),
  import('../extensions/saved-views/extension.ts'),
  import('../extensions/managed-settings/extension.ts'),
  import('../extensions/weekly-digest/extension.ts'),
  import('../extensions/security-review/extension.ts'),
  import('../extensions/gateway-file/extension.ts'),
  import('../extensions/warehouse/extension.ts'),
])

export const extensions: readonly Extension[] = loaded.map(({ extension }) => extension)
