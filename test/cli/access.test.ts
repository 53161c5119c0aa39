/** People, keys, teams, budgets and identity providers from the command line, against a real gateway. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

let gateway: TestGateway
let cli: CliRunner

before(async () => {
  gateway = await startGateway()
  cli = createRunner({ CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) })
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

test('teams are made, renamed, routed and deleted by name', async () => {
  const made = await cli.json(['teams', 'create', 'platform'])
  assert.equal(made.name, 'platform')
  assert.deepEqual((await cli.json(['teams', 'show', made.id])).name, 'platform')
  const { data } = await cli.json(['teams', 'list'])
  assert.deepEqual(
    data.map((team: { name: string }) => team.name),
    ['platform'],
  )
  assert.equal((await cli.run(['teams', 'create', 'platform'])).code, 6)
  assert.equal((await cli.json(['teams', 'rename', 'platform', 'Platform'])).name, 'Platform')
  const [endpoint] = (await cli.json(['endpoints', 'list'])).data
  const routed = await cli.json([
    'teams',
    'endpoints',
    'set',
    'platform',
    `${endpoint.name}=7`,
    '--strategy',
    'round_robin',
  ])
  assert.deepEqual([routed.routing_strategy, routed.endpoints[0].priority], ['round_robin', 7])
  const shown = await cli.run(['teams', 'endpoints', 'show', 'Platform'])
  assert.deepEqual([shown.out, shown.err], [`7\t${endpoint.name}\t${endpoint.id}\n`, 'strategy round_robin\n'])
  const reordered = await cli.json(['teams', 'endpoints', 'set', 'Platform', `${endpoint.name}=3`])
  assert.deepEqual([reordered.routing_strategy, reordered.endpoints[0].priority], ['round_robin', 3])
  assert.equal((await cli.json(['teams', 'endpoints', 'set', 'Platform'])).endpoints.length, 0)
})

test('people are added, moved, suspended and let in again', async () => {
  const ada = await cli.json(['users', 'create', 'ada@example.com', '--email', 'ada@example.com', '--team', 'Platform'])
  assert.deepEqual(await cli.json(['users', 'show', 'ada@example.com']), ada)
  assert.equal((await cli.json(['teams', 'show', 'Platform'])).id, ada.team_id)
  const tried = await cli.run(['users', 'create', 'bob@example.com', '--team', 'Platform', '--dry-run'])
  assert.match(tried.out, /^Would send POST \/admin\/users \{.*"team_id":"[0-9a-f-]{36}"\}\n$/)
  assert.equal((await cli.json(['users', 'show', ada.id])).email, 'ada@example.com')
  const members = await cli.json(['teams', 'members', 'Platform'])
  assert.deepEqual(
    members.data.map((user: { subject: string }) => user.subject),
    ['ada@example.com'],
  )
  assert.equal((await cli.json(['users', 'update', 'ada', '--role', 'admin'])).role, 'admin')
  const granted = await cli.run(['users', 'update', 'ada', '--role', 'member', '--grant', 'audit:read,team:lead'])
  assert.equal(granted.out, 'ada@example.com is member and has team:lead, audit:read.\n')
  assert.deepEqual(
    (await cli.json(['users', 'list', '--grant', 'audit:read'])).data.map(
      ({ subject }: { subject: string }) => subject,
    ),
    ['ada@example.com'],
  )
  const regranted = ['users', 'update', 'ada', '--grant', 'ops:operate', '--revoke-grant', 'audit:read']
  assert.deepEqual((await cli.json(regranted)).grants, ['team:lead', 'ops:operate'])
  assert.match((await cli.run(['users', 'show', 'ada'])).out, /team:lead, ops:operate/)
  const misspelt = await cli.run(['users', 'update', 'ada', '--grant', 'billing'])
  assert.deepEqual([misspelt.code, /billing is none of team:lead, billing:read/.test(misspelt.err)], [2, true])
  assert.deepEqual((await cli.json(['users', 'create', 'fin@example.com', '--grant', 'billing:read'])).grants, [
    'billing:read',
  ])
  assert.equal((await cli.run(['users', 'delete', 'fin@example.com', '--yes'])).code, 0)
  assert.equal((await cli.json(['users', 'suspend', 'ada', '--yes'])).active, false)
  assert.equal((await cli.json(['users', 'list', '--active', 'false'])).data.length, 1)
  assert.equal((await cli.json(['users', 'activate', 'ada'])).active, true)
  assert.equal((await cli.json(['users', 'team', 'ada', 'none'])).team_id, null)
  assert.equal((await cli.json(['users', 'team', 'ada', 'Platform'])).team_id !== null, true)
  assert.equal((await cli.run(['users', 'unbind', 'ada', '--yes'])).code, 0)
})

test('a person is signed out everywhere, and a session that is not theirs is not found', async () => {
  assert.deepEqual((await cli.json(['users', 'sessions', 'list', 'ada'])).data, [])
  assert.equal((await cli.run(['users', 'sessions', 'end-all', 'ada', '--yes'])).code, 0)
  const [own] = (await cli.json(['users', 'sessions', 'list', 'admin'])).data
  assert.equal((await cli.run(['users', 'sessions', 'end', 'ada', own.id, '--yes'])).code, 3)
})

test('people come in from a list, whoever is there stays, and the lines that fail are named', async () => {
  const list =
    '\uFEFF# the new ones\nIvy@example.com\r\n\n  joe@example.com\nada@example.com\nivy@example.com\nbad\u0007name\n'
  const tried = await cli.run(['users', 'import', '-', '--team', 'Platform', '--dry-run'], { input: list })
  assert.equal(tried.out.match(/Would send POST \/admin\/users/g)?.length, 5, tried.out)
  const { code, out, err } = await cli.run(['users', 'import', '-', '--team', 'Platform'], { input: list })
  assert.deepEqual([code, out], [1, 'Added 2 people; 2 were there already.\n'])
  assert.match(err, /bad.name: .*none of them invisible[\s\S]*1 person could not be added/)
  const joe = await cli.json(['users', 'show', 'joe@example.com'])
  const [platform] = (await cli.json(['teams', 'list', '-q', 'Platform'])).data
  assert.deepEqual([joe.email, joe.role, joe.team_id], ['joe@example.com', 'member', platform.id])
  const again = await cli.json(['users', 'import', '-'], { input: 'joe@example.com\nkim' })
  assert.deepEqual(again, { added: ['kim'], present: ['joe@example.com'], failed: [] })
  assert.equal((await cli.json(['users', 'show', 'joe@example.com'])).team_id, platform.id, 'as they were')
  assert.equal((await cli.run(['users', 'import', '-'], { input: '\n# nobody\n' })).code, 2)
  assert.equal((await cli.run(['users', 'import', '/nowhere/list'])).code, 2)
  const stranger = await cli.run(['users', 'import', '-'], { input: 'lou', env: { CAUSEWAY_TOKEN: 'sess-x' } })
  assert.equal(stranger.code, 4)
  assert.match(stranger.err, /^0 of 1 were added before this/)
  for (const name of ['ivy@example.com', 'joe@example.com', 'kim'])
    assert.equal((await cli.run(['users', 'delete', name, '--yes'])).code, 0)
})

test('a key is shown once, alone on standard output, and works by its name afterwards', async () => {
  const made = await cli.run([
    'keys',
    'create',
    'ci-build',
    '--team',
    'Platform',
    '--user',
    'ada',
    '--rpm',
    '60',
    '--expires',
    '90d',
    '--models',
    'claude-a,claude-b',
  ])
  assert.match(made.out, /^sk-proxy-\w{43}\n$/)
  assert.match(made.err, /shown once/)
  const shown = await cli.json(['keys', 'show', 'ci-build'])
  assert.deepEqual([shown.rate_limit_rpm, shown.allowed_models], [60, ['claude-a', 'claude-b']])
  assert.equal((await cli.json(['keys', 'show', shown.id])).name, 'ci-build')
  assert.equal((await cli.json(['keys', 'test'], { input: made.out })).key.name, 'ci-build')
  assert.equal((await cli.run(['keys', 'test'], { input: 'sk-proxy-nonsense' })).code, 4)
  const changed = await cli.json([
    'keys',
    'update',
    'ci-build',
    '--rpm',
    'none',
    '--models',
    'none',
    '--expires',
    'none',
  ])
  assert.deepEqual([changed.rate_limit_rpm, changed.allowed_models, changed.expires_at], [null, null, null])
  for (const making of [
    ['keys', 'create', 'unseen'],
    ['keys', 'rotate', 'ci-build', '--yes'],
    ['me', 'keys', 'create', 'unseen'],
  ]) {
    const lost = await cli.run([...making, '-o', 'id'])
    assert.deepEqual([lost.code, lost.out, /-o id would not show it/.test(lost.err)], [2, '', true], making.join(' '))
  }
  assert.equal((await cli.json(['keys', 'list', '-q', 'unseen'])).data.length, 0)
  assert.equal((await cli.json(['keys', 'test'], { input: made.out })).key.name, 'ci-build')
  assert.match((await cli.run(['keys', 'rotate', 'ci-build'])).err, /The old one stops at once/)
  const rotated = await cli.run(['keys', 'rotate', 'ci-build', '--grace', '1h', '--yes'])
  assert.match(rotated.out, /^sk-proxy-/)
  const listed = await cli.json(['keys', 'list', '--status', 'active', '--team', 'Platform'])
  const old = listed.data.find((key: { id: string }) => key.id === shown.id)
  for (const key of listed.data) await cli.json(['keys', 'revoke', key.id, '--yes'])
  assert.equal((await cli.run(['keys', 'delete', (old ?? shown).id, '--yes'])).code, 0)
})

test('what cannot be undone asks first, and without a terminal wants --yes', async () => {
  await cli.json(['keys', 'create', 'short-lived'])
  const refused = await cli.run(['keys', 'revoke', 'short-lived'])
  assert.deepEqual([refused.code, refused.out], [2, ''])
  assert.match(refused.err, /refused within 5 seconds.*--yes/s)
  assert.equal((await cli.run(['keys', 'revoke', 'short-lived'], { answers: ['n'] })).code, 2)
  assert.equal((await cli.json(['keys', 'show', 'short-lived'])).status, 'active')
  const tried = await cli.run(['keys', 'revoke', 'short-lived', '--dry-run'])
  assert.match(tried.out, /^Would send POST \/admin\/keys\/[\w-]+\/revoke \{\}\n$/)
  assert.equal((await cli.json(['keys', 'show', 'short-lived'])).status, 'active')
  assert.equal((await cli.run(['keys', 'revoke', 'short-lived'], { answers: ['y'] })).code, 0)
  assert.equal((await cli.json(['keys', 'show', 'short-lived'])).status, 'revoked')
})

test('what is not there is named with its nearest neighbour', async () => {
  await cli.json(['keys', 'create', 'nightly-build'])
  const { code, err } = await cli.run(['keys', 'show', 'nightly-biuld'])
  assert.equal(code, 3)
  assert.match(err, /key "nightly-biuld" not found \(did you mean "nightly-build"\?\)/)
  const unknown = await cli.run(['keys', 'show', '01900000-0000-7000-8000-000000000000', '--json'])
  assert.equal(unknown.code, 3)
  const document = JSON.parse(unknown.err)
  assert.equal(document.error.exit_code, 3)
  assert.match(document.request_id, /^req_/)
  await cli.json(['keys', 'create', 'nightly-test'])
  const several = await cli.run(['keys', 'show', 'nightly'])
  assert.equal(several.code, 2)
  assert.match(several.err, /could be any of 2 keys/)
})

test('budgets are set for people and teams, with own rules too', async () => {
  const team = ['--team', 'Platform']
  assert.equal((await cli.run(['budgets', 'show', ...team])).code, 3)
  const set = await cli.json([
    'budgets',
    'set',
    ...team,
    '--limit',
    '500',
    '--period',
    'weekly',
    '--policy',
    'shaped',
    '--member-limit',
    '50',
  ])
  assert.deepEqual([set.limit_usd, set.period, set.policy, set.member_limit_usd], [500, 'weekly', 'shaped', 50])
  assert.equal((await cli.json(['budgets', 'show', ...team])).limit_usd, 500)
  const rules = JSON.stringify([{ at_percent: 90, action: 'block' }])
  const own = await cli.json(['budgets', 'set', '--user', 'ada', '--limit', '5.5', '--rules-file', '-'], {
    input: rules,
  })
  assert.deepEqual([own.limit_usd, own.rules.length], [5.5, 1])
  assert.equal((await cli.json(['budgets', 'show', '--user', 'ada'])).scope, 'user')
  assert.equal((await cli.json(['budgets', 'list', '--scope', 'team'])).data.length, 1)
  for (const bad of [['--limit', 'much'], [], ['--limit', '5', '--user', 'ada']])
    assert.equal((await cli.run(['budgets', 'set', ...team, ...bad])).code, 2, bad.join(' '))
  assert.equal(
    (await cli.run(['budgets', 'set', ...team, '--limit', '5', '--rules-file', '-'], { input: 'no' })).code,
    2,
  )
  assert.equal((await cli.run(['budgets', 'clear', '--user', 'ada', '--yes'])).code, 0)
  assert.equal((await cli.run(['budgets', 'clear', ...team, '--yes'])).code, 0)
})

test('setting a part of a budget keeps the rest of it', async () => {
  const team = ['budgets', 'set', '--team', 'Platform']
  const terms = ({ limit_usd, period, policy, member_limit_usd }: Record<string, unknown>) => [
    limit_usd,
    period,
    policy,
    member_limit_usd,
  ]
  const none = await cli.run([...team, '--policy', 'soft'])
  assert.deepEqual([none.code, /how much\?/.test(none.err)], [2, true])
  assert.deepEqual(terms(await cli.json([...team, '--limit', '400'])), [400, 'monthly', 'standard', null])
  await cli.json([...team, '--period', 'weekly', '--policy', 'soft', '--member-limit', '50'])
  const raised = await cli.run([...team, '--limit', '800'])
  assert.equal(raised.out, '$800.00 weekly, soft, $50.00 for each member, 0 % used.\n')
  assert.deepEqual(terms(await cli.json([...team, '--member-limit', 'none'])), [800, 'weekly', 'soft', null])
  const rules = [{ at_percent: 90, action: 'block' }]
  const own = ['budgets', 'set', '--user', 'ada']
  await cli.json([...own, '--limit', '5', '--rules-file', '-'], { input: JSON.stringify(rules) })
  assert.deepEqual(terms(await cli.json([...own, '--period', 'daily'])), [5, 'daily', rules, null])
  for (const who of [['--user', 'ada'], team.slice(2)]) await cli.run(['budgets', 'clear', ...who, '--yes'])
})

test('limits are topped up by name, and what was given is listed and taken back', async () => {
  const none = await cli.run(['budgets', 'top-up', 'user', 'ada', '5'])
  assert.deepEqual([none.code, /No budget limits this person/.test(none.err)], [6, true])
  await cli.json(['budgets', 'set', '--user', 'ada', '--limit', '10', '--period', 'daily'])
  await cli.json(['budgets', 'set', '--team', 'Platform', '--limit', '100'])
  const tried = await cli.run(['budgets', 'top-up', 'user', 'ada', '5', '--reason', 'a release', '--dry-run'])
  assert.match(
    tried.out,
    /^Would send POST \/admin\/users\/[0-9a-f-]{36}\/budget\/top-ups \{"amount_usd":5,"reason":"a release"\}\n$/,
  )
  const given = await cli.run(['budgets', 'top-up', 'user', 'ada', '5', '--reason', 'a release'])
  assert.match(given.out, /^Added \$5\.00 for ada; it ends in \d+ (h|min|s)\.\n$/)
  assert.equal((await cli.json(['budgets', 'top-up', 'team', 'Platform', '2.5'])).scope, 'team')
  const [own] = (await cli.json(['budgets', 'top-ups', 'user', 'ada'])).data
  assert.deepEqual([own.amount_usd, own.reason, own.active], [5, 'a release', true])
  assert.equal((await cli.json(['budgets', 'top-ups', 'team', 'Platform'])).data.length, 1)
  assert.equal((await cli.json(['budgets', 'show', '--user', 'ada'])).top_up_usd, 5)
  assert.equal((await cli.run(['budgets', 'take-back', 'ada', '--yes'])).code, 2)
  assert.equal((await cli.run(['budgets', 'take-back', own.id, '--yes'])).out, 'Taken back.\n')
  assert.equal((await cli.run(['budgets', 'take-back', own.id, '--yes'])).code, 3)
  for (const bad of [
    ['key', 'ada', '5'],
    ['user', 'ada', 'much'],
    ['user', 'nobody@else', '5'],
    ['user', 'ada'],
  ])
    assert.ok([2, 3].includes((await cli.run(['budgets', 'top-up', ...bad])).code), bad.join(' '))
  for (const who of [
    ['--user', 'ada'],
    ['--team', 'Platform'],
  ])
    await cli.run(['budgets', 'clear', ...who, '--yes'])
})

test('somebody asks for more, and the request is withdrawn, approved or declined by their name', async () => {
  assert.equal((await cli.run(['me', 'ask', '5'])).code, 6, 'nothing limits them')
  await cli.json(['budgets', 'set', '--user', 'admin', '--limit', '10', '--policy', 'soft'])
  const told = await cli.run(['me', 'ask', '5', '--reason', 'a release'])
  assert.match(told.out, /^Asked for \$5\.00\. See what becomes of it with "causeway me asked"\.\n$/)
  assert.equal((await cli.run(['me', 'ask', '6'])).code, 6)
  assert.equal((await cli.run(['me', 'withdraw', '--yes'])).out, 'Withdrawn.\n')
  const late = await cli.run(['me', 'withdraw', '--yes'])
  assert.deepEqual([late.code, /no open request/.test(late.err)], [3, true])
  assert.equal((await cli.run(['me', 'withdraw', 'it', '--yes'])).code, 2)

  await cli.json(['me', 'ask', '5'])
  const tried = await cli.run(['budgets', 'approve', 'admin', '--raise', '--dry-run'])
  assert.match(tried.out, /^Would send POST \/admin\/budget-requests\/[0-9a-f-]{36}\/approve \{"as":"raise"\}\n$/)
  const approved = await cli.run(['budgets', 'approve', 'adm', '--amount', '4'])
  assert.equal(approved.out, 'Approved: $4.00 more for admin, until the budget starts again.\n')
  const gone = await cli.run(['budgets', 'approve', 'admin'])
  assert.deepEqual([gone.code, /there is no open request of "admin"/.test(gone.err)], [3, true])
  await cli.json(['me', 'ask', '5'])
  const raised = await cli.json(['budgets', 'approve', 'admin', '--raise', '--note', 'for good'])
  assert.deepEqual([raised.granted_as, raised.budget.limit_usd, raised.budget.top_up_usd], ['raise', 15, 4])
  await cli.json(['me', 'ask', '5'])
  const [open] = (await cli.json(['budgets', 'requests', '--status', 'open'])).data
  const declined = await cli.run(['budgets', 'decline', open.id, '--note', 'next month'])
  assert.equal(declined.out, 'Declined what admin asked for.\n')
  assert.equal((await cli.run(['budgets', 'decline', open.id])).code, 6, 'decided before')
  const mine = (await cli.json(['me', 'asked'])).data.map((one: Record<string, unknown>) => [
    one['status'],
    one['note'],
  ])
  assert.deepEqual(mine, [
    ['declined', 'next month'],
    ['approved', 'for good'],
    ['approved', null],
    ['withdrawn', null],
  ])
  assert.match((await cli.run(['me'], { terminal: true })).out, /of \$19\.00 left/)
  await cli.run(['budgets', 'clear', '--user', 'admin', '--yes'])
})

test('identity providers keep their secret out of flags, plans and answers; their tokens are made and deleted', async () => {
  const secret = join(cli.home, 'secret.txt')
  writeFileSync(secret, 'very-secret\n')
  const fields = ['--issuer', gateway.simulator.oidcUrl, '--audience', 'causeway', '--client-secret-file', secret]
  const tried = await cli.run(['idps', 'create', 'Example', ...fields, '--dry-run'])
  assert.ok(tried.out.includes('(not shown)') && !tried.out.includes('very-secret'), tried.out)
  const made = await cli.json([
    'idps',
    'create',
    'Example',
    ...fields,
    '--auto-provision',
    'true',
    '--domains',
    'example.com',
  ])
  assert.deepEqual([made.has_client_secret, made.allowed_domains], [true, ['example.com']])
  assert.equal((await cli.json(['idps', 'show', made.id])).name, 'Example')
  assert.equal((await cli.json(['idps', 'update', 'Example', '--domains', 'none'])).allowed_domains, null)
  assert.equal((await cli.json(['idps', 'list'])).data.length, 1)
  assert.equal((await cli.json(['idps', 'test', 'Example'])).success, true)
  assert.equal((await cli.run(['idps', 'test', '--issuer', 'http://127.0.0.1:2/'])).code, 8)
  assert.equal((await cli.run(['idps', 'create', 'Half'])).code, 2)
  assert.equal((await cli.run(['idps', 'delete', 'Example', '--yes'])).code, 0)
})

test('lists come as tables for people, as tabs for pipes and as one document for programs, also over many pages', async () => {
  for (let index = 0; index < 5; index++) await cli.json(['keys', 'create', `page-${index}`])
  const table = await cli.run(['keys', 'list', '-q', 'page-', '--limit', '2'], { terminal: true })
  assert.match(table.out, /NAME +PREFIX +STATUS/)
  assert.match(table.err, /There are more/)
  const tabs = await cli.run(['keys', 'list', '-q', 'page-'])
  assert.equal(tabs.out.split('\n').filter((line) => line.split('\t').length === 12).length, 5)
  const page = await cli.json(['keys', 'list', '-q', 'page-', '--limit', '2'])
  assert.deepEqual([page.data.length, page.has_more, typeof page.next_cursor], [2, true, 'string'])
  const next = await cli.json(['keys', 'list', '-q', 'page-', '--limit', '2', '--cursor', page.next_cursor])
  assert.notEqual(next.data[0].id, page.data[0].id)
  const all = await cli.json(['keys', 'list', '-q', 'page-', '--all'])
  assert.deepEqual([all.data.length, all.has_more], [5, false])
  const csv = await cli.run(['keys', 'list', '-q', 'page-', '-o', 'csv'])
  assert.equal(csv.out.trim().split('\n').length, 6)
  assert.equal((await cli.run(['keys', 'list', '-o', 'id', '-q', 'page-'])).out.trim().split('\n').length, 5)
  for (const bad of [
    ['--limit', '0'],
    ['--limit', '1000'],
    ['--sort', 'colour'],
    ['-o', 'xml'],
  ])
    assert.equal((await cli.run(['keys', 'list', ...bad])).code, 2, bad.join(' '))
})

test('a member may not administer, and is told so', async () => {
  const { key } = await cli.json(['keys', 'create', 'of-ada', '--user', 'ada'])
  const { code, err } = await cli.run(['teams', 'list'], { env: { CAUSEWAY_TOKEN: key } })
  assert.equal(code, 5)
  assert.match(err, /needs an administrator\n {2}next .*role admin/)
  const own = await cli.run(['me', 'keys', 'create', 'laptop'], { env: { CAUSEWAY_TOKEN: key } })
  assert.equal(own.code, 5)
  assert.match(own.err, /virtual key cannot do this.*\n {2}next {5}sign in with "causeway login/)
})

test('every route of these nouns was called by the command that the table names', async () => {
  assert.equal((await cli.run(['users', 'delete', 'ada', '--yes'])).code, 0)
  assert.equal((await cli.run(['teams', 'delete', 'Platform', '--yes'])).code, 0)
  assert.deepEqual(cli.uncalled(['keys', 'teams', 'users', 'budgets', 'idps']), [])
})

test('names beside ids are asked for of those that are shown, and of nobody else', async ({ mock }) => {
  await gateway.database?.pool.query(
    "insert into users (id, subject, role) select gen_random_uuid(), 'person-' || place, 'member' from generate_series(1, 500) as place",
  )
  for (const name of ['one', 'two']) await cli.json(['keys', 'create', `of-many-${name}`, '--user', 'person-499'])
  const fetched = mock.method(globalThis, 'fetch')
  const look = { terminal: true, env: { NO_COLOR: '1' } }
  const { out } = await cli.run(['keys', 'list', '--search', 'of-many'], look)
  assert.equal(out.match(/ person-499 /g)?.length, 2)
  const paths = fetched.mock.calls.map(({ arguments: [url] }) => new URL(String(url)).pathname)
  assert.deepEqual(paths, ['/admin/keys', '/admin/users'])
  assert.match((await cli.run(['keys', 'show', 'of-many-one'], look)).out, /^user +person-499$/m)
})
