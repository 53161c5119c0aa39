import assert from 'node:assert/strict'
import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { asAdmin, startLoginGateway } from '../../sign-in/login-app.ts'
import { makeHome, runScript, shells } from '../../sign-in/run-script.ts'

let gateway: Awaited<ReturnType<typeof startLoginGateway>>
let script = ''
let denying = ''

before(async () => {
  gateway = await startLoginGateway()
  script = await (await fetch(`${gateway.url}/auth/setup`)).text()
  await asAdmin(gateway, 'PUT', '/admin/settings/websearch_mode', { value: 'disabled' })
  denying = await (await fetch(`${gateway.url}/setup`)).text()
  await asAdmin(gateway, 'PUT', '/admin/settings/websearch_mode', { value: 'enabled' })
})

after(() => gateway.stop())

/** Programs that go by the name awk on the systems of developers; those of this machine are tried. */
const awks = [
  { name: 'mawk', program: '/usr/bin/mawk', stands: ['awk'] },
  { name: 'gawk', program: '/usr/bin/gawk', stands: ['awk'] },
  {
    name: 'busybox',
    program: '/bin/busybox',
    stands: ['awk', 'sed', 'grep', 'diff', 'tr', 'cut', 'cmp', 'sort', 'head'],
  },
].filter(({ program }) => existsSync(program))

function withTools(home: string, { program, stands }: (typeof awks)[number]): Record<string, string> {
  const tools = join(home, 'tools')
  mkdirSync(tools)
  for (const name of stands) symlinkSync(program, join(tools, name))
  return { PATH: `${tools}:/usr/bin:/bin` }
}

type Json = Record<string, unknown>

interface Machine {
  readonly home: string
  readonly settings: string
  readonly read: () => string
  readonly json: () => Json
  readonly setup: (
    args?: readonly string[],
    shell?: string,
    text?: string,
    env?: Record<string, string>,
  ) => ReturnType<typeof runScript>
  readonly remove: (shell?: string) => ReturnType<typeof runScript>
}

async function onMachine(before: string | undefined, work: (machine: Machine) => Promise<void>): Promise<void> {
  const { path: home, remove } = makeHome()
  const settings = join(home, '.claude/settings.json')
  if (before !== undefined) {
    mkdirSync(join(home, '.claude'))
    writeFileSync(settings, before)
  }
  const read = (): string => readFileSync(settings, 'utf8')
  try {
    await work({
      home,
      settings,
      read,
      json: () => JSON.parse(read().replace(/^\ufeff/, '')) as Json,
      setup: (args = [], shell = 'sh', text = script, env = {}) =>
        runScript(shell, text, home, ['--no-login', ...args], env),
      remove: (shell = 'sh') => runScript(shell, script, home, ['--remove']),
    })
  } finally {
    remove()
  }
}

const ours = (home: string) => ({
  apiKeyHelper: `'${home}/.claude/causeway/token-helper.sh'`,
  env: {
    ANTHROPIC_BASE_URL: gateway.url,
    CLAUDE_CODE_API_KEY_HELPER_TTL_MS: '840000',
    CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
    CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY: '1',
  },
})

const samples: Readonly<Record<string, string | undefined>> = {
  'no file': undefined,
  'an empty file': '',
  'an empty object': '{}',
  'everything on one line': '{"model":"opus","env":{"A":"1"},"permissions":{"deny":["Bash(rm:*)"]}}',
  'two spaces and a final line feed': '{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n',
  'tabs, no final line feed': '{\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}',
  'Windows line ends': '{\r\n  "model": "opus"\r\n}\r\n',
  'a byte-order mark': '\ufeff{"model": "opus"}\n',
  'foreign letters, escapes and large numbers':
    '{ "name" : "Zoë \\u00e9 \\"q\\" \\\\ 雪", "n": 12345678901234567890, "x": 1e400, "é": [1 , 2,{ }] }\n',
  'values of ours already there':
    '{\n  "apiKeyHelper": "/opt/other",\n  "env": { "ANTHROPIC_BASE_URL": "https://old", "Z": "" }\n}\n',
  'names written with escapes': '{"\\u0065nv": {"A": "1"}}',
  'a name that stands twice': '{"env": {"A": "1"}, "env": {"B": "2"}}',
  'braces and quotes inside strings': '{"statusLine": {"command": "echo \\"}{][,:\\" # env"}, "env": {}}',
}

const layout = fc.constantFrom(undefined, 1, 2, 4, '\t')
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const member = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(fc.string(), leaf, { maxKeys: 3, noNullPrototype: true }),
)
const documents = fc.record(
  {
    model: leaf,
    apiKeyHelper: fc.string(),
    env: fc.dictionary(fc.constantFrom('A', 'ANTHROPIC_BASE_URL', 'Ü "x"', 'Z'), fc.string(), {
      noNullPrototype: true,
    }),
    permissions: fc.record(
      { deny: fc.array(fc.constantFrom('Bash', 'WebFetch', 'Read(./x)')), allow: fc.array(fc.string()) },
      { requiredKeys: [] },
    ),
    more: fc.dictionary(fc.string(), member, { maxKeys: 4, noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
)

// Each has a home folder of its own and mostly waits for small programs.
describe('the setup script', { concurrency: 4 }, () => {
  for (const [what, text] of Object.entries(samples))
    test(`${what}: ours go in, nothing is lost, a second run changes nothing, --remove restores every byte`, async () => {
      const shell = shells[Object.keys(samples).indexOf(what) % shells.length] ?? 'sh'
      await onMachine(text, async (machine) => {
        const run = await machine.setup([], shell)
        assert.equal(run.code, 0, run.stderr + run.stdout)
        const old = (text ?? '').trim() === '' ? {} : (JSON.parse((text ?? '').replace(/^\ufeff/, '')) as Json)
        const expected = ours(machine.home)
        assert.deepEqual(machine.json(), { ...old, ...expected, env: { ...(old['env'] as object), ...expected.env } })
        const written = machine.read()
        const again = await machine.setup([], shell)
        assert.equal(again.code, 0)
        assert.match(again.stdout, /right already/)
        assert.equal(machine.read(), written)
        const removed = await machine.remove(shell)
        assert.equal(removed.code, 0, removed.stderr)
        assert.equal(existsSync(machine.settings), text !== undefined)
        if (text !== undefined) assert.equal(machine.read(), text)
        assert.equal(existsSync(join(machine.home, '.claude/causeway')), false)
      })
    })

  for (const awk of awks)
    test(`the tools of ${awk.name} give every sample the same result`, async () => {
      for (const text of Object.values(samples))
        await onMachine(text, async (machine) => {
          const env = withTools(machine.home, awk)
          const run = await machine.setup([], 'sh', script, env)
          assert.equal(run.code, 0, run.stderr + run.stdout)
          const written = machine.read()
          const removed = await runScript('sh', script, machine.home, ['--remove'], env)
          assert.equal(removed.code, 0, removed.stderr)
          if (text !== undefined) assert.equal(machine.read(), text)
          await machine.setup()
          assert.equal(machine.read(), written, 'differs from what the tools of this system write')
        })
    })

  for (const [index, awk] of awks.entries())
    test(`with the tools of ${awk.name} no secret of the settings is shown when they change`, async () => {
      const secret = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz'
      const secrets = {
        ANTHROPIC_API_KEY: secret,
        github_token: secret,
        CLIENT_SECRET: secret,
        AWS_BEARER_TOKEN_BEDROCK: secret,
        ANTHROPIC_CUSTOM_HEADERS: `x-key: ${secret}`,
        'QUOTED "KEY': `"\\${secret}`,
        SHORT_KEY: 'hunter2',
      }
      const plain = { MAX_THINKING_TOKENS: '31999', ':': 'KEY' }
      const escaped = `{"env": {"API\\u005fKEY" :\n"${secret}", "A": "1"}}`
      const oneLine = JSON.stringify({ env: { ...secrets, ...plain } })
      for (const text of [oneLine, JSON.stringify({ env: secrets }, null, 2), escaped])
        await onMachine(text, async (machine) => {
          const env = withTools(machine.home, awk)
          const shell = shells[index % shells.length] ?? 'sh'
          const tried = await machine.setup(['--dry-run'], shell, script, env)
          const done = await machine.setup(['--yes'], shell, script, env)
          for (const { code, stdout, stderr } of [tried, done]) {
            assert.equal(code, 0, stderr)
            assert.match(stdout, /^ {13}\+ .*ANTHROPIC_BASE_URL/m)
            assert.doesNotMatch(stdout + stderr, /0123456789|hunter2/)
            assert.match(stdout, /^ {13}- .*/m)
          }
          if (text === escaped) assert.match(done.stdout, /^ {13}- "sk-ant-api03…", "A": "1"/m)
          else assert.match(done.stdout, /^ {13}- .*"ANTHROPIC_API_KEY": ?"sk-ant-api03…"/m)
          if (text !== oneLine) return
          assert.match(done.stdout, /^ {13}- .*"SHORT_KEY":"h…","MAX_THINKING_TOKENS":"31999",":":"KEY"/m)
        })
    })

  test('a key that works is tried at once: the model, the time and the budget are shown', async () => {
    const make = async (path: string, body: object) =>
      (await (await asAdmin(gateway, 'POST', path, body)).json()) as { readonly id: string; readonly key: string }
    const { id: teamId } = await make('/admin/teams', { name: 'trial' })
    await asAdmin(gateway, 'PUT', `/admin/teams/${teamId}/budget`, { limit_usd: 12.345678, period: 'monthly' })
    const { key, id } = await make('/admin/keys', { name: 'trial', team_id: teamId })
    await onMachine('{}', async (machine) => {
      const good = await machine.setup(['--key'], 'sh', script, { CAUSEWAY_KEY: key })
      assert.match(good.stdout, /Test {9}claude-haiku\S+ answered in \d+ s; [1-9]\d* models/)
      assert.match(good.stdout, /Budget {7}\$12\.3\d left until \d{4}-\d\d-01T/)
      assert.equal(good.stdout.includes(key), false)
      await asAdmin(gateway, 'POST', `/admin/keys/${id}/revoke`)
      const refused = await machine.setup(['--key'], 'sh', script, { CAUSEWAY_KEY: key })
      assert.equal(refused.code, 0)
      assert.match(refused.stdout, /Test {9}refused: This virtual key is unknown, revoked or expired\. /)
      assert.match(refused.stdout, /^Not ready {4}The settings are written\..*\n$/m)
      assert.doesNotMatch(refused.stdout, /Run: claude/)
    })
  })

  test('what a person changes after the setup survives another setup and --remove', async () => {
    await onMachine('{\n  "model": "opus"\n}\n', async (machine) => {
      await machine.setup()
      const changed = machine.read().replace('"opus"', '"sonnet"').replace('"env": {', '"env": {\n    "MINE": "1",')
      writeFileSync(machine.settings, changed)
      await machine.setup()
      assert.equal(machine.json()['model'], 'sonnet')
      assert.equal((machine.json()['env'] as Json)['MINE'], '1')
      await machine.remove()
      assert.deepEqual(machine.json(), { model: 'sonnet', env: { MINE: '1' } })
    })
  })

  test('a value of ours that a person has replaced since is theirs and stays at --remove', async () => {
    await onMachine('{"apiKeyHelper": "/opt/old"}', async (machine) => {
      await machine.setup()
      const helper = JSON.stringify(ours(machine.home).apiKeyHelper)
      writeFileSync(machine.settings, machine.read().replace(helper, '"/opt/new"').replace('}', ', "x": 1}'))
      await machine.remove()
      assert.equal(machine.json()['apiKeyHelper'], '/opt/new')
    })
  })

  test('the web search rule comes with mode disabled, goes when it is not, and never takes a rule of the person with it', async () => {
    const cases = [
      ['{}', undefined],
      ['{"permissions": {"deny": ["Bash"], "allow": ["Read"]}}', ['Bash']],
      ['{"permissions": {"deny": ["WebSearch", "Bash"]}}', ['WebSearch', 'Bash']],
      ['{\n  "permissions": {}\n}', undefined],
    ] as const
    for (const [text, deny] of cases)
      await onMachine(text, async (machine) => {
        const denyNow = () => (machine.json()['permissions'] as { deny?: string[] } | undefined)?.deny
        const run = await machine.setup([], 'sh', denying)
        assert.equal(run.code, 0, run.stderr)
        assert.deepEqual(
          denyNow()?.filter((rule) => rule === 'WebSearch'),
          ['WebSearch'],
        )
        await machine.setup()
        assert.deepEqual(denyNow(), deny, text)
        await machine.setup([], 'sh', denying)
        await machine.remove()
        assert.equal(machine.read(), text)
      })
  })

  test('what is not a JSON object is never touched', async () => {
    for (const text of [
      '{"a": 1,}',
      '{"a": 1} x',
      '[]',
      '{"a": 01}',
      '// c\n{}',
      '{"a"',
      '"x"',
      "{'a': 1}",
      '{"a":"\n"}',
    ])
      await onMachine(text, async (machine) => {
        const run = await machine.setup()
        assert.notEqual(run.code, 0, text)
        assert.match(run.stderr, /not valid JSON/, text)
        assert.equal(machine.read(), text)
      })
    for (const text of ['{"env": []}', '{"env": "x"}', '{"permissions": {"deny": "x"}}'])
      await onMachine(text, async (machine) => {
        const run = await machine.setup([], 'sh', denying)
        assert.notEqual(run.code, 0, text)
        assert.equal(machine.read(), text)
      })
  })

  test('a key goes in as ANTHROPIC_AUTH_TOKEN from the environment, for the owner alone, and is not shown', async () => {
    await onMachine('{}', async (machine) => {
      const key = `sk-proxy-${'a'.repeat(43)}`
      assert.notEqual((await machine.setup(['--key'])).code, 0)
      const run = await machine.setup(['--key'], 'sh', script, { CAUSEWAY_KEY: key })
      assert.equal(run.code, 0, run.stderr)
      assert.equal((machine.json()['env'] as Json)['ANTHROPIC_AUTH_TOKEN'], key)
      assert.equal('apiKeyHelper' in machine.json(), false)
      assert.equal(statSync(machine.settings).mode & 0o777, 0o600)
      assert.equal((run.stdout + run.stderr).includes(key), false)
      await machine.remove()
      assert.equal(machine.read(), '{}')
    })
  })

  test('a linked settings file stays a link and keeps its mode', async () => {
    await onMachine(undefined, async (machine) => {
      const real = join(machine.home, 'dotfiles.json')
      writeFileSync(real, '{"model": "opus"}\n', { mode: 0o640 })
      mkdirSync(join(machine.home, '.claude'))
      symlinkSync('../dotfiles.json', machine.settings)
      await machine.setup()
      assert.equal(lstatSync(machine.settings).isSymbolicLink(), true)
      assert.equal(statSync(real).mode & 0o777, 0o640)
      assert.equal(machine.json()['model'], 'opus')
      await machine.remove()
      assert.equal(readFileSync(real, 'utf8'), '{"model": "opus"}\n')
      assert.equal(lstatSync(machine.settings).isSymbolicLink(), true)
    })
  })

  test('CLAUDE_CONFIG_DIR is honoured, also with spaces and quotes in it', async () => {
    await onMachine(undefined, async (machine) => {
      const folder = join(machine.home, `my "client's" \\ settings`)
      const run = await machine.setup([], 'sh', script, { CLAUDE_CONFIG_DIR: folder })
      assert.equal(run.code, 0, run.stderr)
      const { apiKeyHelper } = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
        apiKeyHelper: string
      }
      const helped = await runScript('sh', `${apiKeyHelper} --forget`, machine.home)
      assert.deepEqual([helped.code, helped.stderr], [0, ''])
      assert.equal(existsSync(machine.settings), false)
    })
  })

  test('rival variables are named with file and line; without a terminal they stay, with --yes they are commented out, --remove restores', async () => {
    await onMachine('{"env": {"ANTHROPIC_API_KEY": "sk-old"}}', async (machine) => {
      const zshrc = join(machine.home, '.zshrc')
      const text = '# mine\nalias a=b\n  export CLAUDE_CODE_USE_BEDROCK=1\n'
      writeFileSync(zshrc, text)
      const asked = await machine.setup()
      assert.match(asked.stdout, /CLAUDE_CODE_USE_BEDROCK is set in .*\.zshrc:3/)
      assert.match(asked.stdout, /ANTHROPIC_API_KEY is set in .*settings\.json/)
      assert.match(asked.stdout, /No terminal to ask on/)
      assert.equal(readFileSync(zshrc, 'utf8'), text)
      assert.equal((machine.json()['env'] as Json)['ANTHROPIC_API_KEY'], 'sk-old')
      await machine.setup(['--yes'])
      assert.match(readFileSync(zshrc, 'utf8'), /^# causeway: {3}export CLAUDE_CODE_USE_BEDROCK=1$/m)
      assert.equal('ANTHROPIC_API_KEY' in (machine.json()['env'] as Json), false)
      await machine.remove()
      assert.equal(readFileSync(zshrc, 'utf8'), text)
      assert.equal(machine.read(), '{"env": {"ANTHROPIC_API_KEY": "sk-old"}}')
    })
  })

  test('--dry-run shows the change and writes nothing', async () => {
    await onMachine('{"model": "opus"}', async (machine) => {
      const run = await machine.setup(['--dry-run'])
      assert.equal(run.code, 0)
      assert.match(run.stdout, /ANTHROPIC_BASE_URL/)
      assert.equal(machine.read(), '{"model": "opus"}')
      assert.equal(existsSync(join(machine.home, '.claude/causeway')), false)
    })
  })

  test('a download that breaks off anywhere does nothing', async () => {
    await onMachine('{}', async (machine) => {
      for (let part = 1; part < 8; part += 1)
        await runScript('sh', script.slice(0, Math.floor((script.length * part) / 8)), machine.home)
      assert.equal(machine.read(), '{}')
      assert.equal(existsSync(join(machine.home, '.claude/causeway')), false)
    })
  })

  test('the script needs no jq, python or node, carries no token, and reads in every shell', async () => {
    assert.doesNotMatch(script, /\b(jq|python3?|node|perl|osascript)\b/)
    assert.doesNotMatch(script, /sess-|sk-proxy-[A-Za-z0-9]/)
    for (const shell of shells) assert.equal((await runScript(shell, '', '/nonexistent', [], {})).code, 0)
  })

  test('piped into zsh, which splits no words by itself, it does the same', {
    skip: !existsSync('/bin/zsh'),
  }, async () => {
    await onMachine('{"model": "opus"}\n', async (machine) => {
      const { code, stdout, stderr } = await machine.setup([], 'zsh')
      assert.deepEqual([code, stderr, stdout.endsWith('Run: claude\n')], [0, '', true])
      assert.deepEqual(machine.json(), { model: 'opus', ...ours(machine.home) })
      writeFileSync(machine.settings, machine.read().replace('opus', 'haiku'))
      assert.equal((await machine.remove('zsh')).code, 0)
      assert.deepEqual(machine.json(), { model: 'haiku' })
    })
  })

  test('any settings in any layout: ours are added, everything else stays, and --remove restores every byte', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        layout,
        fc.constantFrom('', '\n'),
        fc.constantFrom(...shells),
        async (document, indent, ending, shell) => {
          const text = JSON.stringify(document, null, indent) + ending
          await onMachine(text, async (machine) => {
            const run = await machine.setup([], shell, denying)
            assert.equal(run.code, 0, run.stderr)
            const expected = ours(machine.home)
            const { permissions = {} } = document as { permissions?: { deny?: string[] } }
            assert.deepEqual(machine.json(), {
              ...document,
              ...expected,
              env: { ...(document.env ?? {}), ...expected.env },
              permissions: { ...permissions, deny: [...(permissions.deny ?? []), 'WebSearch'] },
            })
            await machine.remove(shell)
            assert.equal(machine.read(), text)
          })
        },
      ),
      { numRuns: 8 },
    )
  })
})
