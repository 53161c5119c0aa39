import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { addKey, startGateway, type TestGateway } from '../support/gateway.ts'
import { type Admin, adminOf, until } from './admin-client.ts'

let gateway: TestGateway
let admin: Admin
const ids: Record<string, string> = {}

before(async () => {
  gateway = await startGateway()
  admin = await adminOf(gateway)
  const add = async (name: string, role: string | null): Promise<void> => {
    const body = { name, region: 'us-east-1', routing_prefix: 'us', role_arn: role }
    ids[name] = (await admin.done('POST', '/admin/endpoints', body)).id
  }
  await add('old', null)
  await add('spare', null)
  // Nobody may assume this one, so it is unhealthy.
  await add('broken', 'arn:aws:iam::999999999999:role/nobody')
  await until(async () => {
    const { data } = await admin.done('GET', '/admin/endpoints')
    return data.every((one: { health_status: string }) => one.health_status !== 'unknown')
  })
})
after(() => gateway.stop())

async function addTeam(name: string, ...endpoints: readonly string[]): Promise<string> {
  const { id } = await admin.done('POST', '/admin/teams', { name })
  const ranked = endpoints.map((one, index) => ({ endpoint_id: ids[one], priority: index }))
  await admin.done('PUT', `/admin/teams/${id}/endpoints`, { endpoints: ranked })
  return id
}

test('the preview names every team that uses the endpoint and where its calls go, and draining does just that', async () => {
  await addTeam('away', 'spare')
  await addTeam('covered', 'old', 'broken', 'spare')
  await addTeam('hardly covered', 'old', 'broken')
  const stranded = await addTeam('stranded', 'old')
  const preview = await admin.done('GET', `/admin/endpoints/${ids['old']}/drain`)
  assert.deepEqual([preview.name, preview.enabled, preview.is_default], ['old', true, false])
  assert.deepEqual(
    preview.teams.map(({ name, next }: { name: string; next: { name: string; health_status: string } | null }) => [
      name,
      next && [next.name, next.health_status],
    ]),
    [
      ['covered', ['spare', 'healthy']],
      ['hardly covered', ['broken', 'unhealthy']],
      ['stranded', null],
    ],
  )

  if (gateway.database === undefined) throw new Error('keys need a database')
  const { key } = await addKey(gateway.database, { teamId: stranded })
  const ask = async (): Promise<number> => {
    const body = JSON.stringify({ model: 'claude-opus-5', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] })
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body })
    await response.text()
    return response.status
  }
  await until(async () => (await ask()) === 200)
  await admin.done('PUT', `/admin/endpoints/${ids['old']}`, { enabled: false })
  assert.equal(await ask(), 503)
  assert.equal((await admin.done('GET', `/admin/endpoints/${ids['old']}/drain`)).enabled, false)
  await admin.done('PUT', `/admin/endpoints/${ids['old']}`, { enabled: true })
  assert.equal(await ask(), 200)
})

test('the teams that disabling would stop and deleting would move are known before, and are in the audit trail', async () => {
  const extra = async (name: string): Promise<string> => {
    const body = { name, region: 'us-east-1', routing_prefix: 'us', enabled: true }
    ids[name] = (await admin.done('POST', '/admin/endpoints', body)).id
    return ids[name] ?? ''
  }
  const leaving = await extra('leaving')
  const asleep = await extra('asleep')
  await admin.done('PUT', `/admin/endpoints/${asleep}`, { enabled: false })
  const only = await addTeam('only one', 'leaving')
  const both = await addTeam('other is disabled', 'leaving', 'asleep')
  await addTeam('has another', 'leaving', 'spare')
  const { teams } = await admin.done('GET', `/admin/endpoints/${leaving}/drain`)
  assert.deepEqual(
    teams.map((one: Record<string, unknown>) => [one['name'], one['if_disabled'], one['if_deleted']]),
    [
      ['has another', 'next_endpoint', 'next_endpoint'],
      ['only one', 'stopped', 'default_endpoint'],
      ['other is disabled', 'stopped', 'stopped'],
    ],
  )
  const lastEntry = async (): Promise<{ action: string; after: Record<string, unknown> }> =>
    (await admin.done('GET', `/admin/audit?target=endpoint:${leaving}&limit=1`)).data[0]
  await admin.done('PUT', `/admin/endpoints/${leaving}`, { enabled: false })
  const [moved, stopped] = [
    { team_id: only, name: 'only one' },
    { team_id: both, name: 'other is disabled' },
  ]
  const disabled = await lastEntry()
  assert.deepEqual([disabled.action, disabled.after['teams_stopped']], ['endpoint.update', [moved, stopped]])
  await admin.done('DELETE', `/admin/endpoints/${leaving}`)
  const deleted = await lastEntry()
  assert.deepEqual(
    [deleted.action, deleted.after],
    ['endpoint.delete', { teams_moved_to_default: [moved], teams_stopped: [stopped] }],
  )
})

test('the calls of the last hour are those of the records, which no restart forgets', async () => {
  if (gateway.database === undefined) throw new Error('records need a database')
  const calls = async (): Promise<number> =>
    (await admin.done('GET', `/admin/endpoints/${ids['spare']}/drain`)).requests_1h
  const before = await calls()
  const at = (atMs: number, endpoint: string) => aSpendRecord({ atMs, endpointId: ids[endpoint] ?? '' })
  const hour = 3_600_000
  await createSpendLog(gateway.database.kysely).appendBatch([
    at(Date.now(), 'spare'),
    at(Date.now() - hour / 2, 'spare'),
    at(Date.now() - hour / 2, 'broken'),
    at(Date.now() - 2 * hour, 'spare'),
  ])
  assert.equal(await calls(), before + 2)
})
