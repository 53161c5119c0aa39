/** What is read of keys and people after a change is what was written, and with what was known it is what a whole reading gives. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readSnapshot } from '../../src/app/snapshot-sections.ts'
import { change } from '../../src/foundation/database/change.ts'
import type { Snapshot } from '../../src/foundation/domain/snapshot.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { moveKeys } from '../../src/modules/keys/move-keys.service.ts'
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { actor, aKey } from '../database/samples.ts'
import { untilTrue } from '../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase()
})
after(() => own.drop())

const sections = ['keys', 'people', 'budgets'] as const

function written<R>(work: Parameters<typeof change<R>>[2]): Promise<R> {
  return change(own.database, { sections, actor }, work)
}

/** The parts of which only changes are read. */
function toContent(snapshot: Snapshot) {
  const { keysByHash, keysById, users, usersBySubject, usersByIdentity, usersBySpelling, teams, versions } = snapshot
  const maps = [keysByHash, keysById, users, usersBySubject, usersByIdentity, usersBySpelling, teams]
  return [...maps.map((map) => new Map<string, unknown>(map)), versions]
}

async function readOn(known: Snapshot): Promise<Snapshot> {
  const next = await readSnapshot(own.database, known)
  assert.deepEqual(toContent(next), toContent(await readSnapshot(own.database)))
  return next
}

test('every kind of change of a key and of a person is read, and nothing else is', async () => {
  const { ada, bob, adaKey, bobKey, harbour } = await written(async ({ tx }) => {
    const harbour = await createTeamStore(tx).insert('Harbour')
    const insert = (subject: string) =>
      createUserStore(tx).insert({ subject, email: null, role: 'member', teamId: harbour.id })
    const ada = await insert('ada@example.com')
    const bob = await insert('bob@example.com')
    const keyOf = (userId: string) => createKeyStore(tx).insert(aKey({ userId, teamId: harbour.id }))
    return { harbour, ada, bob, adaKey: await keyOf(ada.id), bobKey: await keyOf(bob.id) }
  })
  // Once more, so that the two are not of the latest version, which is read again.
  await written(async ({ tx }) => createUserStore(tx).insert({ subject: 'carol', email: null, role: 'member' }))
  await written(async ({ tx }) => createUserStore(tx).insert({ subject: 'dora', email: null, role: 'member' }))
  let known = await readSnapshot(own.database)

  await written(({ tx }) => createKeyStore(tx).update(adaKey.id, { name: 'laptop', rateLimitRpm: 5 }))
  let next = await readOn(known)
  assert.equal(next.keysByHash.get(adaKey.hash)?.name, 'laptop')
  assert.equal(next.keysByHash.get(bobKey.hash), known.keysByHash.get(bobKey.hash), 'what did not change is not read')
  assert.equal(next.users.get(bob.id), known.users.get(bob.id))
  known = next

  await written(({ tx }) => createUserStore(tx).update(bob.id, { role: 'admin', active: false }))
  next = await readOn(known)
  assert.equal(next.users.get(bob.id)?.active, false)
  assert.equal(next.usersBySubject.get('bob@example.com'), next.users.get(bob.id))
  assert.equal(next.users.get(ada.id), known.users.get(ada.id))
  known = next

  await written(({ tx }) => createUserStore(tx).rename(bob.id, 'robert@example.com'))
  next = await readOn(known)
  assert.equal(next.usersBySubject.get('bob@example.com'), undefined)
  assert.equal(next.usersBySubject.get('robert@example.com')?.id, bob.id)
  known = next

  // Somebody takes the name that somebody else gives up, in one change.
  await written(async ({ tx }) => {
    await createUserStore(tx).rename(ada.id, 'somebody@example.com')
    await createUserStore(tx).rename(bob.id, 'ada@example.com')
  })
  known = await readOn(known)
  assert.equal(known.usersBySubject.get('ada@example.com')?.id, bob.id)

  await written(({ tx }) => createKeyStore(tx).revoke(bobKey.id, Date.now()))
  known = await readOn(known)
  assert.equal(known.keysByHash.get(bobKey.hash)?.revokedAtMs, 0)

  const quay = await written(({ tx }) => createTeamStore(tx).insert('Quay'))
  await written(async ({ tx }) => {
    await moveKeys(tx, { userId: ada.id, from: harbour.id, to: quay.id })
    await createUserStore(tx).update(ada.id, { teamId: quay.id })
  })
  known = await readOn(known)
  assert.equal(known.keysByHash.get(adaKey.hash)?.teamId, quay.id)

  await written(({ tx }) => createTeamStore(tx).remove(quay.id))
  known = await readOn(known)
  assert.equal(known.keysByHash.get(adaKey.hash)?.teamId, null)
  assert.equal(known.users.get(ada.id)?.teamId, null)

  await written(({ tx }) => createKeyStore(tx).remove(bobKey.id))
  known = await readOn(known)
  assert.equal(known.keysByHash.get(bobKey.hash), undefined)

  // The keys go with their owner.
  await written(({ tx }) => createUserStore(tx).remove(ada.id))
  known = await readOn(known)
  assert.equal(known.users.get(ada.id), undefined)
  assert.equal(known.usersBySubject.get('somebody@example.com'), undefined)
  assert.equal(known.keysByHash.get(adaKey.hash), undefined)
})

test('a key whose grace ends between two readings has ended in the later one, as in a whole reading', async () => {
  const key = await written(({ tx }) => createKeyStore(tx).insert(aKey()))
  await written(({ tx }) => createKeyStore(tx).revoke(key.id, Date.now(), 1))
  for (const name of ['one', 'other']) await written(({ tx }) => createKeyStore(tx).insert(aKey({ name })))
  const known = await readSnapshot(own.database)
  assert.ok((known.keysByHash.get(key.hash)?.revokedAtMs ?? 0) > 0)
  await untilTrue(async () => {
    const { rows } = await sql<{ ended: boolean }>`
      select revoked_at < now() as ended from virtual_keys where id = ${key.id}`.execute(own.database.kysely)
    return rows[0]?.ended === true
  })
  await written(({ tx }) => createKeyStore(tx).insert(aKey({ name: 'another' })))
  const next = await readOn(known)
  assert.equal(next.keysByHash.get(key.hash)?.revokedAtMs, 0)
})

test('changes from several sides at once are all read, whichever of them commits first', async () => {
  const users = await written(async ({ tx }) => {
    const made = []
    for (let n = 0; n < 20; n += 1)
      made.push(await createUserStore(tx).insert({ subject: `many${n}`, email: null, role: 'member' }))
    return made
  })
  let known = await readSnapshot(own.database)
  let writing = true
  const reader = (async () => {
    while (writing) known = await readSnapshot(own.database, known)
  })()
  const writer = async (which: number): Promise<void> => {
    for (let n = 0; n < 25; n += 1) {
      const user = users[(which * 5 + n) % users.length]
      if (user === undefined) continue
      await written(async ({ tx }) => {
        await createUserStore(tx).update(user.id, { email: `${which}.${n}@example.com` })
        const key = await createKeyStore(tx).insert(aKey({ userId: user.id }))
        if (n % 3 === 0) await createKeyStore(tx).remove(key.id)
      })
    }
  }
  await Promise.all([0, 1, 2, 3].map(writer))
  writing = false
  await reader
  await readOn(known)
})

test('a row that was written without a new version is waited for, and is read with the next change', async () => {
  const key = await written(({ tx }) => createKeyStore(tx).insert(aKey()))
  const known = await readSnapshot(own.database)
  let other: Promise<unknown> | undefined
  await own.database.kysely.transaction().execute(async (tx) => {
    await sql`update virtual_keys set name = 'by hand' where id = ${key.id}`.execute(tx)
    other = written((inside) => createKeyStore(inside.tx).insert(aKey({ name: 'meanwhile' })))
    const first = await Promise.race([other.then(() => 'the other'), waitsForALock()])
    assert.equal(first, 'waits')
  })
  await other
  const next = await readOn(known)
  assert.equal(next.keysByHash.get(key.hash)?.name, 'by hand')
})

async function waitsForALock(): Promise<'waits'> {
  await untilTrue(async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      own.database.kysely,
    )
    return rows.length > 0
  })
  return 'waits'
}

test('of another server, of a restored one and of long ago nothing is taken over', async () => {
  const key = await written(({ tx }) => createKeyStore(tx).insert(aKey()))
  await written(({ tx }) => createKeyStore(tx).insert(aKey({ name: 'before' })))
  const recent = await readSnapshot(own.database)
  await written(({ tx }) => createKeyStore(tx).insert(aKey({ name: 'since' })))
  const dayAgo = Object.fromEntries(
    Object.entries(recent.readAtMs).map(([section, at]) => [section, at - 25 * 3_600_000]),
  )
  const ahead = Object.fromEntries(Object.entries(recent.readAtMs).map(([section, at]) => [section, at + 3_600_000]))
  const isTakenOver = async (known: Snapshot): Promise<boolean> =>
    (await readOn(known)).keysByHash.get(key.hash) === known.keysByHash.get(key.hash)
  assert.equal(await isTakenOver(recent), true)
  assert.equal(await isTakenOver({ ...recent, origin: 'another' }), false)
  assert.equal(await isTakenOver({ ...recent, readAtMs: dayAgo as Snapshot['readAtMs'] }), false)
  assert.equal(await isTakenOver({ ...recent, readAtMs: ahead as Snapshot['readAtMs'] }), false)
  assert.equal(await isTakenOver({ ...recent, versions: { ...recent.versions, keys: 1_000_000 } }), false)
})

test('so many changes that reading everything is quicker are read with everything, and read right', async () => {
  const key = await written(({ tx }) => createKeyStore(tx).insert(aKey()))
  await written(({ tx }) => createKeyStore(tx).insert(aKey({ name: 'before' })))
  const known = await readSnapshot(own.database)
  await written(async ({ tx }) => {
    await sql`
      insert into virtual_keys (id, name, hash, prefix, created_by)
      select gen_random_uuid(), 'key ' || n, sha256(n::text::bytea), 'sk-proxy-' || n, 'test'
      from generate_series(1, 10001) n`.execute(tx)
  })
  const next = await readOn(known)
  assert.ok(next.keysByHash.size > 10_000)
  assert.notEqual(next.keysByHash.get(key.hash), known.keysByHash.get(key.hash))
})

test('every column but the stamps of use is watched, so that a later one is not forgotten', async () => {
  const { rows } = await sql<{ table: string; name: string }>`
    select trigger.tgrelid::regclass::text as table, attribute.attname as name
    from pg_trigger trigger join pg_attribute attribute on attribute.attrelid = trigger.tgrelid
    where trigger.tgname = 'stamp_revision' and attribute.attnum > 0 and not attribute.attisdropped
      and not attribute.attnum = any(trigger.tgattr::int2[])
    order by 1, 2`.execute(own.database.kysely)
  assert.deepEqual(rows, [
    { table: 'users', name: 'last_seen_at' },
    { table: 'users', name: 'models_listed_at' },
    { table: 'users', name: 'revision' },
    { table: 'virtual_keys', name: 'last_used_at' },
    { table: 'virtual_keys', name: 'revision' },
  ])
})

test('removals are forgotten after two days', async () => {
  const { kysely } = own.database
  await sql`insert into snapshot_removals values ('keys', 1, 'long ago', now() - interval '3 days')`.execute(kysely)
  const key = await written(({ tx }) => createKeyStore(tx).insert(aKey()))
  await written(({ tx }) => createKeyStore(tx).remove(key.id))
  const rows = await kysely.selectFrom('snapshot_removals').select('key').execute()
  assert.ok(rows.some((row) => row.key === key.hash))
  assert.ok(!rows.some((row) => row.key === 'long ago'))
})
