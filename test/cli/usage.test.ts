/** What was used and by whom, from the command line, against a real gateway with real calls. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

const MODEL = 'claude-sonnet-5'
let gateway: TestGateway
let cli: CliRunner
let key = ''

before(async () => {
  gateway = await startGateway()
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
  await cli.json(['users', 'create', 'ada@example.com'])
  key = (await cli.json(['keys', 'create', 'of-ada', '--user', 'ada@example.com'])).key
  await call(MODEL)
  await call('no-such-model')
  await until(async () => (await cli.json(['requests', 'list'])).data.length === 2)
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

function call(model: string): Promise<Response> {
  return fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-claude-code-session-id': 'session-1',
    },
    body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }),
  })
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not come true in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('calls are listed, filtered and explained', async () => {
  const { data } = await cli.json(['requests', 'list', '--errors'])
  assert.deepEqual(
    data.map(({ status, model }: Record<string, unknown>) => [status, model]),
    [[404, 'no-such-model']],
  )
  const failed = async (...more: string[]) => (await cli.json(['requests', 'list', '--errors', ...more])).data.length
  assert.deepEqual([await failed('--status', '404'), await failed('--status', '429')], [1, 0])
  assert.deepEqual([await failed('-q', 'no-such'), await failed('-q', 'sonnet')], [1, 0])
  const [served] = (
    await cli.json(['requests', 'list', '--user', 'ada@example.com', '--status', 'ok', '--since', '1h'])
  ).data
  const record = await cli.json(['requests', 'show', served.request_id])
  assert.ok(record.attempts.length > 0 && record.price.length > 0)
  const words = await cli.run(['requests', 'show', served.request_id], { terminal: true, env: { NO_COLOR: '1' } })
  assert.match(words.out, new RegExp(`model +${MODEL} → .*claude-sonnet-5`))
  assert.match(words.out, /cost +\$0\.\d+/)
  assert.equal((await cli.run(['requests', 'show', 'req_00000000000000000000000000000000'])).code, 3)
  // Of somebody else, and so none of one's own.
  assert.equal((await cli.run(['me', 'request', served.request_id])).code, 3)
  assert.equal((await cli.run(['requests', 'list', '--status', 'odd'])).code, 2)
  const sessions = await cli.json(['sessions', 'list', '--since', '1h'])
  assert.equal(sessions.data[0].session_id, 'session-1')
})

test('calls are followed as they happen', async () => {
  const following = cli.run(['requests', 'tail', '--json', '--count', '1', '--model', MODEL])
  const stop = new AbortController()
  // The follower begins at some moment; calls go on until it has seen one.
  const calling = (async () => {
    while (!stop.signal.aborted) {
      await call(MODEL)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  const { code, out } = await following
  stop.abort()
  await calling
  assert.equal(code, 0)
  assert.equal(JSON.parse(out).model, MODEL)
})

test('the version is told with that of the gateway, and a difference is warned about', async () => {
  const told = await cli.run(['--version'])
  assert.deepEqual([told.code, told.out, told.err], [0, 'test\n', `gateway test at ${gateway.url}\n`])
  const older = createServer((_request, response) =>
    response.setHeader('request-id', 'req_1').end('{"status":"ok","version":"1.0.0"}'),
  )
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`
  const differing = await cli.run(['--url', url, '--version'])
  older.close()
  assert.deepEqual([differing.code, differing.out], [0, 'test\n'])
  assert.match(differing.err, /^gateway 1\.0\.0 at .*\nwarning: this command is test; .*\n$/)
  const alone = await cli.run(['--version'], { env: { CAUSEWAY_URL: '' } })
  assert.deepEqual([alone.code, alone.out, alone.err], [0, 'test\n', ''])
  const away = await cli.run(['--url', 'http://127.0.0.1:9', '--version'])
  assert.deepEqual([away.code, away.out], [0, 'test\n'])
  assert.match(away.err, /^gateway: .*could not be reached.*\n$/)
})

test('Ctrl-C ends what runs for ever, with its own code', async () => {
  for (const args of [
    ['requests', 'tail'],
    ['status', '--watch', '--interval', '60'],
  ]) {
    const stop = new AbortController()
    const running = cli.run(args, { signal: stop.signal })
    setTimeout(() => stop.abort(), 500)
    assert.equal((await running).code, 130, args.join(' '))
  }
})

test('between two looks there is a pause, and it is a length of time', async () => {
  for (const interval of ['0', '0s', '2d', '99999999999', '2027-01-31', 'soon']) {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(), 60_000)
    assert.equal(
      (await cli.run(['status', '--watch', '--interval', interval], { signal: stop.signal })).code,
      2,
      interval,
    )
    clearTimeout(timer)
  }
})

test('calls that name no model have a name in tables, and an empty one in documents', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  assert.equal((await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body: '{' })).status, 400)
  const byModel = async (): Promise<readonly string[]> =>
    (await cli.json(['analytics', 'spend', '--days', '1'])).by_model.map((row: { name: string }) => row.name)
  await until(async () => (await byModel()).includes(''))
  for (const report of ['spend', 'models'])
    assert.match((await cli.run(['analytics', report, '--days', '1'], { terminal: true })).out, /^\(none\) /m, report)
})

test('what a day of a person costs, and who has come how far', async () => {
  const { unit_price: price } = await cli.json(['analytics', 'unit-price', '--days', '1'])
  assert.deepEqual([price.person_days, price.usd_per_person_day], [1, price.spend_usd])
  const unit = await cli.run(['analytics', 'unit-price', '--days', '1'], { terminal: true })
  assert.match(unit.out, /a person on an active day.+\$13\.00: .+average.+\$30\.00: /s)

  const people = async (stage: string): Promise<readonly string[]> =>
    (await cli.json(['users', 'list', '--adoption', stage])).data.map((one: { subject: string }) => one.subject)
  assert.deepEqual([await people('invited'), await people('active')], [['ada@example.com'], ['ada@example.com']])
  const stages = await cli.run(['analytics', 'adoption'], { terminal: true })
  assert.match(stages.out, /invited +1 +100 %.+active +1 +100 % +100 %/s)
})

test('analytics come as tables and as documents, and the export is CSV', async () => {
  for (const name of ['overview', 'spend', 'activity', 'models', 'tools']) {
    const document = await cli.json(['analytics', name, '--days', '7'])
    assert.ok(document.range.from, name)
    const table = await cli.run(['analytics', name, '--days', '7'], { terminal: true })
    assert.equal(table.code, 0, table.err)
  }
  await until(async () => (await cli.json(['analytics', 'overview', '--days', '1'])).totals.requests > 0)
  const explored = await cli.json(['analytics', 'explore', '--days', '1', '--measure', 'requests', '--by', 'model'])
  assert.ok(explored.total > 0 && explored.rows.length > 0)
  const csv = await cli.run(['analytics', 'export', '--days', '1'])
  assert.match(csv.out, /^time,request_id,round,user,/)
  const file = join(cli.home, 'spend.csv')
  assert.equal((await cli.run(['analytics', 'export', '--days', '1', '--file', file])).code, 0)
  assert.match(readFileSync(file, 'utf8'), /ada@example\.com/)
  assert.equal((await cli.run(['analytics', 'spend', '--days', '8'])).code, 2)
  const half = await cli.run(['analytics', 'spend', '--from', '2026-01-01'])
  assert.equal(half.code, 2)
  assert.equal(half.err.match(/from and to go together/g)?.length, 1, 'what is wrong is said once')
  const nowhere = await cli.run(['analytics', 'export', '--file', '/nowhere/spend.csv'])
  assert.deepEqual([nowhere.code, nowhere.err], [1, 'causeway: /nowhere/spend.csv: no such file or directory\n'])
})

test('an update without an option is a mistake and says so, and sends nothing', async () => {
  for (const [noun, name] of [
    ['endpoints', 'default'],
    ['users', 'ada@example.com'],
    ['keys', 'ci'],
    ['idps', 'Okta'],
  ] as const) {
    const { code, out, err } = await cli.run([noun, 'update', name])
    assert.deepEqual([code, out], [2, ''], noun)
    assert.equal(
      err,
      `causeway: what shall change? name it with an option\n  next     causeway ${noun} update --help\n`,
    )
  }
})

test('status tells of instances, database and endpoints, and ends with 8 when something is wrong', async () => {
  await until(async () => (await cli.json(['status'])).endpoints[0].health_status === 'healthy')
  const words = await cli.run(['status'], { terminal: true, env: { NO_COLOR: '1' } })
  assert.match(words.out, /database.*ok/)
  // Lists are tables: names above, and values under them.
  const lines = words.out.split('\n')
  const head = lines.findIndex((line) => /^ +NAME +INTERVAL SECONDS +RUNNING/.test(line))
  const running = lines[head]?.indexOf('RUNNING') ?? -1
  assert.equal(lines[head - 1], 'loops')
  for (const line of lines.slice(head + 1, head + 5)) assert.match(line.slice(running), /^(true|false) /)
  const made = await cli.json(['endpoints', 'create', 'broken', '--region', 'eu-west-1', '--prefix', 'eu'])
  await cli.json([
    'aip',
    'set',
    'broken',
    MODEL,
    'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/missing00000',
  ])
  await cli.run(['endpoints', 'check', 'broken'])
  const { code, err } = await cli.run(['status'])
  assert.equal(code, 8)
  assert.match(err, /unhealthy endpoints: broken/)
  await cli.json(['endpoints', 'delete', made.id, '--yes'])
})

/** A gateway that gives one document whatever is asked, and what the command line makes of it. */
async function shown(document: object, words: readonly string[]) {
  const server = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_1' })
      .end(JSON.stringify(document)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const env = { CAUSEWAY_URL: `http://127.0.0.1:${port}`, NO_COLOR: '1' }
  const result = await cli.run([...words], { terminal: true, env })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return result
}

test('status ends with 8 once spend has waited a minute for the database', async () => {
  const document = await cli.json(['status'])
  const late = (seconds: number) => ({ ...document, ledger: { ...document.ledger, lag_seconds: seconds } })
  assert.equal((await shown(late(59), ['status'])).code, 0)
  const { code, err } = await shown(late(61), ['status'])
  assert.equal(code, 8)
  assert.match(err, /spend has waited 61 s for the database/)
})

test('the price of a call has a line for its web searches', async () => {
  const { data } = await cli.json(['requests', 'list', '--status', 'ok'])
  const record = await cli.json(['requests', 'show', data[0].request_id])
  const whole = await shown(record, ['requests', 'show', 'any'])
  assert.doesNotMatch(whole.out, /web searches/)
  const searched = { ...record, web_searches: 3, web_search_cost_usd: 0.03, cost_usd: record.cost_usd + 0.03 }
  assert.match((await shown(searched, ['requests', 'show', 'any'])).out, /web searches: 3 = \$0\.03/)
})

test('in a pipe values are as they are, one a line, and a call is a row of CSV', async () => {
  const { out, code } = await cli.run(['status'])
  assert.equal(code, 0)
  for (const line of out.trimEnd().split('\n')) assert.match(line, /^[\w.-]+\t[^\t]*$/)
  const values = new Map(out.split('\n').map((line) => line.split('\t') as [string, string]))
  assert.equal(values.get('endpoints.0.health_status'), 'healthy')
  assert.ok(Math.abs(Date.parse(values.get('instances.0.seen_at') ?? '') - Date.now()) < 60_000)
  assert.match((await cli.run(['status', '-o', 'csv'])).out, /^path,value\n.*^database\.status,ok$/ms)
  assert.match((await cli.run(['me'])).out, /^user\.subject\tadmin$/m)
  const [{ request_id: id }] = (await cli.json(['requests', 'list'])).data
  const csv = (await cli.run(['requests', 'show', id, '-o', 'csv'])).out.trimEnd().split('\n')
  assert.equal(csv.length, 2)
  assert.equal((await cli.run(['requests', 'show', id, '-o', 'id'])).out, `${id}\n`)
  assert.match((await cli.run(['requests', 'list', '-o', 'id'])).out, new RegExp(`^${id}$`, 'm'))
})

test('what a caller sent as a model does nothing to the terminal of an administrator', async () => {
  const ends = new AbortController()
  let shown = ''
  const watching = cli.run(['requests', 'tail'], {
    terminal: true,
    signal: ends.signal,
    env: { NO_COLOR: '1' },
    onOut: (text) => {
      shown += text
    },
  })
  await call('claude-\u001b]52;c;ZXZpbA==\u0007\u009b2J')
  const find = async () => (await cli.json(['requests', 'list', '--errors', '--limit', '1'])).data[0]
  await until(async () => (await find()).model.includes(']52;c'))
  const told = await cli.run(['requests', 'show', (await find()).request_id], {
    terminal: true,
    env: { NO_COLOR: '1' },
  })
  assert.match(told.out, /^model .*\]52;c;ZXZpbA==/m)
  assert.doesNotMatch(told.out, /\bnull\b/)
  await until(async () => shown.includes(']52;c'))
  ends.abort()
  const { out } = await watching
  assert.match(out, /\]52;c;ZXZpbA==/)
  for (const text of [out, told.out])
    for (const control of ['\u001b', '\u0007', '\u009b']) assert.ok(!text.includes(control), JSON.stringify(text))
})

test('everybody sees their own things, and a key reads them', async () => {
  const me = await cli.json(['me'], { env: { CAUSEWAY_TOKEN: key } })
  assert.deepEqual([me.key.name, me.keys.map(({ name }: { name: string }) => name)], ['of-ada', ['of-ada']])
  assert.equal((await cli.run(['me'], { terminal: true })).code, 0)
  const made = await cli.json(['me', 'keys', 'create', 'laptop', '--expires', '30d'])
  assert.equal((await cli.json(['me', 'keys', 'list'])).data.length, 1)
  const rotated = await cli.json(['me', 'keys', 'rotate', 'laptop', '--grace', '1m', '--yes'])
  assert.notEqual(rotated.key, made.key)
  assert.equal((await cli.json(['me', 'keys', 'revoke', rotated.id, '--yes'])).status, 'revoked')
  assert.deepEqual((await cli.json(['me', 'budget'])).budgets, [])
  assert.ok((await cli.json(['me', 'usage', '--days', '1'])).totals)
  assert.deepEqual((await cli.json(['me', 'requests'])).data, [])
  assert.equal(
    (await cli.json(['me', 'search-provider', 'set', '--provider', 'duckduckgo'])).provider.provider_type,
    'duckduckgo',
  )
  assert.equal((await cli.json(['me', 'search-provider', 'show'])).provider.provider_type, 'duckduckgo')
  assert.equal(
    (await cli.run(['me', 'search-provider', 'test', '--provider', 'custom', '--api-url', 'http://127.0.0.1:2/'])).code,
    8,
  )
  assert.equal((await cli.run(['me', 'search-provider', 'delete', '--yes'])).code, 0)
  await cli.json(['budgets', 'set', '--user', 'admin', '--limit', '10'])
  assert.equal((await cli.json(['me', 'ask', '5'])).status, 'open')
  assert.equal((await cli.json(['me', 'asked'])).data.length, 1)
  assert.equal((await cli.run(['me', 'withdraw', '--yes'])).code, 0)
  assert.equal((await cli.run(['budgets', 'clear', '--user', 'admin', '--yes'])).code, 0)
})

test('what the sums of charts refused is counted again', async () => {
  assert.deepEqual(await cli.json(['analytics', 'recount']), {
    tried_records: 0,
    uncounted_records: 0,
    unclosed_periods: 0,
  })
  assert.match((await cli.run(['analytics', 'recount'], { terminal: true })).out, /still in no chart/)
})

test('how much of a budget is used is told to a tenth of a percent', async () => {
  const ada = ['--user', 'ada@example.com']
  const set = await cli.run(['budgets', 'set', ...ada, '--limit', '0.07'])
  assert.match(set.out, /^\$0\.07 monthly, standard, \d+(\.\d)? % used\.\n$/)
  assert.ok((await cli.json(['budgets', 'show', ...ada])).percent > 0)
  await cli.json(['budgets', 'clear', ...ada, '--yes'])
})

test('one sees where one is signed in, and signs out one session or all', async () => {
  const other = await login(gateway.url)
  await until(async () => (await cli.json(['me', 'sessions', 'list'])).data.length >= 2)
  const { data } = await cli.json(['me', 'sessions', 'list', '--sort', '-created_at'])
  assert.equal(data.filter(({ current }: { current: boolean }) => current).length, 1)
  const table = await cli.run(['me', 'sessions', 'list'], { terminal: true })
  assert.match(table.out, /signed in with/i)
  assert.equal((await cli.run(['me', 'sessions', 'end', 'laptop', '--yes'])).code, 2)
  const tried = await cli.json(['me', 'sessions', 'end', data[0].id, '--dry-run'])
  assert.equal(tried.path, `/me/sessions/${data[0].id}`)
  assert.equal((await cli.run(['me', 'sessions', 'end', data[0].id, '--yes'])).code, 0)
  assert.equal((await cli.run(['whoami'], { env: { CAUSEWAY_TOKEN: other } })).code, 4)
  assert.equal((await cli.json(['me', 'client'])).models_listed_at, null)
  const last = await login(gateway.url)
  assert.equal((await cli.run(['me', 'sessions', 'end-all', '--yes'], { env: { CAUSEWAY_TOKEN: last } })).code, 0)
  assert.equal((await cli.run(['whoami'])).code, 4)
})

test('every route of these nouns was called by the command that the table names', () => {
  assert.deepEqual(cli.uncalled(['requests', 'sessions', 'analytics', 'status', 'me']), [])
})
