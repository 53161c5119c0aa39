import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { anEndpoint, aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

let app: ApiApp
let log: ReturnType<typeof createSpendLog>
before(async () => {
  app = await startApiApp()
  log = createSpendLog(app.database.kysely)
})
after(() => app.stop())

const MINUTE_MS = 60_000
const asAdmin = (path: string) => app.call('GET', path, { as: app.admin })

async function anOrganization() {
  const teamId = await app.addTeam(`Team ${newId()}`)
  const user = await app.addUser({ teamId })
  const key = await app.addKey({ userId: user.id, name: `ci ${newId()}` })
  const [east, west] = await Promise.all([
    createEndpointStore(app.database.kysely).insert(anEndpoint({ name: `us-east ${newId()}` })),
    createEndpointStore(app.database.kysely).insert(anEndpoint({ name: `eu-west ${newId()}` })),
  ])
  return { teamId, user, key, east, west }
}

test('the search finds by status, model, person, cost and more, as words and as parameters alike', async () => {
  const { user, key, teamId, east } = await anOrganization()
  const nowMs = Date.now()
  const mine = { userId: user.id, keyId: key.id, teamId, endpointId: east.id }
  const records = [
    aSpendRecord({ ...mine, atMs: nowMs, model: 'claude-opus-5', costNanoUsd: 2_000_000_000, durationMs: 9_000 }),
    aSpendRecord({ ...mine, atMs: nowMs - MINUTE_MS, model: 'claude-opus-5', costNanoUsd: 10_000_000 }),
    aSpendRecord({
      ...mine,
      atMs: nowMs - 2 * MINUTE_MS,
      model: 'claude-opus-5',
      status: 429,
      errorType: 'rate_limit_error',
      costNanoUsd: 0,
      tools: [],
    }),
    aSpendRecord({ ...mine, atMs: nowMs - 3 * MINUTE_MS, model: 'claude-haiku-5', flags: ['aborted'] }),
  ]
  await log.appendBatch(records)
  const [dear, cheap, failed, small] = records.map(({ requestId }) => requestId)
  const found = async (query: string) =>
    (await asAdmin(`/admin/requests?${query}&user=${user.subject}`)).body.data.map(
      (row: { request_id: string }) => row.request_id,
    )
  const byWords = (words: string) => found(`q=${encodeURIComponent(words)}`)
  assert.deepEqual(await byWords('status:error model:opus'), [failed])
  assert.deepEqual(await found('status=error&model=opus'), [failed])
  assert.deepEqual(await byWords('model:opus cost>1'), [dear])
  assert.deepEqual(await found('model=OPUS&min_cost_usd=1'), [dear])
  assert.deepEqual(await byWords('cost>2'), [])
  assert.deepEqual(await byWords('cost>=2'), [dear])
  assert.deepEqual(await byWords('cost<2 status:ok model:opus'), [cheap])
  assert.deepEqual(await byWords('status:429'), [failed])
  assert.deepEqual(await byWords('error:rate_limit'), [failed])
  assert.deepEqual(await byWords('flag:aborted'), [small])
  assert.deepEqual(await byWords('duration>8500'), [dear])
  assert.deepEqual(await byWords(`session:${records[1]?.sessionId}`), [cheap])
  assert.deepEqual(await byWords('tool:bash haiku'), [small])
  assert.deepEqual(await byWords(`key:"${'ci '}" status:error`), [failed])
  assert.deepEqual(await byWords(`endpoint:"${east.name}" tokens>1 model:haiku`), [small])
  assert.deepEqual(await byWords(dear ?? ''), [dear])
  assert.deepEqual(await byWords('team:nobody-has-this-name'), [])
  assert.deepEqual(await found(`from=${new Date(nowMs - 90_000).toISOString()}`), [dear, cheap])
})

test('calls without a person, a team or an endpoint are found by the name that analytics has for them', async () => {
  const { user, teamId, east } = await anOrganization()
  const [atMs, model] = [Date.now(), `claude-${newId()}`]
  const whole = { atMs, model, userId: user.id, keyId: null, teamId, endpointId: east.id }
  const records = [
    aSpendRecord(whole),
    aSpendRecord({ ...whole, userId: null }),
    aSpendRecord({ ...whole, teamId: null }),
    aSpendRecord({ ...whole, endpointId: null }),
  ]
  await log.appendBatch(records)
  const [, alone, teamless, unplaced] = records.map(({ requestId }) => requestId)
  const found = async (name: string, value: string) => {
    const query = new URLSearchParams({ model, [name]: value })
    return (await asAdmin(`/admin/requests?${query}`)).body.data.map((row: { request_id: string }) => row.request_id)
  }
  assert.deepEqual(await found('user', '(none)'), [alone])
  assert.deepEqual(await found('team', '(none)'), [teamless])
  assert.deepEqual(await found('endpoint', '(none)'), [unplaced])
  assert.deepEqual(await found('q', 'team:(none)'), [teamless])
})

test('a whole name leaves out those that have it in them; without the sign and as a word it is a part', async () => {
  const [mark, nowMs] = [newId(), Date.now()]
  const endpoints = createEndpointStore(app.database.kysely)
  const sides = await Promise.all(
    ['', '-west'].map(async (more) => {
      const teamId = await app.addTeam(`${mark}${more}`)
      const user = await app.addUser({ teamId, subject: `${more}${mark}@example.com` })
      const key = await app.addKey({ userId: user.id, name: `ci-${mark}${more}` })
      const endpoint = await endpoints.insert(anEndpoint({ name: `us-${mark}${more}` }))
      const model = `claude-${mark}${more}`
      const record = aSpendRecord({
        userId: user.id,
        teamId,
        keyId: key.id,
        endpointId: endpoint.id,
        model,
        tools: [`Other${more}`, `Read-${mark}${more}`],
        atMs: nowMs - more.length,
      })
      const names = { user: user.subject, team: `${mark}${more}`, key: `ci-${mark}${more}`, endpoint: endpoint.name }
      return { id: record.requestId, record, names: { ...names, model, tool: `Read-${mark}${more}` } }
    }),
  )
  const [short, long] = [sides[0] as (typeof sides)[number], sides[1] as (typeof sides)[number]]
  await log.appendBatch([short.record, long.record])
  const found = async (query: Record<string, string>) =>
    (await asAdmin(`/admin/requests?${new URLSearchParams(query)}`)).body.data.map(
      (row: { request_id: string }) => row.request_id,
    )
  for (const [name, value] of Object.entries(short.names)) {
    assert.deepEqual(await found({ [name]: `=${value}` }), [short.id], name)
    assert.deepEqual(await found({ [name]: value }), [short.id, long.id], name)
    assert.deepEqual(await found({ q: `${name}:${value}` }), [short.id, long.id], name)
    assert.deepEqual(await found({ [name]: `=${value.slice(0, -1)}` }), [], name)
  }
  assert.deepEqual(await found({ user: `=${short.record.userId}` }), [short.id])
  assert.deepEqual(await found({ model: `=${short.names.model}`, team: '=(none)' }), [])
})

test('words that make no sense are 400 and say what is possible', async () => {
  for (const q of ['nope:1', 'cost>x', 'cost:', 'status:maybe', 'model>x', 'flag:red', 'cost>1e400', 'user:'])
    assert.equal((await asAdmin(`/admin/requests?q=${encodeURIComponent(q)}`)).status, 400, q)
  for (const query of ['status=x', 'min_cost_usd=-1', 'from=yesterday', 'sort=cost', 'cursor=x', 'limit=0'])
    assert.equal((await asAdmin(`/admin/requests?${query}`)).status, 400, query)
  for (const text of [`'`, `%`, `\\`, `' or 1=1 --`, '%'.repeat(300), '()', '"', `req_'`])
    for (const parameter of ['q', 'model', 'user', 'team', 'key', 'endpoint', 'tool', 'session_id'])
      assert.ok(
        [200, 400].includes((await asAdmin(`/admin/requests?${parameter}=${encodeURIComponent(text)}`)).status),
        `${parameter}=${text}`,
      )
  assert.doesNotMatch(app.logged(), /"level":"error"/)
})

test('pages follow each other without a gap or a repetition while calls come in', async () => {
  const { user } = await anOrganization()
  const nowMs = Date.now()
  const records = Array.from({ length: 25 }, (_, index) =>
    // Several at the same moment: the id breaks the tie.
    aSpendRecord({ userId: user.id, atMs: nowMs - Math.floor(index / 5) * 1_000 }),
  )
  await log.appendBatch(records)
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await asAdmin(`/admin/requests?limit=7&user=${user.subject}${cursor}`)
    seen.push(...body.data.map((row: { request_id: string }) => row.request_id))
    if (!body.has_more) break
    cursor = `&cursor=${body.next_cursor}`
    await log.appendBatch([aSpendRecord({ userId: user.id, atMs: nowMs + seen.length })])
  }
  assert.deepEqual([...seen].sort(), records.map(({ requestId }) => requestId).sort())
})

test('a call shows its names, its tries and its way in words, and its price line by line', async () => {
  const { user, key, teamId, east, west } = await anOrganization()
  const record = aSpendRecord({
    userId: user.id,
    keyId: key.id,
    teamId,
    atMs: Date.now(),
    endpointId: west.id,
    hostedModel: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
    routing: 'sticky_user: the first, then the second',
    attempts: [
      {
        endpointId: east.id,
        hostedModel: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
        status: 429,
        error: 'ThrottlingException',
        durationMs: 120,
      },
      {
        endpointId: west.id,
        hostedModel: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
        status: 200,
        error: null,
        durationMs: 8_000,
      },
    ],
  })
  await log.appendBatch([record])
  const { body } = await asAdmin(`/admin/requests/${record.requestId}`)
  assert.deepEqual([body.user, body.team, body.endpoint], [user.subject, body.team, west.name])
  assert.deepEqual([body.user_id, body.team_id, body.key_id, body.endpoint_id], [user.id, teamId, key.id, west.id])
  assert.deepEqual(
    body.attempts.map((one: { endpoint: string; status: number }) => [one.endpoint, one.status]),
    [
      [east.name, 429],
      [west.name, 200],
    ],
  )
  assert.equal(
    body.routing,
    `sticky_user: the first, then the second; ${east.name} answered 429 (ThrottlingException), moved to ${west.name}, prefix us. to eu.`,
  )
  const kinds = body.price.map((line: { kind: string }) => line.kind)
  assert.deepEqual(kinds, ['input', 'output', 'cache_read', 'cache_write_5m'])
  const sum = body.price.reduce((total: number, line: { usd: number }) => total + line.usd, 0)
  assert.ok(Math.abs(sum - body.cost_usd) < 1e-9)
  assert.deepEqual(body.price[1], { kind: 'output', tokens: 431, usd_per_mtok: 15, usd: 0.006465 })
  assert.deepEqual(body.betas.stripped, ['prompt-caching-scope-2026-01-05'])
  assert.equal(body.rounds.length, 1)
})

test('the rounds of a web search are one call in the list, with the sum, and each of them in the call itself', async () => {
  const { user } = await anOrganization()
  const first = aSpendRecord({ userId: user.id, atMs: Date.now(), costNanoUsd: 1_000_000_000, stopReason: 'tool_use' })
  const second = {
    ...first,
    round: 1,
    atMs: first.atMs + 900,
    costNanoUsd: 500_000_000,
    webSearches: 2,
    stopReason: 'end_turn',
  }
  await log.appendBatch([first, second])
  const { body: list } = await asAdmin(`/admin/requests?user=${user.subject}`)
  assert.equal(list.data.length, 1)
  assert.deepEqual([list.data[0].cost_usd, list.data[0].web_searches, list.data[0].stop_reason], [1.5, 2, 'end_turn'])
  const { body } = await asAdmin(`/admin/requests/${first.requestId}`)
  assert.deepEqual(
    body.rounds.map((one: { round: number; cost_usd: number }) => [one.round, one.cost_usd]),
    [
      [0, 1],
      [1, 0.5],
    ],
  )
  assert.equal(body.tokens.output, 862)
})

test('what the web searches of a call cost is told beside the price of its tokens, which is the rest of the whole', async () => {
  const priced = aSpendRecord({ atMs: Date.now() })
  const searched = { ...priced, round: 1, webSearches: 2, costNanoUsd: priced.costNanoUsd + 16_000_001 }
  const unpriced = { ...priced, round: 2, webSearches: 1, rates: null, costNanoUsd: 8_000_000 }
  await log.appendBatch([priced, searched, unpriced])
  const { body } = await asAdmin(`/admin/requests/${priced.requestId}`)
  assert.equal(body.web_search_cost_usd, 0.024000001)
  const forTokens = body.price.reduce((total: number, line: { usd: number }) => total + line.usd, 0)
  assert.ok(Math.abs(forTokens + body.web_search_cost_usd - body.cost_usd) < 1e-9)
  const plain = aSpendRecord({ atMs: Date.now() })
  await log.appendBatch([plain])
  assert.equal((await asAdmin(`/admin/requests/${plain.requestId}`)).body.web_search_cost_usd, 0)
})

test('a request that was never recorded is 404, and one that no client could have sent is 400', async () => {
  assert.equal((await asAdmin(`/admin/requests/req_${'0'.repeat(32)}`)).status, 404)
  assert.equal((await asAdmin(`/admin/requests/'%20or%201=1`)).status, 404)
  assert.equal((await asAdmin('/admin/requests/%00')).status, 400)
})

test('every declared answer of the request log was exercised', () => app.assertCovered('Requests', isOwnStatus))
