/** Every route of provisioning by identity providers, joined with the rules that hold for every change of a user. */
import type { Route } from '../http/route.ts'
import { scimDiscoveryRoutes } from './scim/discovery.routes.ts'
import { scimGroupRoutes } from './scim/groups.routes.ts'
import type { PeopleChanges, ScimPorts } from './scim/scim-ports.ts'
import { scimUserRoutes } from './scim/users.routes.ts'
import { removeUser, updateUser } from './users/user-changes.ts'

export const peopleChanges: PeopleChanges = { updateUser, removeUser }

export function scimRoutes(outside: Omit<ScimPorts, 'people'>): Route[] {
  const ports = { ...outside, people: peopleChanges }
  return [...scimUserRoutes(ports), ...scimGroupRoutes(ports), ...scimDiscoveryRoutes(ports)]
}
