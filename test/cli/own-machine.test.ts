/** What the command line keeps on a person's machine: sign-ins, profiles, the client's settings, the status line. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CookieJar, post, signIn, startLoginGateway } from '../sign-in/login-app.ts'
import { ADMIN_PASSWORD } from '../support/gateway.ts'
import { type CliRunner, createRunner } from './cli-runner.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>
let alice: CookieJar
let cli: CliRunner
const config = () => join(cli.home, '.config', 'causeway', 'config.json')
const settings = () => join(cli.home, '.claude', 'settings.json')

before(async () => {
  gateway = await startLoginGateway()
  alice = await signIn(gateway, 'alice@example.com')
  cli = createRunner({})
})

after(async () => {
  cli?.close()
  await gateway?.stop()
})

test('signing in through the browser prints the code, opens the page and keeps the token for oneself', async () => {
  const signingIn = cli.run(['login', gateway.url])
  while (cli.opened.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const code = new URL(cli.opened[0] ?? '').searchParams.get('user_code')
  assert.equal((await post(gateway, alice, '/auth/cli/complete', { user_code: code })).status, 200)
  const { code: exit, out, err } = await signingIn
  assert.deepEqual([exit, out], [0, ''])
  assert.ok(
    err.includes(`Code  ${code}`) && err.includes('Signed in to') && err.includes('alice@example.com (member)'),
    err,
  )
  assert.equal(statSync(config()).mode & 0o777, 0o600)
  assert.equal((await cli.json(['whoami'])).user.subject, 'alice@example.com')
  const refused = await cli.run(['keys', 'list'])
  assert.equal(refused.code, 5)
})

test('a sign-in that is refused, comes too late or is of a deactivated person is told as what it is', async () => {
  const outcomes = [
    [410, { status: 'denied' }, 5, /refused in the browser/],
    [410, { status: 'expired' }, 4, /nobody confirmed the sign-in in time/],
    [403, { error: { code: 'user_inactive', message: 'x' } }, 5, /the account is deactivated/],
    [403, '<html>', 2, /answered with status 403/],
  ] as const
  const begun = { session_code: 'x', user_code: 'BCDF-GHJK', verification_url: 'http://127.0.0.1/x' }
  for (const [status, body, exit, words] of outcomes) {
    const server = createServer((request, response) => {
      const isBegin = request.url === '/auth/cli/login'
      response.writeHead(isBegin ? 200 : status, { 'content-type': 'application/json', 'request-id': 'req_1' })
      response.end(JSON.stringify(isBegin ? { ...begun, interval: 0.01, expires_in: 300 } : body))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { code, err } = await cli.run(['login', `http://127.0.0.1:${port}`, '--no-browser'])
    server.closeAllConnections()
    server.close()
    assert.equal(code, exit, err)
    assert.match(err, words)
  }
})

test('a gateway that is away for a moment does not end a sign-in that waits for its confirmation', async () => {
  const begun = { session_code: 'x', user_code: 'BCDF-GHJK', verification_url: 'http://127.0.0.1/x' }
  let polls = 0
  const server = createServer((request, response) => {
    const isPoll = request.url?.startsWith('/auth/cli/poll') === true
    if (isPoll) polls += 1
    if (isPoll && polls <= 2) {
      request.socket.destroy()
      return
    }
    response.writeHead(isPoll ? 410 : 200, { 'content-type': 'application/json', 'request-id': 'req_1' })
    response.end(JSON.stringify(isPoll ? { status: 'denied' } : { ...begun, interval: 0.01, expires_in: 300 }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { err } = await cli.run(['login', `http://127.0.0.1:${port}`, '--no-browser'])
  server.closeAllConnections()
  server.close()
  assert.match(err, /refused in the browser/)
  assert.equal(polls, 3)
})

test('a password and a token come from standard input; each gateway has its profile', async () => {
  const admin = await cli.run(['login', gateway.url, '--user', 'admin', '--profile', 'admin'], {
    input: ADMIN_PASSWORD,
  })
  assert.equal(admin.code, 0, admin.err)
  assert.equal(
    (await cli.run(['login', gateway.url, '--user', 'admin', '--profile', 'admin'], { input: 'wrong' })).code,
    4,
  )
  const { profiles } = JSON.parse(readFileSync(config(), 'utf8'))
  const again = await cli.run(['login', gateway.url, '--token-stdin', '--profile', 'third'], {
    input: profiles.admin.token,
  })
  assert.equal(again.code, 0, again.err)
  const { data } = await cli.json(['profiles', 'list'])
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ['default', 'admin', 'third'],
  )
  assert.equal((await cli.json(['whoami', '--profile', 'default'])).user.subject, 'alice@example.com')
  assert.equal((await cli.json(['whoami'], { env: { CAUSEWAY_PROFILE: 'admin' } })).user.subject, 'admin')
  assert.equal((await cli.run(['profiles', 'use', 'default'])).code, 0)
  assert.equal((await cli.run(['profiles', 'use', 'nowhere'])).code, 2)
  assert.equal((await cli.run(['whoami', '--profile', 'nowhere'])).code, 2)
  assert.equal((await cli.run(['profiles', 'delete', 'third'])).code, 0)
})

test('a token never goes to another address than the one that gave it, nor over an open line', async () => {
  const other = await cli.run(['whoami', '--url', 'http://localhost:2'])
  assert.equal(other.code, 4)
  assert.match(other.err, /not signed in to localhost:2/)
  const open = await cli.run(['whoami', '--url', 'http://gateway.example.com'])
  assert.equal(open.code, 2)
  assert.match(open.err, /not https/)
})

test('connecting merges the settings of the client, proves itself, is idempotent and can be undone to the byte', async () => {
  mkdirSync(join(cli.home, '.claude'), { recursive: true })
  const source = '{\n    "model": "opus",\n    "env": {"KEEP": "1", "ANTHROPIC_API_KEY": "old"}\n}\n'
  writeFileSync(settings(), source)
  const tried = await cli.run(['connect', '--dry-run'])
  assert.equal(tried.code, 0, tried.err)
  assert.match(tried.out, /\+ .*ANTHROPIC_BASE_URL/)
  assert.equal(readFileSync(settings(), 'utf8'), source)
  assert.equal((await cli.run(['connect'])).code, 2, 'a rival is not taken out without consent')
  const { code, out, err } = await cli.run(['connect', '--yes'])
  assert.equal(code, 0, err)
  assert.match(out, /Test +claude-\S+ answered in /)
  assert.match(out, /Budget +no budget limits you/)
  const merged = JSON.parse(readFileSync(settings(), 'utf8'))
  assert.deepEqual([merged.model, merged.env.KEEP, merged.env.ANTHROPIC_API_KEY], ['opus', '1', undefined])
  assert.equal(merged.env.ANTHROPIC_BASE_URL, gateway.url)
  assert.equal(merged.env.CLAUDE_CODE_API_KEY_HELPER_TTL_MS, '840000')
  const helper = merged.apiKeyHelper.slice(1, -1)
  assert.equal(statSync(helper).mode & 0o777, 0o700)
  const kept = readFileSync(
    join(cli.home, '.cache', 'causeway', `${gateway.url.replace(/[^A-Za-z0-9.-]/g, '_')}.token`),
    'utf8',
  )
  assert.match(kept, /^\d+\nsess-/)
  const again = await cli.json(['connect', '--yes'])
  assert.deepEqual([again.changes, again.test.kind], [[], 'answered'])
  assert.equal((await cli.run(['connect', '--remove'])).code, 0)
  assert.equal(readFileSync(settings(), 'utf8'), source)
  assert.equal(existsSync(join(cli.home, '.claude', 'causeway')), false)
  assert.match((await cli.run(['connect', '--remove'])).out, /Nothing of the gateway/)
})

test('no secret that stands in the settings is shown when they change', async () => {
  const secret = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz'
  const env = { ANTHROPIC_API_KEY: secret, GITHUB_TOKEN: `ghp_${secret}` }
  for (const indent of [0, 2]) {
    writeFileSync(settings(), JSON.stringify({ env }, null, indent))
    const tried = await cli.run(['connect', '--dry-run'])
    const asJson = await cli.run(['connect', '--dry-run', '--json'])
    const done = await cli.run(['connect', '--yes', '--no-test'])
    for (const { code, out, err } of [tried, asJson, done]) {
      assert.equal(code, 0, err)
      assert.equal((out + err).includes('0123456789'), false, out + err)
      assert.match(out, /- .*ANTHROPIC_API_KEY\W+sk-ant-api03…/)
    }
    await cli.json(['connect', '--remove'])
    assert.deepEqual(JSON.parse(readFileSync(settings(), 'utf8')).env, env)
  }
})

test('what somebody changed after connecting stays when it is undone', async () => {
  writeFileSync(settings(), '{}\n')
  await cli.json(['connect', '--no-test'])
  const changed = JSON.parse(readFileSync(settings(), 'utf8'))
  writeFileSync(
    settings(),
    JSON.stringify({
      ...changed,
      theme: 'dark',
      env: { ...changed.env, ANTHROPIC_BASE_URL: 'https://elsewhere.example.com' },
    }),
  )
  await cli.json(['connect', '--remove'])
  assert.deepEqual(JSON.parse(readFileSync(settings(), 'utf8')), {
    theme: 'dark',
    env: { ANTHROPIC_BASE_URL: 'https://elsewhere.example.com' },
  })
})

test('with a key the settings hold it and only their owner reads them; broken settings are left alone', async () => {
  const { key } = await cli.json(['me', 'keys', 'create', 'laptop'])
  const { out } = await cli.run(['connect', '--key-file', '-'], { input: key })
  assert.equal(out.includes(key), false)
  assert.equal(JSON.parse(readFileSync(settings(), 'utf8')).env.ANTHROPIC_AUTH_TOKEN, key)
  assert.equal(statSync(settings()).mode & 0o777, 0o600)
  await cli.json(['connect', '--remove'])
  assert.equal((await cli.run(['connect', '--key-file', '-'], { input: 'no key' })).code, 2)
  writeFileSync(settings(), '{ "half":')
  const broken = await cli.run(['connect', '--yes'])
  assert.equal(broken.code, 2)
  assert.equal(readFileSync(settings(), 'utf8'), '{ "half":')
  writeFileSync(settings(), '{}\n')
})

test('settings with a byte-order mark, as editors on Windows write them, are merged and keep it', async () => {
  const source = '\ufeff{\r\n  "model": "opus"\r\n}\r\n'
  writeFileSync(settings(), source)
  assert.equal((await cli.run(['connect', '--yes', '--no-test'])).code, 0)
  const merged = readFileSync(settings(), 'utf8')
  assert.equal(JSON.parse(merged.replace(/^\ufeff/, '')).env.ANTHROPIC_BASE_URL, gateway.url)
  assert.deepEqual((await cli.json(['connect', '--yes', '--no-test'])).changes, [])
  const { findings } = JSON.parse((await cli.run(['doctor', '--json'])).out)
  const looked = findings.find(({ id }: { id: string }) => id === 'client.settings')
  assert.deepEqual([merged.startsWith('\ufeff{'), looked.status], [true, 'pass'])
  await cli.json(['connect', '--remove'])
  assert.equal(readFileSync(settings(), 'utf8'), source)
  writeFileSync(settings(), '{}\n')
})

test('a folder of the client that cannot be used is named in a sentence', async () => {
  const place = join(cli.home, 'a file')
  writeFileSync(place, '')
  const { code, err } = await cli.run(['connect', '--yes'], { env: { CLAUDE_CONFIG_DIR: place } })
  assert.deepEqual([code, err], [1, `causeway: ${join(place, 'causeway')}: not a directory\n`])
})

test('what is kept to undo a change is never committed: its folder ignores itself, with a key and with the helper', async () => {
  const project = join(cli.home, 'checkout')
  mkdirSync(project)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: cli.home },
    })
  git('init', '--quiet')
  writeFileSync(join(project, '.gitignore'), '.claude/settings.local.json\n')
  const { key } = await cli.json(['me', 'keys', 'create', 'checkout'])
  const own = join(project, '.claude', 'causeway')
  const before = process.cwd()
  process.chdir(project)
  try {
    for (const [args, kept] of [
      [['--key-file', '-'], 'after'],
      [[], 'token-helper.sh'],
    ] as const) {
      await cli.json(['connect', '--project', '--no-test', ...args], { input: key })
      assert.ok(existsSync(join(own, kept)))
      assert.equal(git('status', '--porcelain', '--untracked-files=all'), '?? .gitignore\n')
    }
    rmSync(join(own, '.gitignore'))
    assert.deepEqual((await cli.json(['connect', '--project', '--no-test'])).changes, [])
    assert.ok(existsSync(join(own, '.gitignore')), 'also one that was set up before')
    await cli.json(['connect', '--project', '--remove'])
    assert.equal(existsSync(own), false)
  } finally {
    process.chdir(before)
  }
})

test('settings of a project are not committed by accident, and git forgets them with --remove', async () => {
  const project = join(cli.home, 'plain checkout', 'sub [1]')
  mkdirSync(project, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: cli.home },
    })
  git('-C', '..', 'init', '--quiet')
  const exclude = join(project, '..', '.git', 'info', 'exclude')
  const excluded = readFileSync(exclude, 'utf8')
  const { key } = await cli.json(['me', 'keys', 'create', 'plain-checkout'])
  const connect = (...args: string[]) => cli.run(['connect', '--project', '--no-test', ...args], { input: key })
  const before = process.cwd()
  process.chdir(project)
  try {
    assert.match((await connect('--key-file', '-', '--dry-run')).out, /^Git +would be told to ignore/m)
    assert.equal(readFileSync(exclude, 'utf8'), excluded)
    assert.match((await connect('--key-file', '-')).out, /^Git +is told to ignore/m)
    assert.ok(existsSync(join(project, '.claude/settings.local.json')))
    assert.equal(git('status', '--porcelain', '--untracked-files=all'), '')
    assert.doesNotMatch((await connect('--key-file', '-')).out, /^Git/m)
    assert.equal((await connect('--remove')).code, 0)
    assert.equal(readFileSync(exclude, 'utf8'), excluded)

    mkdirSync(join(project, '.claude'), { recursive: true })
    writeFileSync(join(project, '.claude/settings.local.json'), '{}\n')
    git('add', '.claude/settings.local.json')
    const refused = await connect('--key-file', '-')
    assert.equal(refused.code, 2)
    assert.match(refused.err, /git tracks .*the key would be committed/)
    assert.equal(readFileSync(join(project, '.claude/settings.local.json'), 'utf8'), '{}\n')
  } finally {
    process.chdir(before)
  }
})

test('the status line shows what is left, from its cache when the gateway does not answer', async () => {
  assert.equal((await cli.run(['statusline'])).out, 'no budget\n')
  await cli.json(['budgets', 'set', '--user', 'alice@example.com', '--limit', '50'], {
    env: { CAUSEWAY_PROFILE: 'admin' },
  })
  assert.equal((await cli.run(['statusline', '--refresh'])).out, '')
  const { out } = await cli.run(['statusline'])
  assert.match(out, /^\$50\.00 left · resets \w{3} \d\d:\d\d\n$/)
  const slow = await cli.run(['statusline'], { env: { CAUSEWAY_URL: 'http://127.0.0.1:2', CAUSEWAY_TOKEN: 'sess-x' } })
  assert.deepEqual([slow.code, slow.out], [0, '127.0.0.1:2\n'])
  assert.deepEqual(cli.behind, ['statusline --refresh'], 'it is asked once more, for the next time')
  const nobody = await cli.run(['statusline'], { env: { CAUSEWAY_URL: 'http://127.0.0.1:2' } })
  assert.deepEqual([nobody.code, nobody.out], [0, 'not signed in: causeway login\n'])
})

test('a client is started with the address and the token, and without what would lead it elsewhere', async () => {
  rmSync(settings(), { force: true })
  const rival = { ANTHROPIC_API_KEY: 'sk-ant-x', CLAUDE_CODE_USE_BEDROCK: '1', KEPT: 'yes' }
  const { code, err } = await cli.run(['run', '--', 'claude', '--resume', '-p', 'a b'], { env: rival })
  assert.equal(code, 0, err)
  const started = cli.clients.at(-1)
  assert.deepEqual(started?.words, ['claude', '--resume', '-p', 'a b'])
  const { ANTHROPIC_AUTH_TOKEN: token = '', ...environment } = started?.environment ?? {}
  assert.deepEqual(environment, {
    KEPT: 'yes',
    ANTHROPIC_BASE_URL: gateway.url,
    CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
    CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
  })
  assert.ok(readFileSync(config(), 'utf8').includes(token) && token.length > 20)
})

test('no client is started that would be refused, or that its settings send elsewhere', async () => {
  const started = cli.clients.length
  const nobody = await cli.run(['run', 'claude'], { env: { CAUSEWAY_URL: 'http://127.0.0.1:2' } })
  assert.equal(nobody.code, 4)
  const ended = await cli.run(['run', 'claude'], { env: { CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: 'sess-x' } })
  assert.equal(ended.code, 4, ended.err)
  assert.equal((await cli.run(['run'])).code, 2)
  mkdirSync(join(cli.home, '.claude'), { recursive: true })
  writeFileSync(settings(), '{"env":{"ANTHROPIC_BASE_URL":"https://other.example","CLAUDE_CODE_USE_BEDROCK":"1"}}')
  const elsewhere = await cli.run(['run', '/opt/bin/claude'])
  assert.equal(elsewhere.code, 6)
  assert.match(elsewhere.err, /settings\.json sets ANTHROPIC_BASE_URL and CLAUDE_CODE_USE_BEDROCK, which the client/)
  assert.equal(cli.clients.length, started)
  assert.equal((await cli.run(['run', 'python', 'agent.py'])).code, 0, 'which does not read those settings')
  writeFileSync(settings(), `{"env":{"ANTHROPIC_BASE_URL":"${gateway.url}"}}`)
  assert.equal((await cli.run(['run', 'claude'])).code, 0)
  rmSync(settings())
})

test('the terminal belongs to the client until it ends, and its code is the code of the command', async () => {
  const run = (...command: readonly string[]) => {
    const { HOME: _home, ...environment } = process.env
    return spawn(process.execPath, ['cli/main.ts', 'run', '--', ...command], {
      env: { ...environment, HOME: cli.home },
    })
  }
  const ended = async (child: ReturnType<typeof run>) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()))
    const [code] = await once(child, 'close')
    return { code, text }
  }
  const asking = run('sh', '-c', 'read line; echo "$ANTHROPIC_BASE_URL $line"; exit 3')
  asking.stdin.end('typed\n')
  assert.deepEqual(await ended(asking), { code: 3, text: `${gateway.url} typed\n` })
  assert.deepEqual(await ended(run('no-such-client')), {
    code: 1,
    text: 'causeway: no-such-client is not installed, or not in PATH\n',
  })
  const waiting = run('sh', '-c', 'trap "exit 7" TERM; echo ready; while :; do sleep 0.05; done')
  await once(waiting.stdout, 'data')
  waiting.kill('SIGINT')
  waiting.kill('SIGTERM')
  assert.equal((await ended(waiting)).code, 7, 'Ctrl-C is the business of the client, and an end is passed on')
  const killed = run('sh', '-c', 'kill -9 $$')
  assert.equal((await ended(killed)).code, 137)
})

test('completion knows commands, options, choices and the names of things', async () => {
  const complete = async (...words: string[]) => {
    const { out } = await cli.run(['__complete', '--', ...words], { env: { CAUSEWAY_PROFILE: 'admin' } })
    return out.split('\n').filter((line) => line !== '')
  }
  assert.deepEqual(await complete('ke'), ['keys'])
  assert.deepEqual(await complete('keys', 're'), ['revoke'])
  assert.deepEqual(await complete('websearch', 'set', 'g'), ['global'])
  assert.deepEqual(await complete('budgets', 'set', '--per'), ['--period'])
  assert.deepEqual(await complete('budgets', 'set', '--period', ''), ['daily', 'weekly', 'monthly'])
  assert.deepEqual(await complete('users', 'show', 'ali'), ['alice@example.com'])
  assert.deepEqual(await complete('whoami', '--profile', 'adm'), ['admin'])
  assert.deepEqual(await complete('nothing', ''), [])
  assert.deepEqual(await complete('--profile', 'adm'), ['admin'])
  assert.deepEqual(await complete('--no-color', '--profile', 'admin', 'keys', 're'), ['revoke'])
  // Names are those of the gateway, and of the person, that the line is for.
  for (const line of [
    ['--profile', 'admin', 'users', 'show', 'ali'],
    ['users', 'show', '--profile=admin', 'ali'],
  ])
    assert.deepEqual(
      (await cli.run(['__complete', '--', ...line], { env: { CAUSEWAY_URL: 'http://127.0.0.1:2' } })).out,
      'alice@example.com\n',
    )
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
    assert.match((await cli.run(['completion', shell])).out, /__complete/)
})

test('completion finds a name also in a list of many pages', async () => {
  const env = { CAUSEWAY_PROFILE: 'admin' }
  await gateway.database?.pool.query(
    "insert into teams (id, name) select gen_random_uuid(), 'a-' || place from generate_series(1, 200) as place",
  )
  await cli.json(['teams', 'create', 'zoo'], { env })
  assert.equal((await cli.run(['__complete', '--', 'teams', 'show', 'zo'], { env })).out, 'zoo\n')
})

test('signing out ends the session at the gateway and forgets the token', async () => {
  const { profiles } = JSON.parse(readFileSync(config(), 'utf8'))
  const { token } = profiles.default
  assert.equal((await cli.run(['logout'])).code, 0)
  assert.equal((await cli.run(['whoami'])).code, 4)
  assert.equal((await cli.run(['whoami'], { env: { CAUSEWAY_TOKEN: token } })).code, 4)
  assert.match((await cli.run(['logout'])).err, /Nobody is signed in/)
})
