/** The vendor's own library manages budgets of the gateway: another address is all that it needs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Anthropic, {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
} from '@anthropic-ai/sdk'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { asAdmin } from '../sign-in/login-app.ts'
import { addKey, login, startGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let admin: Anthropic
let key = ''

before(async () => {
  gateway = await startGateway({
    prepare: async (database) => {
      key = (await addKey(database)).key
    },
  })
  admin = clientFor(await login(gateway.url))
})
after(() => gateway.stop())

function clientFor(authToken: string): Anthropic {
  return new Anthropic({ authToken, apiKey: null, baseURL: gateway.url, maxRetries: 0 })
}

async function addPerson(subject: string): Promise<string> {
  const made = await asAdmin(gateway, 'POST', '/admin/users', { subject, email: subject, role: 'member' })
  assert.equal(made.status, 201)
  return ((await made.json()) as { id: string }).id
}

async function spend(userId: string, costNanoUsd: number): Promise<void> {
  assert.ok(gateway.database !== undefined)
  const record = aSpendRecord({ userId, teamId: null, atMs: Date.now(), costNanoUsd })
  await createSpendLog(gateway.database.kysely).appendBatch([record])
}

test('limits are set, found, reported with what was spent, and removed', async () => {
  const { spendLimits } = admin.beta.organization
  const people = await Promise.all(['ada', 'bob', 'eve'].map((name) => addPerson(`${name}@example.com`)))
  const [ada = ''] = people
  for (const user_id of people) await spendLimits.set({ amount: '50000', scope: { type: 'user', user_id } })
  const raised = await spendLimits.set({ amount: '75000', scope: { type: 'user', user_id: ada }, period: 'monthly' })
  assert.deepEqual([raised.amount, raised.period, raised.currency], ['75000', 'monthly', 'USD'])
  assert.deepEqual(await spendLimits.retrieve(raised.id), raised)
  const listed = await Array.fromAsync(spendLimits.list({ limit: 1, scope_type: ['user'] }))
  assert.deepEqual(listed.map(({ scope }) => 'user_id' in scope && scope.user_id).sort(), people.toSorted())

  await spend(ada, 12_345_678_900)
  const report = await Array.fromAsync(
    admin.organization.spendLimits.effective.list({ limit: 1, user_ids: people, period: ['monthly', 'weekly'] }),
  )
  assert.equal(report.length, 3)
  const [row] = report.filter(({ actor }) => 'user_id' in actor && actor.user_id === ada)
  assert.deepEqual(
    [row?.amount, row?.period_to_date_spend, row?.source, row?.spend_limit_id],
    ['75000', '1234.568', { type: 'user', user_id: ada }, raised.id],
  )

  assert.equal((await spendLimits.delete(raised.id)).type, 'spend_limit_deleted')
  await assert.rejects(spendLimits.retrieve(raised.id), NotFoundError)
  await assert.rejects(spendLimits.set({ amount: null, scope: { type: 'user', user_id: ada } }), BadRequestError)
})

test('what somebody asks for is found and decided', async () => {
  const { increaseRequests } = admin.organization.spendLimits
  const user = await addPerson('asker@example.com')
  await admin.beta.organization.spendLimits.set({ amount: '1000', scope: { type: 'user', user_id: user } })
  assert.ok(gateway.database !== undefined)
  const { rows } = await gateway.database.pool.query<{ id: string }>(
    `insert into budget_requests (id, user_id, amount_nano_usd) values (gen_random_uuid(), $1, 5000000000) returning id`,
    [user],
  )
  const id = rows[0]?.id ?? ''
  const pending = await Array.fromAsync(increaseRequests.list({ status: ['pending'], actor_ids: [user] }))
  assert.deepEqual(
    pending.map((one) => [one.id, one.spend_summary?.amount]),
    [[id, '1000']],
  )
  const done = await increaseRequests.approve(id, { amount: '2500' })
  assert.deepEqual([done.status, done.spend_limit?.amount], ['approved', '2500'])
  assert.equal((await increaseRequests.retrieve(id)).status, 'approved')
  await assert.rejects(increaseRequests.deny(id, {}), BadRequestError)
})

test('neither a key nor nobody may see limits, whichever header carries it', async () => {
  await assert.rejects(clientFor(key).beta.organization.spendLimits.list(), PermissionDeniedError)
  const byHeader = new Anthropic({ apiKey: key, authToken: null, baseURL: gateway.url, maxRetries: 0 })
  await assert.rejects(byHeader.organization.spendLimits.effective.list(), PermissionDeniedError)
  await assert.rejects(clientFor('sess-nonsense').beta.organization.spendLimits.list(), AuthenticationError)
  const session = await login(gateway.url)
  const asKey = new Anthropic({ apiKey: session, authToken: null, baseURL: gateway.url, maxRetries: 0 })
  assert.ok((await asKey.beta.organization.spendLimits.list()).data.length > 0)
})
