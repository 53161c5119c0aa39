/** Finds the ids that the invented company has in the database now; what an administrator removed is left out. */
import type { Database } from '../../src/foundation/database/database.ts'
import type { Page, PageRequest } from '../../src/foundation/database/paging.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { keyLabel, type WorldIds } from './sample/world.ts'

export async function readWorldIds(database: Database): Promise<WorldIds> {
  const db = database.kysely
  const endpoints = await createEndpointStore(db).list()
  const teams = await readAll((request) => createTeamStore(db).list(request))
  const people = await readAll((request) => createUserStore(db).list(request))
  const keys = await readAll((request) => createKeyStore(db).list(request))
  const teamNames = new Map(teams.map((team) => [team.id, team.name]))
  const subjects = new Map(people.map((person) => [person.id, person.subject]))
  const nameIn = (names: ReadonlyMap<string, string>, id: string | null): string | null =>
    id === null ? null : (names.get(id) ?? null)
  return {
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.name, endpoint.id])),
    teams: new Map(teams.map((team) => [team.name, team.id])),
    people: new Map(people.map((person) => [person.subject, person.id])),
    keys: new Map(
      keys.map((key) => [
        keyLabel({ name: key.name, owner: nameIn(subjects, key.userId), team: nameIn(teamNames, key.teamId) }),
        key.id,
      ]),
    ),
  }
}

const PAGE_ROWS = 200

async function readAll<T>(list: (request: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = []
  let page = await list({ limit: PAGE_ROWS })
  all.push(...page.data)
  while (page.next_cursor !== null) {
    page = await list({ limit: PAGE_ROWS, cursor: page.next_cursor })
    all.push(...page.data)
  }
  return all
}
