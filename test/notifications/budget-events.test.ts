import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { type GatewayAdmin, signIn, until } from './news.ts'

let gateway: TestGateway
let admin: GatewayAdmin

before(async () => {
  gateway = await startGateway({ simulatorSettings: { tokenMode: 'fingerprint' } })
  admin = await signIn(gateway.url)
})
after(() => gateway.stop())

test('what real calls spend becomes events that name the person, the team and the budget, each once', async () => {
  const { database, control } = gateway
  assert.ok(database !== undefined)
  const team = (await admin.call('POST', '/admin/teams', { name: 'Engines' })) as { id: string }
  const person = { subject: 'ada', email: 'ada@example.com', role: 'member' }
  const user = (await admin.call('POST', '/admin/users', person)) as { id: string }
  await admin.call('PUT', `/admin/users/${user.id}/team`, { team_id: team.id })
  // One call of the simulator costs more than a dollar: it passes every rule of a budget of a cent.
  const budget = {
    limit_usd: 0.01,
    period: 'monthly',
    policy: [
      { at_percent: 80, action: 'notify' },
      { at_percent: 100, action: 'shape', rpm: 1 },
      { at_percent: 150, action: 'block' },
    ],
  }
  await admin.call('PUT', `/admin/users/${user.id}/budget`, budget)
  await admin.call('PUT', `/admin/teams/${team.id}/budget`, { ...budget, policy: 'standard' })
  await admin.activate({ destination_type: 'webhook', destination: `${gateway.simulator.webhookUrl}/hook` })
  await control.clearWebhooks()

  const { key } = await addKey(database, { userId: user.id })
  const ask = async (): Promise<number> => {
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'claude-sonnet-5', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.arrayBuffer()
    return response.status
  }
  await until('a served call', async () => (await ask()) === 200)
  await until('the block', async () => (await ask()) === 429)
  for (let n = 0; n < 5; n += 1) assert.equal(await ask(), 429)
  await until('five events', async () => (await control.webhooks()).length >= 5)

  const payloads = (await control.webhooks()).map(({ body }) => JSON.parse(body))
  const seen = payloads.map((one) => [one.event_type, one.severity, one.detail.threshold_percent, one.user_identity])
  assert.deepEqual(seen.sort(), [
    ['budget_blocked', 'critical', 150, 'ada@example.com'],
    ['budget_shaped', 'high', 100, 'ada@example.com'],
    ['budget_warning', 'warning', 80, 'ada@example.com'],
    ['team_budget_blocked', 'critical', 100, null],
    ['team_budget_warning', 'warning', 80, null],
  ])
  const start = new Date()
  for (const { team_id: teamId, team_name: teamName, detail } of payloads) {
    assert.deepEqual([teamId, teamName], [team.id, 'Engines'])
    assert.deepEqual([detail.limit_usd, detail.period], [0.01, 'monthly'])
    assert.equal(detail.period_start, new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth())).toISOString())
    assert.ok(detail.spend_usd > 1 && detail.percent > 10_000, JSON.stringify(detail))
  }
})
