/** The request log finds a call of several rounds by what it shows of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpendRecord } from '../../src/foundation/domain/spend-record.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { anEndpoint, aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

const append = (records: readonly SpendRecord[]) => createSpendLog(app.database.kysely).appendBatch(records)

interface Row {
  readonly request_id: string
  readonly status: number
  readonly cost_usd: number
}

async function find(path: string, as: string, query: Record<string, string>): Promise<readonly Row[]> {
  const { status, body } = await app.call('GET', `${path}?${new URLSearchParams(query)}`, { as })
  assert.equal(status, 200)
  return body.data
}

test('a call of several rounds is found by how its last one ended and by what all of them took', async () => {
  const user = await app.addUser()
  const key = await app.addKey({ userId: user.id })
  const endpoints = createEndpointStore(app.database.kysely)
  const [east, west] = [
    await endpoints.insert(anEndpoint({ name: `east ${newId()}` })),
    await endpoints.insert(anEndpoint({ name: `west ${newId()}` })),
  ]
  const first = aSpendRecord({
    userId: user.id,
    endpointId: east.id,
    atMs: Date.now() - 5_000,
    costNanoUsd: 600_000_000,
    durationMs: 8_000,
    tools: ['web_search'],
  })
  await append([
    first,
    {
      ...first,
      round: 1,
      atMs: first.atMs + 900,
      costNanoUsd: 700_000_000,
      flags: ['estimated'],
      tools: ['mcp__jira__create'],
      durationMs: 60_000,
    },
    {
      ...first,
      round: 2,
      atMs: first.atMs + 1_800,
      costNanoUsd: 0,
      status: 429,
      errorType: 'billing_error',
      endpointId: west.id,
      tools: [],
      durationMs: 10,
    },
  ])
  const tokens = 3 * (12 + 431 + 48_211 + 1_204)
  const fitting: readonly Record<string, string>[] = [
    {},
    { status: 'error' },
    { status: '429' },
    { q: 'error:billing' },
    { endpoint: west.name },
    { min_cost_usd: '1.3' },
    { max_cost_usd: '1.3' },
    { q: 'cost>1 cost<2' },
    { q: `tokens>=${tokens} tokens<=${tokens}` },
    { min_duration_ms: '68010', max_duration_ms: '68010' },
    { tool: 'jira' },
    { tool: '=mcp__jira__create' },
    { tool: '=web_search' },
    { flag: 'estimated' },
    { status: 'error', tool: 'jira', min_cost_usd: '1', sort: 'at' },
    { status: 'error', q: first.requestId },
    { status: 'error', session_id: first.sessionId ?? '' },
  ]
  const unfitting: readonly Record<string, string>[] = [
    { status: 'ok' },
    { status: '200' },
    { endpoint: east.name },
    { max_cost_usd: '1' },
    { min_cost_usd: '1.4' },
    { q: `tokens<${tokens}` },
    { max_duration_ms: '60000' },
    { flag: 'aborted' },
    { tool: 'Bash' },
    { status: 'error', model: 'opus' },
    { status: 'error', to: new Date(first.atMs).toISOString() },
    { status: 'error', from: new Date(first.atMs + 1).toISOString() },
  ]
  for (const [queries, ids] of [
    [fitting, [first.requestId]],
    [unfitting, []],
  ] as const)
    for (const query of queries) {
      const asked = JSON.stringify(query)
      const byAdmin = await find('/admin/requests', app.admin, { ...query, user: user.subject })
      assert.deepEqual(
        byAdmin.map((row) => row.request_id),
        ids,
        asked,
      )
      const own = await find('/me/requests', key.key, query)
      assert.deepEqual(
        own.map((row) => row.request_id),
        ids,
        `of one's own: ${asked}`,
      )
    }
})

test('pages of filtered calls have each once and in order, whether they have one round or several', async () => {
  const user = await app.addUser()
  const nowMs = Date.now()
  const requests = Array.from({ length: 60 }, (_, index): readonly SpendRecord[] => {
    // Several at the same moment: the id breaks the tie, also between calls of one round and of several.
    const first = aSpendRecord({ userId: user.id, atMs: nowMs - Math.floor(index / 4) * 1_000, costNanoUsd: 1_000 })
    const second = (values: Partial<SpendRecord>) => ({ ...first, round: 1, atMs: first.atMs + 500, ...values })
    if (index % 4 === 1) return [first, second({})]
    if (index % 4 === 2) return [first, second({ status: 500, errorType: 'api_error' })]
    // Runs of calls that fit by their first round only: longer than a page.
    if (index > 20 && index < 36) return [first, second({ status: 500, errorType: 'api_error' })]
    return [{ ...first, status: index % 8 === 3 ? 500 : 200 }]
  })
  await append(requests.flat())
  const failed = requests.filter((rounds) => (rounds.at(-1)?.status ?? 0) >= 400)
  for (const [status, expected] of [
    ['error', failed],
    ['ok', requests.filter((rounds) => !failed.includes(rounds))],
  ] as const)
    for (const sort of ['-at', 'at'])
      for (const limit of ['1', '3', '7', '200']) {
        const seen: string[] = []
        for (let cursor: string | undefined; ; ) {
          const query = new URLSearchParams({ status, sort, limit, user: user.subject, ...(cursor && { cursor }) })
          const { body } = await app.call('GET', `/admin/requests?${query}`, { as: app.admin })
          assert.ok(body.data.length > 0, 'no page is empty')
          seen.push(...body.data.map((row: Row) => row.request_id))
          if (!body.has_more) break
          cursor = body.next_cursor
        }
        const inOrder = expected
          .map(([first]) => first as SpendRecord)
          .map(({ atMs, requestId }) => ({ requestId, key: `${atMs} ${requestId}` }))
          .sort((a, b) => (a.key < b.key === (sort === 'at') ? -1 : 1))
          .map(({ requestId }) => requestId)
        assert.deepEqual(seen, inOrder, `${status} ${sort} ${limit}`)
      }
})

test('limits and statuses that are given twice must all hold', async () => {
  const user = await app.addUser()
  const [dear, failed] = [
    aSpendRecord({ userId: user.id, atMs: Date.now(), costNanoUsd: 2_000_000_000 }),
    aSpendRecord({
      userId: user.id,
      atMs: Date.now() - 10,
      status: 429,
      errorType: 'rate_limit_error',
      costNanoUsd: 0,
    }),
  ]
  await append([dear, failed])
  const found = async (query: Record<string, string>) =>
    (await find('/admin/requests', app.admin, { ...query, user: user.subject })).map((row) => row.request_id)
  assert.deepEqual(await found({ q: 'cost>5 cost>1' }), [])
  assert.deepEqual(await found({ q: 'cost>1 cost>5' }), [])
  assert.deepEqual(await found({ q: 'cost<5 cost<1' }), [failed.requestId])
  assert.deepEqual(await found({ q: 'cost<1 cost<5' }), [failed.requestId])
  assert.deepEqual(await found({ q: 'cost:2 cost>1' }), [dear.requestId])
  assert.deepEqual(await found({ q: 'cost>1', max_cost_usd: '1.5' }), [])
  assert.deepEqual(await found({ q: 'status:error', status: 'ok' }), [])
  assert.deepEqual(await found({ q: 'status:ok', status: 'error' }), [])
  assert.deepEqual(await found({ q: 'status:error', status: '429' }), [failed.requestId])
  assert.deepEqual(await found({ q: 'status:429 status:500' }), [])
  assert.deepEqual(await found({ q: 'status:429', status: '500' }), [])
})
