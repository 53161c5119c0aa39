/** The extensions of the portal. Without its folder and its line here, one is gone. */
import { budgetSimulation } from '../extensions/budget-simulation/extension.ts'
import { managedSettings } from '../extensions/managed-settings/extension.ts'
import { reconciliation } from '../extensions/reconciliation/extension.ts'
import { savedViews } from '../extensions/saved-views/extension.ts'
import { scim } from '../extensions/scim/extension.ts'
import { securityReview } from '../extensions/security-review/extension.ts'
import { weeklyDigest } from '../extensions/weekly-digest/extension.ts'
import { whatIf } from '../extensions/what-if/extension.ts'
import type { PortalExtension } from './portal-extension.ts'

export const extensions: readonly PortalExtension[] = [
  budgetSimulation,
  managedSettings,
  reconciliation,
  savedViews,
  scim,
  securityReview,
  weeklyDigest,
  whatIf,
]
