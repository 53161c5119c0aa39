import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSnapshot } from '../../src/app/snapshot-sections.ts'
import { createScimMoveStore } from '../../src/extensions/scim/scim-moves.store.ts'
import { change } from '../../src/foundation/database/change.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { actor, aKey } from '../database/samples.ts'
import { createTestDatabase } from '../support/database.ts'

test('people who are moved together, and their keys, are read anew by other instances', async () => {
  const { database, drop } = await createTestDatabase()
  const written = <R>(work: Parameters<typeof change<R>>[2]) =>
    change(database, { sections: ['keys', 'people'], actor }, work)
  const { ada, key, from, to } = await written(async ({ tx }) => {
    const [from, to] = [await createTeamStore(tx).insert('Harbour'), await createTeamStore(tx).insert('Quay')]
    const ada = await createUserStore(tx).insert({ subject: 'ada', email: null, role: 'member', teamId: from.id })
    return { from, to, ada, key: await createKeyStore(tx).insert(aKey({ userId: ada.id, teamId: from.id })) }
  })
  // Once more, so that they are not of the latest version, which is read again.
  for (const subject of ['carol', 'dora'])
    await written(({ tx }) => createUserStore(tx).insert({ subject, email: null, role: 'member' }))
  const known = await readSnapshot(database)
  await written(({ tx }) => createScimMoveStore(tx).move([{ userId: ada.id, from: from.id, to: to.id }]))
  const next = await readSnapshot(database, known)
  assert.deepEqual([next.users.get(ada.id)?.teamId, next.keysByHash.get(key.hash)?.teamId], [to.id, to.id])
  await drop()
})
