/** What a page shows, kept under a name. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { fill } from '../../app/slot.tsx'
import { paletteGroups } from '../../app/slots.ts'
import { viewActions } from '../../modules/analytics/slots.ts'

export const savedViews: PortalExtension = {
  fillings: [
    fill(viewActions, async () => (await import('./views-menu.tsx')).ViewsMenu),
    fill(paletteGroups, async () => (await import('./views-group.tsx')).ViewsGroup),
  ],
}
