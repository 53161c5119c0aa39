/** Places on the pages of this module that extensions fill. */
import type { Slot } from '../../app/slot.tsx'
import type { Provider } from './access/provider-facts.ts'

interface ProviderAction {
  readonly label: string
}

/** A window about an identity provider, and its entry in the menu of the provider. */
export const providerWindows: Slot<{ readonly provider: Provider; readonly onClose: () => void }, ProviderAction> = {
  name: 'windows of a provider',
}
