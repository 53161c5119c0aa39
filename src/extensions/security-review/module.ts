/** Security review: how safely this gateway is set up, what it keeps about people, and whom it calls. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Notifications } from '../../modules/notifications/module.ts'
import { securityRoutes } from './security.routes.ts'
import { type ReviewedConfig, type SecurityParts, securityFacts } from './security-facts.service.ts'
import type { SecurityPorts } from './security-ports.ts'

interface Parts extends Pick<SecurityParts, 'listeners' | 'findCredentialKind'> {
  readonly config: ReviewedConfig
  readonly notifications: Pick<Notifications, 'sending'>
  readonly extensions: () => readonly Extension[]
}

export function createExtension(core: Core, parts: Parts): Extension {
  const routes = listRoutes({
    ...core,
    notifications: parts.notifications.sending,
    security: securityFacts({ ...core, ...parts }),
    findProvisioningIdps: (db, nowMs) =>
      parts
        .extensions()
        .find(({ findProvisioningIdps }) => findProvisioningIdps !== undefined)
        ?.findProvisioningIdps?.(db, nowMs),
  })
  return { routes, loops: [] }
}

export function listRoutes(ports: SecurityPorts): readonly Route[] {
  return securityRoutes(ports)
}
