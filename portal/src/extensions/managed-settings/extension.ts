/** Documents of settings for clients, of everybody and of a team. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { fill } from '../../app/slot.tsx'
import { teamTabs } from '../../modules/people/slots.ts'
import { settingsTabs } from '../../modules/settings/slots.ts'

export const managedSettings: PortalExtension = {
  fillings: [
    fill(settingsTabs, async () => (await import('./managed-settings.tsx')).ManagedSettings, {
      id: 'clients',
      label: 'Managed clients',
    }),
    fill(teamTabs, async () => (await import('./managed-settings.tsx')).TeamManagedSettings, {
      id: 'clients',
      label: 'Managed clients',
    }),
  ],
}
