/** Whether the dollars of the gateway are those of the bill, as a tab of the reports. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { fill } from '../../app/slot.tsx'
import { reportTabs } from '../../modules/analytics/slots.ts'

export const reconciliation: PortalExtension = {
  fillings: [
    fill(reportTabs, async () => (await import('./reconcile.tsx')).ReconcileSection, {
      id: 'reconcile',
      label: 'Reconcile',
      lead: 'Whether the dollars of the gateway are those of the cloud bill',
      grant: 'billing:read',
    }),
  ],
}
