/** SCIM: identity providers create, change and deactivate users and groups. */
import type { Core, Extension } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { People } from '../../modules/people/module.ts'
import type { SignIn } from '../../modules/sign-in/module.ts'
import { scimDiscoveryRoutes } from './discovery.routes.ts'
import { scimGroupRoutes } from './groups.routes.ts'
import { type ScimAdminPorts, scimAdminRoutes } from './scim-admin.routes.ts'
import type { ScimPorts } from './scim-ports.service.ts'
import { findProvisioningIdps } from './scim-tokens.store.ts'
import { scimUserRoutes } from './users.routes.ts'

interface Parts {
  readonly people: Pick<People, 'changes'>
  readonly signIn: Pick<SignIn, 'findBaseUrl'>
}

export function createExtension(core: Core, { people, signIn }: Parts): Extension {
  const ports = { ...core, people: people.changes, findBaseUrl: signIn.findBaseUrl }
  return { routes: [...listProviderRoutes(ports), ...listRoutes(ports)], loops: [], findProvisioningIdps }
}

/** For identity providers. */
export function listProviderRoutes(ports: ScimPorts): readonly Route[] {
  return [...scimUserRoutes(ports), ...scimGroupRoutes(ports), ...scimDiscoveryRoutes(ports)]
}

/** For administrators. */
export function listRoutes(ports: ScimAdminPorts): readonly Route[] {
  return scimAdminRoutes(ports)
}
