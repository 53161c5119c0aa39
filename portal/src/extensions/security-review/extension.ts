/** How safe the gateway is set up. */
import type { PortalExtension } from '../../app/portal-extension.ts'
import { page as security } from './security.page.ts'

export const securityReview: PortalExtension = {
  pages: [security],
}
