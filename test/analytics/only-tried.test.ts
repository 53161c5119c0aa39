import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { anEndpoint, aSpendRecord } from '../database/samples.ts'
import { startApiApp } from '../support/api-app.ts'

test('an endpoint that only refused a call has its refusal in the figures, and nobody and no model of that call', async () => {
  const app = await startApiApp()
  const endpoints = createEndpointStore(app.database.kysely)
  const [busy, free] = [
    await endpoints.insert(anEndpoint({ name: 'busy' })),
    await endpoints.insert(anEndpoint({ name: 'free' })),
  ]
  const { id: userId } = await app.addUser()
  const teamId = await app.addTeam('Platform')
  const tried = { hostedModel: 'us.anthropic.claude-sonnet-5', error: null, durationMs: 1 }
  await createSpendLog(app.database.kysely).appendBatch([
    aSpendRecord({
      atMs: Date.now() - 1_000,
      userId,
      teamId,
      endpointId: free.id,
      attempts: [
        { ...tried, endpointId: busy.id, status: 429, error: 'ThrottlingException' },
        { ...tried, endpointId: free.id, status: 200 },
      ],
    }),
  ])
  const ask = async (name: string, endpoint: string) =>
    (await app.call('GET', `/admin/analytics/org/${name}?days=7&endpoint=${endpoint}`, { as: app.admin })).body
  const spend = await ask('spend', 'busy')
  assert.deepEqual([spend.by_team, spend.by_user, spend.by_model], [[], [], []])
  const models = await ask('models', 'busy')
  assert.deepEqual([models.mix, models.tokens], [[], []])
  assert.deepEqual(
    models.endpoints.map(({ endpoint, requests, throttles, failovers }: Record<string, unknown>) => [
      endpoint,
      requests,
      throttles,
      failovers,
    ]),
    [['busy', 0, 1, 1]],
  )
  const served = await ask('spend', 'free')
  assert.deepEqual(
    [served.by_team, served.by_user, served.by_model].map((rows) => rows.length),
    [1, 1, 1],
  )
  await app.stop()
})
