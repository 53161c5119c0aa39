/** A budget that is created right after spending counts that spending, although the database does not have it yet. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'
import { nanoFromUsd } from '../../src/foundation/domain/money.ts'
import { post, until } from '../message-path/path-client.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addKey, login, startGateway, type TestGateway } from '../support/gateway.ts'
import { addTeam, addUser, fixPrice, hello, priceOfCall, spentOf } from './budget-world.ts'

let simulator: Simulator
let own: TestDatabase
let gateway: TestGateway
/** A second instance on the same database. */
let other: TestGateway
let price = 0
let release = async (): Promise<void> => {}

before(async () => {
  simulator = await startSimulator()
  own = await createTestDatabase()
  gateway = await startGateway({ simulator, database: own })
  other = await startGateway({ simulator, database: own })
  await fixPrice({ ...gateway, database: own.database })
  price = await priceOfCall({ ...gateway, database: own.database })
})
afterEach(() => release())
after(async () => {
  await Promise.all([gateway.stop(), other.stop()])
  await own.drop()
  await simulator.close()
})

/** Nothing is added to the spend log until `release` is called; everything else in the database works. */
async function holdWrites(): Promise<void> {
  const client = await own.database.pool.connect()
  await client.query('begin')
  await client.query('lock table spend_log in share mode')
  release = async () => {
    release = async () => {}
    await client.query('rollback')
    client.release()
  }
}

async function asAdmin(method: string, path: string, body?: object) {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await login(gateway.url)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return (await response.json()) as { readonly spend_usd: number; readonly status: string }
}

async function serve(key: string, at: TestGateway = gateway): Promise<number> {
  const response = await post(at, key, hello)
  await response.arrayBuffer()
  return response.status
}

const limit = (calls: number) => ({ limit_usd: (calls * price) / 1e9, period: 'monthly', policy: 'standard' })

/** A key of a user in a team who has made three requests that the database does not have. */
async function addBusyUser(at: TestGateway = gateway) {
  const teamId = await addTeam(own.database)
  const userId = await addUser(own.database, teamId)
  const { key } = await addKey(own.database, { userId })
  await asAdmin('PUT', '/admin/settings/spend_retention_days', { value: 400 })
  await until(async () =>
    (await fetch(`${at.url}/v1/models`, { headers: { 'x-api-key': key } })).ok ? true : undefined,
  )
  await holdWrites()
  for (let call = 0; call < 3; call += 1) assert.equal(await serve(key, at), 200)
  return { teamId, userId, key }
}

type BusyUser = Awaited<ReturnType<typeof addBusyUser>>

const kinds: readonly {
  readonly name: string
  readonly create: (user: BusyUser, calls: number) => Promise<unknown>
}[] = [
  { name: 'user budget', create: ({ userId }, calls) => asAdmin('PUT', `/admin/users/${userId}/budget`, limit(calls)) },
  { name: 'team budget', create: ({ teamId }, calls) => asAdmin('PUT', `/admin/teams/${teamId}/budget`, limit(calls)) },
  {
    name: 'member limit',
    create: ({ teamId }, calls) =>
      asAdmin('PUT', `/admin/teams/${teamId}/budget`, { ...limit(1_000), member_limit_usd: limit(calls).limit_usd }),
  },
  {
    name: 'default budget',
    create: (_user, calls) => asAdmin('PUT', '/admin/settings/default_budget', { value: limit(calls) }),
  },
]

for (const { name, create } of kinds) {
  test(`a new ${name} that is used up by requests that are not stored yet blocks the next request`, async (context) => {
    const user = await addBusyUser()
    context.after(() => asAdmin('PUT', '/admin/settings/default_budget', { value: null }))
    await create(user, 3)
    assert.equal(await serve(user.key), 429)
  })

  test(`a new ${name} counts requests that are not stored yet once, also when they are stored`, async (context) => {
    const user = await addBusyUser()
    context.after(() => asAdmin('PUT', '/admin/settings/default_budget', { value: null }))
    await create(user, 5)
    assert.equal(await serve(user.key), 200)
    await release()
    await until(async () => ((await spentOf(own.database, user.userId)) === 4 * price ? true : undefined))
    assert.equal(await serve(user.key), 200)
    assert.equal(await serve(user.key), 429)
  })
}

test('the answer to a new budget has the spend that is not stored yet, and no more after it is stored', async () => {
  const { userId } = await addBusyUser()
  const created = await asAdmin('PUT', `/admin/users/${userId}/budget`, limit(3))
  assert.deepEqual([nanoFromUsd(created.spend_usd), created.status], [3 * price, 'blocked'])
  await release()
  await until(async () => ((await spentOf(own.database, userId)) === 3 * price ? true : undefined))
  const later = await asAdmin('GET', `/admin/users/${userId}/budget`)
  assert.deepEqual([nanoFromUsd(later.spend_usd), later.status], [3 * price, 'blocked'])
})

test('a new budget counts requests that another instance has not stored yet', async () => {
  const { key, userId } = await addBusyUser(other)
  await asAdmin('PUT', `/admin/users/${userId}/budget`, limit(3))
  // The other instance learns of the budget within seconds and says in the database what it has spent of it.
  await until(async () => {
    const { rows } = await own.database.pool.query(
      'select leased_nano_usd from budget_leases where account like $1 and leased_nano_usd >= $2',
      [`user:${userId}%`, 3 * price],
    )
    return rows.length > 0 ? true : undefined
  })
  // Held spend of another instance makes a request wait; once it is stored, the budget is known to be used up.
  const answer = serve(key)
  await release()
  assert.equal(await answer, 429)
})
