import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const asAdmin = (path: string) => app.call('GET', path, { as: app.admin })
const append = (records: Parameters<ReturnType<typeof createSpendLog>['appendBatch']>[0]) =>
  createSpendLog(app.database.kysely).appendBatch(records)

interface Agent {
  readonly agent_id: string | null
  readonly depth: number
  readonly cost_usd: number
}

test('a session has what all its agents cost, each under the one that started it', async () => {
  const user = await app.addUser()
  const sessionId = newId()
  const atMs = Date.now()
  const call = (agentId: string | null, parentAgentId: string | null, offset: number, usd: number) =>
    aSpendRecord({
      userId: user.id,
      sessionId,
      agentId,
      parentAgentId,
      atMs: atMs + offset,
      costNanoUsd: usd * 1_000_000_000,
    })
  await append([call(null, null, 0, 1), call('a', null, 10, 2), call('b', 'a', 20, 3)])
  // A later batch adds to the same session.
  await append([call('c', 'a', 30, 4), call(null, null, 40, 5), call('d', 'gone', 50, 6)])
  const { body } = await asAdmin(`/admin/sessions?user=${user.subject}`)
  assert.equal(body.data.length, 1)
  const [session] = body.data
  assert.deepEqual([session.session_id, session.requests, session.cost_usd], [sessionId, 6, 21])
  assert.deepEqual([session.user, session.user_id], [user.subject, user.id])
  assert.equal(session.started_at, new Date(atMs).toISOString())
  assert.equal(session.last_at, new Date(atMs + 50).toISOString())
  assert.deepEqual(
    session.agents.map(({ agent_id, depth, cost_usd }: Agent) => [agent_id, depth, cost_usd]),
    [
      [null, 0, 6],
      ['a', 1, 2],
      ['b', 2, 3],
      ['c', 2, 4],
      ['d', 1, 6],
    ],
  )
})

test('agents that name each other as parents are shown all the same', async () => {
  const sessionId = 'a name that is no uuid'
  await append([
    aSpendRecord({ sessionId, agentId: 'x', parentAgentId: 'y' }),
    aSpendRecord({ sessionId, agentId: 'y', parentAgentId: 'x' }),
  ])
  const { body } = await asAdmin(`/admin/sessions?q=${encodeURIComponent(sessionId)}`)
  assert.equal(body.data[0].session_id, sessionId)
  assert.deepEqual(body.data[0].agents.map(({ agent_id }: Agent) => agent_id).sort(), ['x', 'y'])
})

test('sessions are paged by start, last call or cost, and found by team and time', async () => {
  const teamId = await app.addTeam('Paged sessions')
  const startMs = Date.UTC(2026, 8, 1)
  await append(
    Array.from({ length: 9 }, (_, index) =>
      aSpendRecord({ teamId, atMs: startMs + index * 1_000, costNanoUsd: ((index * 7) % 9) * 1_000_000_000 }),
    ),
  )
  for (const [sort, read] of [
    ['-started_at', (one: { started_at: string }) => -Date.parse(one.started_at)],
    ['last_at', (one: { last_at: string }) => Date.parse(one.last_at)],
    ['-cost_usd', (one: { cost_usd: number }) => -one.cost_usd],
  ] as const) {
    const values: number[] = []
    for (let cursor = ''; ; ) {
      const { body } = await asAdmin(`/admin/sessions?team=paged&limit=4&sort=${sort}${cursor}`)
      values.push(...body.data.map(read))
      if (!body.has_more) break
      cursor = `&cursor=${body.next_cursor}`
    }
    assert.equal(values.length, 9)
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    )
  }
  const from = new Date(startMs + 6_000).toISOString()
  assert.equal((await asAdmin(`/admin/sessions?team=paged&from=${from}`)).body.data.length, 3)
  assert.equal((await asAdmin(`/admin/sessions?team=paged&to=${from}`)).body.data.length, 6)
})

test('sessions without a person or a team are found by the name that analytics has for them', async () => {
  const teamId = await app.addTeam('Of somebody')
  const user = await app.addUser({ teamId })
  const [alone, teamless, whole] = [newId(), newId(), newId()]
  await append([
    aSpendRecord({ sessionId: alone, userId: null, teamId }),
    aSpendRecord({ sessionId: teamless, userId: user.id, teamId: null }),
    aSpendRecord({ sessionId: whole, userId: user.id, teamId }),
  ])
  const found = async (query: Record<string, string>) =>
    (await asAdmin(`/admin/sessions?${new URLSearchParams(query)}`)).body.data.map(
      (one: { session_id: string }) => one.session_id,
    )
  assert.deepEqual(await found({ user: '(none)' }), [alone])
  assert.deepEqual(await found({ team: '(none)' }), [teamless])
  assert.deepEqual(await found({ user: '(none)', team: 'of somebody' }), [alone])
  assert.deepEqual(await found({ user: '(none)', team: '(none)' }), [])
})

test('questions that make no sense are 400, and injections find nothing', async () => {
  for (const query of [
    'sort=user',
    'from=x',
    'cursor=x',
    'nope=1',
    'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
  ])
    assert.equal((await asAdmin(`/admin/sessions?${query}`)).status, 400, query)
  for (const text of [`'`, `' or 1=1 --`, '%', '_', '\\'])
    for (const parameter of ['q', 'user', 'team']) {
      const { status, body } = await asAdmin(`/admin/sessions?${parameter}=${encodeURIComponent(text)}`)
      assert.deepEqual([status, body.data], [200, []], `${parameter}=${text}`)
    }
})

test('every declared answer of sessions was exercised', () => app.assertCovered('Sessions', isOwnStatus))
