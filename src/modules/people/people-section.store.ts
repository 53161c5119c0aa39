/** The people and teams of the snapshot. */
import { sql } from 'kysely'
import { addPerson, emptyPeople } from '../../foundation/domain/people.ts'
import type { User } from '../../foundation/domain/user.ts'
import {
  isNear,
  mapInSlices,
  readInSlices,
  removedSince,
  type SectionReader,
  writtenSince,
} from '../../foundation/snapshot/snapshot-sections.store.ts'
import { layeredPeople, toLayers, withChanges } from './layered-people.store.ts'
import { toTeam } from './teams.store.ts'
import { toUser } from './users.store.ts'

export const readPeopleSection: SectionReader<'people'> = async (tx, { presentMs, since }) => {
  const teams = await mapInSlices(tx, 'teams', toTeam, (team) => team.id)
  const known = since && layeredPeople(since.snapshot)
  if (since === undefined || known === undefined || !(await isNear(tx, 'users', since, presentMs))) {
    const people = emptyPeople()
    await readInSlices(tx, 'users', sql`true`, (row) => addPerson(people, Object.freeze(toUser(row))))
    return { ...toLayers(people), teams }
  }
  const removed = await removedSince(tx, 'people', since)
  const changed: User[] = []
  await readInSlices(tx, 'users', writtenSince(since), (row) => changed.push(Object.freeze(toUser(row))))
  return { ...(await withChanges(known, removed, changed)), teams }
}
