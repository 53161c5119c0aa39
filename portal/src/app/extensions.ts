/** The extensions of the portal, one line each: an extension is removed with its folder and its line here. */
// biome-ignore-all lint/performance/noBarrelFile: an import and an entry in a list would be two lines.
export { budgetSimulation } from '../extensions/budget-simulation/extension.ts'
export { managedSettings } from '../extensions/managed-settings/extension.ts'
export { reconciliation } from '../extensions/reconciliation/extension.ts'
export { savedViews } from '../extensions/saved-views/extension.ts'
export { scim } from '../extensions/scim/extension.ts'
export { securityReview } from '../extensions/security-review/extension.ts'
export { weeklyDigest } from '../extensions/weekly-digest/extension.ts'
export { whatIf } from '../extensions/what-if/extension.ts'
