/** Parts of names that more people, keys or teams have than a list of ids would hold. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const MANY = 1_100
const numbers = Array.from({ length: MANY }, (_, index) => index)

/** One call of each of them and one of somebody else. */
async function callOfEach(values: (index: number) => Partial<SpendRecord>): Promise<readonly string[]> {
  const nowMs = Date.now()
  const records = numbers.map((index) => aSpendRecord({ atMs: nowMs - index * 10, ...values(index) }))
  const { rejected } = await createSpendLog(app.database.kysely).appendBatch([
    ...records,
    aSpendRecord({ atMs: nowMs }),
  ])
  assert.deepEqual(rejected, [])
  return records.map(({ requestId }) => requestId)
}

async function allPages<T>(path: string, as: string): Promise<readonly T[]> {
  const rows: T[] = []
  for (let cursor = ''; ; ) {
    const { status, body } = await app.call('GET', `${path}&limit=200${cursor}`, { as })
    assert.equal(status, 200)
    rows.push(...body.data)
    if (!body.has_more) return rows
    cursor = `&cursor=${body.next_cursor}`
  }
}

const findIds = async (path: string, as = app.admin) =>
  (await allPages<{ request_id: string }>(path, as)).map((row) => row.request_id)

test('calls and sessions of all people are found by a part that more than a thousand names have, the deleted too', async () => {
  const domain = `${newId()}.example`
  const ids = numbers.map(() => newId())
  await sql`insert into users (id, subject, role)
    select id, 'p' || n || ${`@${domain.toUpperCase()}`}, 'member' from unnest(${ids}::uuid[]) with ordinality as given (id, n)`.execute(
    app.database.kysely,
  )
  await sql`delete from users where id = ${ids[7]}`.execute(app.database.kysely)
  const requests = await callOfEach((index) => ({ userId: ids[index] ?? null }))
  assert.deepEqual(await findIds(`/admin/requests?user=${domain}`), requests)
  assert.deepEqual(await findIds(`/admin/requests?q=user:${domain}`), requests)
  assert.deepEqual(await findIds(`/admin/requests?user=${domain}&status=ok&min_cost_usd=0.001`), requests)
  assert.deepEqual(await findIds(`/admin/requests?user=${domain}&status=error`), [])
  assert.equal((await allPages(`/admin/sessions?user=${domain}`, app.admin)).length, MANY)
})

test('the same holds for teams', async () => {
  const mark = newId()
  const ids = numbers.map(() => newId())
  await sql`insert into teams (id, name)
    select id, ${`${mark} `} || n from unnest(${ids}::uuid[]) with ordinality as given (id, n)`.execute(
    app.database.kysely,
  )
  const requests = await callOfEach((index) => ({ teamId: ids[index] ?? null }))
  assert.deepEqual(await findIds(`/admin/requests?team=${mark}`), requests)
  assert.equal((await allPages(`/admin/sessions?team=${mark}`, app.admin)).length, MANY)
})

test('a person finds all own calls by a part that more than a thousand keys have in their names', async () => {
  const user = await app.addUser()
  const own = await app.addKey({ userId: user.id, name: 'laptop' })
  const mark = newId()
  const ids = numbers.map(() => newId())
  await sql`insert into virtual_keys (id, name, user_id, hash, prefix, created_by)
    select id, ${`ci ${mark} `} || n, ${user.id}, sha256(id::text::bytea), 'sk-proxy-test', 'a test'
    from unnest(${ids}::uuid[]) with ordinality as given (id, n)`.execute(app.database.kysely)
  const requests = await callOfEach((index) => ({ userId: user.id, keyId: ids[index] ?? null }))
  await callOfEach((index) => ({ keyId: ids[index] ?? null }))
  assert.deepEqual(await findIds(`/me/requests?q=key:${mark}`, own.key), requests)
})
