import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { keyStatus } from '../../src/foundation/domain/virtual-key.ts'
import { createBudgetStore } from '../../src/modules/budgets/budgets.store.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createTeamRoutingStore } from '../../src/modules/endpoints/team-routing.store.ts'
import { createKeyStore } from '../../src/modules/keys/keys.store.ts'
import { hashVirtualKey, makeVirtualKey } from '../../src/modules/keys/virtual-key.ts'
import modelSeed from '../../src/modules/models/model-seed.json' with { type: 'json' }
import { createTeamStore } from '../../src/modules/people/teams.store.ts'
import { createUserStore } from '../../src/modules/people/users.store.ts'
import { createIdpStore } from '../../src/modules/sign-in/idps.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { moveIssuer } from '../../tools/demo/issuer-move.ts'
import { readWorldIds } from '../../tools/demo/read-world.ts'
import { DAY_MS } from '../../tools/demo/sample/rhythm.ts'
import { sampleBudgets } from '../../tools/demo/sample/sample-budgets.ts'
import { sampleKeys } from '../../tools/demo/sample/sample-keys.ts'
import { spendBetween } from '../../tools/demo/sample/spend.ts'
import { createWorld } from '../../tools/demo/sample/world.ts'
import { writeOrganization } from '../../tools/demo/write-organization.ts'
import { writeSpend } from '../../tools/demo/write-spend.ts'
import { anIdp } from '../database/samples.ts'
import { createTestDatabase } from '../support/database.ts'

const { database, drop } = await createTestDatabase()
after(drop)

const nowMs = Date.UTC(2026, 10, 18, 15, 30)
const demoKey = makeVirtualKey().key
await writeOrganization(database, { demoKey, nowMs })
const db = database.kysely

test('the company is written once: the printed key works, others are revoked, expired or expiring', async () => {
  await writeOrganization(database, { demoKey: makeVirtualKey().key, nowMs })
  const { data: keys } = await createKeyStore(db).list({ limit: 200 })
  assert.equal(keys.length, sampleKeys.length)
  const printed = keys.find((key) => key.name === 'demo')
  assert.equal(printed?.hash, hashVirtualKey(demoKey))
  const statuses = Map.groupBy(keys, (key) => keyStatus(key, nowMs))
  assert.equal(statuses.get('revoked')?.length, 4)
  assert.equal(statuses.get('expired')?.length, 1)
  assert.ok(keys.some((key) => key.expiresAtMs !== null && key.expiresAtMs > nowMs))
})

test('three endpoints exist, the one of the own region is the default, and two teams have their own routing', async () => {
  const endpoints = await createEndpointStore(db).list()
  assert.deepEqual(
    endpoints.map(({ name, isDefault, routingPrefix }) => [name, isDefault, routingPrefix]),
    [
      ['us-east-1', true, 'us'],
      ['eu-central-1', false, 'eu'],
      ['ap-northeast-1', false, 'jp'],
    ],
  )
  const { data: teams } = await createTeamStore(db).list({})
  const routings = await Promise.all(teams.map((team) => createTeamRoutingStore(db).find(team.id)))
  assert.equal(routings.filter((routing) => routing !== undefined).length, 2)
})

test('spend is stored exactly once, also when a range is written again or continued later', async () => {
  const write = (fromMs: number, toMs: number, withBudgets: boolean): Promise<number> =>
    writeSpend(database, {
      seed: modelSeed,
      anchorMs: nowMs,
      fromMs,
      toMs,
      withBudgets,
      onProgress: (share) => assert.ok(share >= 0 && share <= 1),
      signal: new AbortController().signal,
    })
  const world = createWorld(nowMs, modelSeed, await readWorldIds(database))
  const expected = [...spendBetween(world, nowMs - 3 * DAY_MS, nowMs)].flatMap((day) => day.records)
  const first = await write(nowMs - 3 * DAY_MS, nowMs - DAY_MS, true)
  const second = await write(nowMs - DAY_MS, nowMs, false)
  assert.equal(first + second, expected.length)
  assert.equal(await write(nowMs - 2 * DAY_MS, nowMs, false), 0)
  const one = expected.at(-1)
  assert.deepEqual(await createSpendLog(db).find(one?.requestId ?? ''), [one])
  assert.equal((await createBudgetStore(db).list()).length, sampleBudgets.length)
})

test('a fill that is stopped throws before it writes more', async () => {
  const controller = new AbortController()
  controller.abort(new Error('enough'))
  const options = { seed: modelSeed, anchorMs: nowMs, withBudgets: false, onProgress: () => undefined }
  const range = { fromMs: nowMs - 9 * DAY_MS, toMs: nowMs - 8 * DAY_MS, signal: controller.signal }
  await assert.rejects(writeSpend(database, { ...options, ...range }), /enough/)
})

test('people who signed in before can still sign in after the issuer has moved to another port', async () => {
  const users = createUserStore(db)
  const idp = await createIdpStore(db).insert(anIdp({ issuerUrl: 'http://127.0.0.1:1111' }))
  const other = await createIdpStore(db).insert(anIdp())
  const alice = await users.findBySubject('alice@example.com')
  await users.bindIdentity(alice?.id ?? '', 'http://127.0.0.1:1111', 'user-alice')
  await moveIssuer(database, 'http://127.0.0.1:1111', 'http://127.0.0.1:2222')
  assert.equal((await createIdpStore(db).find(idp.id))?.issuerUrl, 'http://127.0.0.1:2222')
  assert.equal((await createIdpStore(db).find(other.id))?.issuerUrl, other.issuerUrl)
  assert.equal((await users.findByIdentity('http://127.0.0.1:2222', 'user-alice'))?.id, alice?.id)
})
