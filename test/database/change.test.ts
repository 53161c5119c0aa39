import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createAuditStore } from '../../src/foundation/database/audit.ts'
import { change } from '../../src/foundation/database/change.ts'
import {
  ConflictError,
  DatabaseUnavailableError,
  MissingReferenceError,
} from '../../src/foundation/database/store-errors.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { readVersions } from '../../src/foundation/snapshot/snapshot-reader.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { actor, aKey } from './samples.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

test('a change stores its rows, raises the versions of its sections and leaves an audit record', async () => {
  const { database } = own
  const earlier = await readVersions(database)
  const team = await change(database, { sections: ['people', 'budgets'], actor }, async ({ tx, audit }) => {
    const made = await createTeamStore(tx).insert('Quay')
    audit({ action: 'team.create', target: `team:${made.id}`, after: { name: made.name } })
    return made
  })
  const later = await readVersions(database)
  assert.deepEqual(later, { ...earlier, people: earlier.people + 1, budgets: earlier.budgets + 1 })
  const trail = await createAuditStore(database.kysely).list({ target: `team:${team.id}` })
  const [record] = trail.data
  assert.equal(trail.data.length, 1)
  assert.deepEqual(
    [record?.actor, record?.action, record?.before, record?.after, record?.sourceAddress, record?.requestId],
    ['admin', 'team.create', null, { name: 'Quay' }, '127.0.0.1', 'req_1'],
  )
})

test('a change that fails leaves no row, no version and no audit record', async () => {
  const { database } = own
  const earlier = await readVersions(database)
  const failing = change(database, { sections: ['people'], actor }, async ({ tx, audit }) => {
    const made = await createTeamStore(tx).insert('Never')
    audit({ action: 'team.create', target: 'never' })
    throw new Error(`stop after ${made.name}`)
  })
  await assert.rejects(failing, /stop after Never/)
  assert.deepEqual(await readVersions(database), earlier)
  assert.equal((await createTeamStore(database.kysely).list({ q: 'Never' })).data.length, 0)
  assert.equal((await createAuditStore(database.kysely).list({ target: 'never' })).data.length, 0)
})

test('a name that is taken is a conflict that names its rule', async () => {
  const { database } = own
  const insert = (name: string) =>
    change(database, { sections: ['people'], actor }, ({ tx }) => createTeamStore(tx).insert(name))
  await insert('Pier')
  await assert.rejects(
    insert('PIER'),
    (error) => error instanceof ConflictError && error.constraint === 'teams_name_unique',
  )
})

test('a reference to nothing is told apart from a conflict', async () => {
  const failing = change(own.database, { sections: ['keys'], actor }, ({ tx }) =>
    createKeyStore(tx).insert(aKey({ userId: newId() })),
  )
  await assert.rejects(failing, (error) => error instanceof MissingReferenceError && /user_id/.test(error.constraint))
})

test('two administrators cannot both be the last one to be demoted', async () => {
  const { database } = own
  const admins = await Promise.all(
    ['a', 'b'].map((subject) => createUserStore(database.kysely).insert({ subject, email: null, role: 'admin' })),
  )
  const demote = (id: string) =>
    change(database, { sections: ['people'], actor }, async ({ tx }) => {
      const users = createUserStore(tx)
      if (!(await users.hasOtherActiveAdmin(id))) return 'refused'
      await users.update(id, { role: 'member' })
      return 'demoted'
    })
  const outcomes = await Promise.all(admins.map((admin) => demote(admin.id)))
  assert.deepEqual(outcomes.sort(), ['demoted', 'refused'])
})

test('fifty changes at once each raise the version by one', async () => {
  const { database } = own
  const earlier = await readVersions(database)
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      change(database, { sections: index % 2 === 0 ? ['keys', 'idps'] : ['idps', 'keys'], actor }, async () => index),
    ),
  )
  const later = await readVersions(database)
  assert.equal(later.keys - earlier.keys, 50)
  assert.equal(later.idps - earlier.idps, 50)
})

test('a deadlock with another transaction is tried again and succeeds', async () => {
  const { database } = own
  await sql`create table pair (id integer primary key, n integer not null)`.execute(database.kysely)
  await sql`insert into pair values (1, 0), (2, 0)`.execute(database.kysely)
  const bothHoldOne = Promise.withResolvers<void>()
  let holding = 0
  const raise = (first: number, second: number) =>
    change(database, { sections: [], actor }, async ({ tx }) => {
      await sql`update pair set n = n + 1 where id = ${first}`.execute(tx)
      holding += 1
      if (holding === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await sql`update pair set n = n + 1 where id = ${second}`.execute(tx)
    })
  await Promise.all([raise(1, 2), raise(2, 1)])
  const { rows } = await sql<{ n: number }>`select n from pair order by id`.execute(database.kysely)
  assert.deepEqual(rows, [{ n: 2 }, { n: 2 }])
})

test('a read-only server, as during a failover, counts as unavailable', async () => {
  const { database } = own
  const failing = change(database, { sections: ['people'], actor }, async ({ tx }) => {
    await sql`set transaction read only`.execute(tx)
    await createTeamStore(tx).insert('Standby')
  })
  await assert.rejects(failing, (error) => error instanceof DatabaseUnavailableError && error.code === '25006')
})

test('the audit trail cannot be changed, and only old records can be deleted', async () => {
  const { database } = own
  const store = createAuditStore(database.kysely)
  await store.append(actor, [{ action: 'sign-in', target: null }])
  await assert.rejects(sql`update audit_log set actor = 'nobody'`.execute(database.kysely), /append-only/)
  await assert.rejects(sql`delete from audit_log`.execute(database.kysely), /append-only/)
  await assert.rejects(sql`truncate audit_log`.execute(database.kysely), /append-only/)
  await sql`insert into audit_log (id, at, actor, action) values (gen_random_uuid(), now() - interval '2 days', 'x', 'old')`.execute(
    database.kysely,
  )
  assert.equal(await store.deleteBefore(Date.now() - 36 * 3_600_000), 1)
})

test('an audit record takes any text a client may have sent', async () => {
  const store = createAuditStore(own.database.kysely)
  await store.append(actor, [{ action: 'odd', target: null, after: { name: 'a\0b\ud800c' } }])
  const { data } = await store.list({ action: 'odd' })
  assert.deepEqual(data[0]?.after, { name: 'a\u{fffd}b\u{fffd}c' })
})
