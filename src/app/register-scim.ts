/** Every route of provisioning by identity providers, joined with the rules that hold for every change of a user. */

import { scimDiscoveryRoutes } from '../extensions/scim/discovery.routes.ts'
import { scimGroupRoutes } from '../extensions/scim/groups.routes.ts'
import type { PeopleChanges, ScimPorts } from '../extensions/scim/scim-ports.service.ts'
import { scimUserRoutes } from '../extensions/scim/users.routes.ts'
import type { Route } from '../foundation/http/route.ts'
import { removeUser, updateUser } from '../modules/people/user-changes.service.ts'

export const peopleChanges: PeopleChanges = { updateUser, removeUser }

export function scimRoutes(outside: Omit<ScimPorts, 'people'>): Route[] {
  const ports = { ...outside, people: peopleChanges }
  return [...scimUserRoutes(ports), ...scimGroupRoutes(ports), ...scimDiscoveryRoutes(ports)]
}
