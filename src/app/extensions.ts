/** The extensions, one line each: an extension is removed with its folder and its line here. */
import type { Extension } from '../foundation/http/module.ts'
import type { Foundation } from './core.ts'
import type { MessagePath } from './message-path.ts'
import type { Modules } from './modules.ts'

export const extensions = await Promise.all([
  import('../extensions/scim/module.ts'),
  import('../extensions/managed-settings/module.ts'),
  import('../extensions/admin-api/module.ts'),
  import('../extensions/security-review/module.ts'),
  import('../extensions/reconciliation/module.ts'),
  import('../extensions/what-if/module.ts'),
  import('../extensions/budget-simulation/module.ts'),
  import('../extensions/saved-views/module.ts'),
  import('../extensions/weekly-digest/module.ts'),
  import('../extensions/warehouse/module.ts'),
])

export function createExtensions(
  core: Foundation,
  modules: Modules,
  { findCredentialKind }: Pick<MessagePath, 'findCredentialKind'>,
): readonly Extension[] {
  const { config, running } = core
  const parts = { ...modules, config, findCredentialKind, listeners: () => running.ports, extensions: () => created }
  // Named, because an empty list alone would say nothing about its elements.
  const listed: readonly { createExtension: (core: Foundation, offered: typeof parts) => Extension }[] = extensions
  const created: readonly Extension[] = listed.map(({ createExtension }) => createExtension(core, parts))
  return created
}
