import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import { variables } from '../../src/app/config/variables.ts'
import { settingSpecs } from '../../src/foundation/domain/settings.ts'
import { newId } from '../../src/foundation/platform/ids.ts'
import { createEndpointStore } from '../../src/modules/endpoints/endpoints.store.ts'
import { createSignInStore } from '../../src/modules/sign-in/sign-ins.store.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'
import { type SampleSecurity, sampleSecurity } from './security-facts.ts'

interface Check {
  readonly id: string
  readonly state: string
  readonly found: string
  readonly why: string
  readonly fix: string | null
  readonly settings: readonly string[]
}

const DAY_MS = 86_400_000
const LONG_PASSWORD = 'correct horse battery staple'

let app: ApiApp
/** Replaced by each test; the gateway has them from its environment. */
const security: Record<string, unknown> = {}
let knownUrl: string | undefined
/** What another extension says of providers; undefined when there is none that could. */
let provisioning: readonly string[] | undefined = []
let undo: (() => Promise<unknown>)[] = []

before(async () => {
  started({})
  const findProvisioningIdps = () => provisioning && Promise.resolve(provisioning)
  const ports = { security: security as never, findKnownUrl: () => knownUrl, findProvisioningIdps }
  app = await startApiApp({ ports })
})
after(() => app.stop())
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  undo = []
  knownUrl = undefined
  provisioning = []
  started({})
})

function started(sample: SampleSecurity): void {
  Object.assign(security, sampleSecurity({ ...sample, env: { ADMIN_PASSWORD: LONG_PASSWORD, ...sample.env } }))
}

async function write(method: string, path: string, body?: unknown) {
  const answer = await app.call(method, path, { as: app.admin, ...(body === undefined ? {} : { body }) })
  assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function setting(key: string, value: unknown): Promise<void> {
  const before = (await write('GET', '/admin/settings'))[key]
  await write('PUT', `/admin/settings/${key}`, { value })
  undo.push(() => write('PUT', `/admin/settings/${key}`, { value: before }))
}

async function provider(values: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const name = `Example ${newId()}`
  const body = { name, issuer_url: `https://${newId()}.example.com`, audience: 'gateway', ...values }
  const { id } = await write('POST', '/admin/idps', body)
  undo.push(() => write('DELETE', `/admin/idps/${id}`))
  return id
}

async function administrators(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { id } = await app.addUser({ role: 'admin' })
    undo.push(() => write('DELETE', `/admin/users/${id}`))
  }
}

async function endpoint(): Promise<void> {
  const { id } = await createEndpointStore(app.database.kysely).insert({
    name: `endpoint ${newId()}`,
    region: 'eu-west-1',
    routingPrefix: 'eu',
    priority: 1,
    enabled: true,
    roleArn: 'arn:aws:iam::111122223333:role/models',
    externalId: null,
    inferenceProfileArn: null,
  })
  const bump = async () => {
    await app.database.pool.query(
      `insert into cache_versions (section, version) values ('endpoints', 1)
       on conflict (section) do update set version = cache_versions.version + 1`,
    )
    await app.reload()
  }
  await bump()
  undo.push(async () => {
    await app.database.pool.query('delete from endpoints where id = $1', [id])
    await bump()
  })
}

async function key(values: Parameters<ApiApp['addKey']>[0], sql?: string): Promise<void> {
  const { id } = await app.addKey(values)
  if (sql !== undefined) await app.database.pool.query(`update virtual_keys set ${sql} where id = $1`, [id])
  undo.push(async () => {
    await write('POST', `/admin/keys/${id}/revoke`)
    await write('DELETE', `/admin/keys/${id}`)
  })
}

async function session(lastUsedDaysAgo: number): Promise<void> {
  const atMs = Date.now() - lastUsedDaysAgo * DAY_MS
  const id = newId()
  await createSignInStore(app.database.kysely).keep({
    id,
    userId: app.adminUser.id,
    via: 'device',
    sessionEpoch: app.adminUser.sessionEpoch,
    client: null,
    sourceAddress: null,
    createdAtMs: atMs,
    expiresAtMs: Date.now() + DAY_MS,
  })
  undo.push(() => app.database.pool.query('delete from sign_ins where id = $1', [id]))
}

async function read() {
  const { status, body } = await app.call('GET', '/admin/security', { as: app.admin })
  assert.equal(status, 200)
  return body
}

async function checkOf(id: string): Promise<Check> {
  const found = (await read()).checks.find((one: Check) => one.id === id)
  assert.ok(found !== undefined, id)
  return found
}

interface Case {
  readonly state: 'good' | 'attention' | 'bad' | 'unknown'
  readonly found: RegExp
  readonly given: () => unknown
}

const nothing = (): void => undefined
const env = (variables: Readonly<Record<string, string>>, more: SampleSecurity = {}) =>
  started({ ...more, env: variables })
const remote = { DATABASE_URL: 'postgres://causeway:db-secret@db.example.com/causeway' }
const certificate = { PROXY_HOST: '0.0.0.0', TLS_CERT: '/tls/cert.pem', TLS_KEY: '/tls/key.pem' }
const published = () => {
  knownUrl = 'https://gateway.example.com'
}
const inAYear = Date.now() + 365 * DAY_MS

/** Each check in a configuration in which it is good, and in those in which it is not. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  admin_password: [
    { state: 'good', found: /^Sign-in with the password is on, for one account \("admin"\)\./, given: nothing },
    { state: 'good', found: /password is off\.$/, given: () => setting('admin_login_enabled', false) },
    { state: 'bad', found: /the default, which everybody knows/, given: () => env({ ADMIN_PASSWORD: 'admin' }) },
    {
      state: 'bad',
      found: /same as the name/,
      given: () => env({ ADMIN_USERNAME: 'root', ADMIN_PASSWORD: 'Root' }),
    },
    { state: 'attention', found: /shorter than 12/, given: () => env({ ADMIN_PASSWORD: 'tooshort' }) },
    {
      state: 'attention',
      found: /is off\. ADMIN_PASSWORD is the default/,
      given: async () => {
        env({ ADMIN_PASSWORD: 'admin' })
        await setting('admin_login_enabled', false)
      },
    },
  ],
  single_sign_on: [
    { state: 'attention', found: /^No identity provider is enabled: the password/, given: nothing },
    { state: 'bad', found: /nobody can sign in/, given: () => setting('admin_login_enabled', false) },
    { state: 'attention', found: /^1 identity provider enabled, and the password is on/, given: () => provider() },
    {
      state: 'attention',
      found: /ADMIN_PASSWORD_ENABLE keeps the password on/,
      given: async () => {
        env({ ADMIN_PASSWORD_ENABLE: 'true' })
        await provider()
        await setting('admin_login_enabled', false)
      },
    },
    {
      state: 'good',
      found: /^1 identity provider enabled, and the password is off/,
      given: async () => {
        await provider()
        await setting('admin_login_enabled', false)
      },
    },
  ],
  provider_access: [
    { state: 'good', found: /^No identity provider/, given: nothing },
    { state: 'good', found: /each names its domains/, given: () => provider({ auto_provision: false }) },
    {
      state: 'good',
      found: /each names its domains/,
      given: () => provider({ auto_provision: true, allowed_domains: ['example.com'] }),
    },
    { state: 'attention', found: /gets an account/, given: () => provider({ auto_provision: true }) },
    {
      state: 'bad',
      found: /becomes an administrator/,
      given: () => provider({ auto_provision: true, allowed_domains: ['example.com'], default_role: 'admin' }),
    },
  ],
  administrators: [
    { state: 'attention', found: /^1 person with the role admin, and the account/, given: nothing },
    { state: 'good', found: /^2 people/, given: () => administrators(1) },
    { state: 'attention', found: /^11 people/, given: () => administrators(10) },
  ],
  provisioning: [
    { state: 'attention', found: /^No identity provider/, given: nothing },
    { state: 'attention', found: /has no token for SCIM/, given: () => provider() },
    {
      state: 'good',
      found: /can provision by SCIM/,
      given: async () => {
        provisioning = [await provider()]
      },
    },
    {
      state: 'attention',
      found: /offers no provisioning/,
      given: async () => {
        await provider()
        provisioning = undefined
      },
    },
  ],
  session_length: [
    { state: 'good', found: /24 hours/, given: nothing },
    { state: 'attention', found: /168 hours/, given: () => setting('session_token_ttl_hours', 168) },
    { state: 'bad', found: /8760 hours/, given: () => setting('session_token_ttl_hours', 8760) },
  ],
  idle_sessions: [
    { state: 'good', found: /^0 open sessions/, given: () => session(1) },
    { state: 'attention', found: /^1 open session not used for 14 days/, given: () => session(20) },
  ],
  tls: [
    { state: 'good', found: /this machine only/, given: nothing },
    { state: 'good', found: /gateway\.example\.com\. What stands in front/, given: published },
    {
      state: 'good',
      found: /TLS_CERT is served here/,
      given: () => {
        published()
        env(certificate, { certificateExpiresAtMs: inAYear })
      },
    },
    {
      state: 'bad',
      found: /http:\/\/gateway\.example\.com, which is not encrypted/,
      given: () => {
        knownUrl = 'http://gateway.example.com'
      },
    },
    { state: 'unknown', found: /cannot be known/, given: () => env({ PROXY_HOST: '0.0.0.0' }) },
    {
      state: 'attention',
      found: /PUBLIC_URL does not say/,
      given: () => env(certificate, { certificateExpiresAtMs: inAYear }),
    },
    { state: 'attention', found: /port is not open/, given: () => env(certificate) },
    {
      state: 'attention',
      found: /ends on/,
      given: () => env(certificate, { certificateExpiresAtMs: Date.now() + 10 * DAY_MS }),
    },
    {
      state: 'bad',
      found: /ended on/,
      given: () => env(certificate, { certificateExpiresAtMs: Date.now() - DAY_MS }),
    },
  ],
  client_addresses: [
    { state: 'good', found: /Nothing is known to stand/, given: nothing },
    { state: 'good', found: /names 10\.0\.0\.7/, given: () => env({ TRUSTED_PROXIES: '10.0.0.7' }) },
    { state: 'bad', found: /any address/, given: () => env({ TRUSTED_PROXIES: '10.0.0.7, 0.0.0.0/0' }) },
    { state: 'attention', found: /every caller seems/, given: published },
    { state: 'unknown', found: /cannot be known/, given: () => env({ PROXY_HOST: '0.0.0.0' }) },
  ],
  database_tls: [
    { state: 'good', found: /on this machine/, given: nothing },
    { state: 'good', found: /certificate is verified/, given: () => env(remote, { transport: 'verified' }) },
    { state: 'attention', found: /whoever answers/, given: () => env(remote, { transport: 'unverified' }) },
    {
      state: 'bad',
      found: /db\.example\.com:5432 are not encrypted/,
      given: () => env(remote, { transport: 'plain' }),
    },
    { state: 'unknown', found: /not reached/, given: () => env(remote) },
    {
      state: 'bad',
      found: /pg\.example\.com:6432/,
      given: () =>
        env({ DATABASE_URL: '', DATABASE_HOST: 'pg.example.com', DATABASE_PORT: '6432' }, { transport: 'plain' }),
    },
  ],
  metrics: [
    { state: 'good', found: /this machine alone/, given: nothing },
    {
      state: 'good',
      found: /wants METRICS_TOKEN/,
      given: () => env({ PROXY_HOST: '0.0.0.0', METRICS_TOKEN: 'm-secret' }),
    },
    { state: 'attention', found: /open to everybody/, given: () => env({ PROXY_HOST: '0.0.0.0' }) },
    { state: 'attention', found: /open to everybody/, given: published },
  ],
  inner_hosts: [
    { state: 'good', found: /No address inside/, given: nothing },
    { state: 'good', found: /hook\.corp/, given: () => env({ EGRESS_ALLOW: 'hook.corp, 10.1.2.0/24' }) },
    { state: 'attention', found: /10\.0\.0\.0\/8\.$/, given: () => env({ EGRESS_ALLOW: 'hook.corp, 10.0.0.0/8' }) },
    { state: 'attention', found: /every person/, given: () => env({ SEARCH_EGRESS_ALLOW: 'searx.corp' }) },
  ],
  keys_without_end: [
    { state: 'good', found: /^0 of 1 active key/, given: () => key({ expiresAtMs: inAYear }) },
    { state: 'attention', found: /^1 of 1 active key/, given: () => key({}) },
    {
      state: 'good',
      found: /switched off/,
      given: async () => {
        await key({})
        await setting('virtual_keys_enabled', false)
      },
    },
  ],
  unused_keys: [
    { state: 'good', found: /^0 active keys/, given: () => key({}) },
    {
      state: 'good',
      found: /^0 active keys/,
      given: () => key({}, `created_at = now() - interval '1 year', last_used_at = now()`),
    },
    {
      state: 'attention',
      found: /^1 active key not used/,
      given: () => key({}, `created_at = now() - interval '91 days'`),
    },
  ],
  secret_key: [
    { state: 'attention', found: /lies in the database/, given: nothing },
    { state: 'good', found: /database does not hold/, given: () => env({ SECRET_KEY: 's'.repeat(32) }) },
    { state: 'good', found: /no secret is stored/, given: () => env({ DATABASE_URL: '' }) },
  ],
  cloud_credentials: [
    { state: 'good', found: /No endpoint/, given: nothing },
    { state: 'good', found: /end by themselves/, given: () => endpoint() },
    ...(
      [
        ['api-key', 'attention', /AWS_BEARER_TOKEN_BEDROCK/],
        ['long-lived', 'attention', /never ends/],
        ['unknown', 'unknown', /No credentials were needed/],
      ] as const
    ).map(([credentialKind, state, found]) => ({
      state,
      found,
      given: async () => {
        env({}, { credentialKind })
        await endpoint()
      },
    })),
  ],
  prompts_in_log: [
    { state: 'good', found: /level is info/, given: nothing },
    { state: 'bad', found: /level is debug: the bodies/, given: () => env({ RUST_LOG: 'debug' }) },
    { state: 'bad', found: /level is trace/, given: () => env({ RUST_LOG: 'trace' }) },
  ],
  audit_retention: [
    { state: 'good', found: /365 days/, given: nothing },
    { state: 'attention', found: /90 days/, given: () => setting('audit_retention_days', 90) },
    { state: 'bad', found: /7 days/, given: () => setting('audit_retention_days', 7) },
    { state: 'attention', found: /not recorded/, given: () => env({ DATABASE_URL: '' }) },
  ],
}

for (const [id, all] of Object.entries(cases))
  for (const { state, found, given } of all)
    test(`${id} is ${state} where it says ${found.source}`, async () => {
      await given()
      const check = await checkOf(id)
      assert.equal(check.state, state, check.found)
      assert.match(check.found, found)
      assert.equal(check.fix === null, state === 'good', 'whatever is not good says what to do')
      assert.ok(check.why.endsWith('.') && (check.fix ?? 'x.').endsWith('.'))
    })

test('every check has a case in which it is good and one in which it is not', async () => {
  const ids = (await read()).checks.map(({ id }: Check) => id)
  assert.deepEqual([...ids].sort(), Object.keys(cases).sort())
  for (const [id, all] of Object.entries(cases)) {
    assert.ok(
      all.some(({ state }) => state === 'good'),
      id,
    )
    assert.ok(
      all.some(({ state }) => state !== 'good'),
      id,
    )
  }
})

test('what has to be acted on comes first', async () => {
  env({ RUST_LOG: 'debug', PROXY_HOST: '0.0.0.0' })
  const order = ['bad', 'attention', 'unknown', 'good']
  const states = (await read()).checks.map(({ state }: Check) => state)
  assert.deepEqual(
    states,
    [...states].sort((one, other) => order.indexOf(one) - order.indexOf(other)),
  )
  assert.deepEqual([...new Set(states)], order)
})

test('what is kept about people goes by the settings in force', async () => {
  const howLong = async (what: string) =>
    (await read()).kept.find((row: { what: string }) => row.what === what)?.how_long
  assert.equal(await howLong('Spend records'), '400 days')
  assert.equal(await howLong('Prompts and answers'), 'not kept')
  await setting('spend_retention_days', 1000)
  await setting('audit_retention_days', 700)
  env({ RUST_LOG: 'debug', SPEND_JOURNAL_DIR: '/var/journal' })
  assert.equal(await howLong('Spend records'), '1000 days')
  assert.equal(await howLong('Addresses of keys'), '1000 days')
  assert.equal(await howLong('Sums for charts'), '1000 days')
  assert.equal(await howLong('Audit trail'), '700 days')
  assert.equal(await howLong('Prompts and answers'), 'as long as you keep the log')
  assert.match(JSON.stringify((await read()).kept), /\/var\/journal/)
  env({ DATABASE_URL: '' })
  assert.equal(await howLong('People'), undefined, 'without a database nothing of people is stored')
})

test('the table of the documentation is what a gateway with the defaults answers', async () => {
  env({ SECRET_KEY: 's'.repeat(32) })
  const { kept } = (await read()) as { kept: Readonly<Record<string, string | null>>[] }
  const rows = kept.map((row) =>
    [row['what'], row['holds'], row['where'], row['how_long'], row['switch'] ?? '–'].join(' | '),
  )
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const table = /\| Data \| Holds .*\n\|[-|]+\n((?:\|.*\n)+)/.exec(page)?.[1]
  assert.equal(table, rows.map((row) => `| ${row} |\n`).join(''))
})

test('where it connects to is told by origins, each once with all that decide on it', async () => {
  const of = async (purpose: RegExp): Promise<{ address: string; set_by: string }[]> =>
    (await read()).reached.filter((row: { purpose: string }) => purpose.test(row.purpose))
  env({ ...remote, OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:otel-secret@otel.example.com:4317/path' })
  await endpoint()
  await endpoint()
  const [models, ...others] = await of(/^Models/)
  assert.equal(models?.address, 'https://bedrock-runtime.eu-west-1.amazonaws.com')
  assert.equal(models?.set_by.split(', ').length, 2)
  assert.equal(others.length, 0)
  assert.deepEqual(
    (await of(/role/)).map(({ address }) => address),
    ['https://sts.eu-west-1.amazonaws.com'],
  )
  assert.deepEqual(
    (await of(/OTLP/)).map(({ address }) => address),
    ['https://otel.example.com:4317'],
  )
  assert.deepEqual(
    (await of(/^Database/)).map(({ address }) => address),
    ['db.example.com:5432'],
  )
  assert.deepEqual(
    (await of(/price list/)).map(({ address }) => address),
    ['https://pricing.us-east-1.amazonaws.com'],
  )
  assert.deepEqual(
    (await of(/search/)).map(({ address }) => address),
    ['https://html.duckduckgo.com'],
  )
  await setting('websearch_mode', 'disabled')
  assert.deepEqual(await of(/search/), [])
  env({ PRICING_REFRESH_ENABLED: 'false' })
  assert.deepEqual(await of(/price list|Database|OTLP/), [
    { purpose: 'Database', address: '127.0.0.1:5432', sends: 'everything that is kept', set_by: 'DATABASE_URL' },
  ])
})

test('search services and the destination of notifications are told without what opens them', async () => {
  await write('PUT', '/admin/websearch-mode', {
    mode: 'global',
    provider: { provider_type: 'custom', api_url: 'https://search.example.com/query?token=search-secret' },
  })
  undo.push(() => write('PUT', '/admin/settings/websearch_mode', { value: 'enabled' }))
  await app.database.pool.query(
    `insert into notification_configs (slot, destination_type, destination, budget, rate_limit, updated_by)
     values ('active', 'webhook', 'https://hooks.example.com/services/hook-secret', true, false, 'test')`,
  )
  undo.push(() => app.database.pool.query('delete from notification_configs'))
  const body = await read()
  const addresses = body.reached.map(({ address }: { address: string }) => address)
  assert.ok(addresses.includes('https://search.example.com'), addresses.join())
  assert.ok(addresses.includes('https://hooks.example.com'))
  assert.doesNotMatch(JSON.stringify(body), /hook-secret|search-secret/)
  await app.database.pool.query(
    `update notification_configs set destination_type = 'topic', destination = 'arn:aws:sns:eu-west-1:111122223333:alerts'`,
  )
  assert.match(JSON.stringify((await read()).reached), /https:\/\/sns\.eu-west-1\.amazonaws\.com/)
})

test('the names that a check gives are those of variables, settings and fields', async () => {
  const fields = ['allowed_domains', 'auto_provision', 'default_role', 'role_arn']
  const known = new Set([...Object.values(variables).map(({ name }) => name), ...Object.keys(settingSpecs), ...fields])
  for (const { id, settings } of (await read()).checks as Check[])
    for (const name of settings) assert.ok(known.has(name), `${id}: ${name}`)
})

test('while the database is away, what only it knows is not known, and the rest is told', async () => {
  const away = await startApiApp({ ports: { security: security as never } })
  await away.database.close()
  const { status, body } = await away.call('GET', '/admin/security', { as: away.admin })
  assert.equal(status, 200)
  const stateOf = (id: string) => body.checks.find((one: Check) => one.id === id).state
  assert.deepEqual(['unused_keys', 'idle_sessions'].map(stateOf), ['unknown', 'unknown'])
  assert.deepEqual(['keys_without_end', 'prompts_in_log'].map(stateOf), ['good', 'good'])
  await away.stop()
})

test('every declared answer of the security page was exercised', () => app.assertCovered('Security', isOwnStatus))
