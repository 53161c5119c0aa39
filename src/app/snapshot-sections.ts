/** Which module reads which section of the snapshot. */
import { createSnapshotReader } from '../foundation/snapshot/snapshot-reader.store.ts'
import { readBudgetSection } from '../modules/budgets/budget-section.store.ts'
import { readCapabilitySection } from '../modules/endpoints/capability-overrides.store.ts'
import { readEndpointSection } from '../modules/endpoints/endpoint-section.store.ts'
import { readKeySection } from '../modules/keys/key-section.store.ts'
import { readMappingSection } from '../modules/models/model-mappings.store.ts'
import { readPriceSection } from '../modules/models/model-prices.store.ts'
import { readPeopleSection } from '../modules/people/people-section.store.ts'
import { readSettingSection } from '../modules/settings/settings.store.ts'
import { readIdpSection } from '../modules/sign-in/idps.store.ts'
import { readSessionSection } from '../modules/sign-in/sessions.store.ts'

export const readSnapshot = createSnapshotReader({
  keys: readKeySection,
  people: readPeopleSection,
  idps: readIdpSection,
  endpoints: readEndpointSection,
  mappings: readMappingSection,
  prices: readPriceSection,
  settings: readSettingSection,
  budgets: readBudgetSection,
  capabilities: readCapabilitySection,
  sessions: readSessionSection,
})
