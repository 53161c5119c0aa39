/** Provisioning by an identity provider. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { fill } from '../../app/slot.tsx'
import { providerWindows } from '../../modules/sign-in/slots.ts'

export const scim: PortalExtension = {
  fillings: [
    fill(providerWindows, async () => (await import('./provisioning.tsx')).Provisioning, {
      label: 'Provisioning (SCIM)',
    }),
  ],
}
