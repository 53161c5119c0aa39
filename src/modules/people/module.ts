/** People: users, teams and grants. */
import type { Core, Module } from '../../foundation/http/module.ts'
import type { Route } from '../../foundation/http/route.ts'
import { bootstrapAdmins } from './bootstrap-admins.start.ts'
import type { PeopleChanges, PeoplePorts } from './people-ports.ts'
import { teamRoutes } from './teams.routes.ts'
import { removeUser, updateUser } from './user-changes.service.ts'
import { userRoutes } from './users.routes.ts'

export interface PeopleParts extends Pick<PeoplePorts, 'moveKeys' | 'catchUpUsage'> {
  readonly adminUsername: string
  readonly adminUsers: readonly string[]
}

export interface People extends Module {
  readonly changes: PeopleChanges
}

/** The rules that hold for every change of a user, whoever makes it. */
export const peopleChanges: PeopleChanges = { updateUser, removeUser }

export function createPeople(core: Core, parts: PeopleParts): People {
  const { log } = core
  const { adminUsername, adminUsers } = parts
  return {
    changes: peopleChanges,
    routes: listPeopleRoutes({ ...core, moveKeys: parts.moveKeys, catchUpUsage: parts.catchUpUsage }),
    loops: [],
    seed: (database) => bootstrapAdmins({ database, adminUsername, adminUsers, log }),
  }
}

export function listPeopleRoutes(ports: PeoplePorts): readonly Route[] {
  return [...teamRoutes(ports), ...userRoutes(ports)]
}
