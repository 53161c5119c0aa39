/** What an extension adds to the portal. */
import type { PageDefinition } from './page-definition.ts'
import type { Filling } from './slot.tsx'

export interface PortalExtension {
  readonly pages?: readonly PageDefinition[]
  /** Parts of it on the pages of modules. */
  readonly fillings?: readonly Filling[]
}
