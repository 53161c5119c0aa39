/** The doctor, at a running gateway and on a machine that would run one. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Finding, permissionFinding } from '../../cli/app/doctor/finding.ts'
import { priceFinding, unpricedFindings } from '../../cli/app/doctor/remote-checks.ts'
import { readSchemaFiles } from '../../src/foundation/database/schema-files.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type CliRunner, createRunner, type RunOptions } from './cli-runner.ts'

let gateway: TestGateway
let own: TestDatabase
let empty: TestDatabase
let cli: CliRunner
let remote: Readonly<Record<string, string>>

before(async () => {
  own = await createTestDatabase()
  gateway = await startGateway({ database: own })
  empty = await createTestDatabase()
  cli = createRunner({ PATH: '/nonexistent' })
  remote = { CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: await login(gateway.url) }
})

after(async () => {
  cli?.close()
  await empty?.drop()
  await gateway?.stop()
  await own?.drop()
})

interface Report {
  readonly code: number
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

async function diagnose(args: readonly string[], options: RunOptions = {}): Promise<Report> {
  const { code, out } = await cli.run(['doctor', ...args, '--json'], options)
  return { code, ...JSON.parse(out) }
}

const toStatus = ({ findings }: Report, id: string): string | undefined =>
  findings.find((finding) => finding.id === id)?.status

test('a gateway that is well passes: reach, clock, sign-in, every permission of every endpoint', async () => {
  await cli.json(['endpoints', 'check', 'us-east-1'], { env: remote })
  const report = await diagnose([], { env: remote })
  assert.equal(report.code, 0, JSON.stringify(report.findings.filter(({ status }) => status === 'fail')))
  for (const id of [
    'reach',
    'ready',
    'clock.gateway',
    'sign-in',
    'public-url',
    'endpoint.us-east-1.health',
    'endpoint.us-east-1.invoke',
    'endpoint.us-east-1.quotas',
  ])
    assert.equal(toStatus(report, id), 'pass', id)
  for (const { status, fix } of report.findings) assert.equal(fix !== undefined, status === 'warn' || status === 'fail')
})

const denied = { error: { status: 403, type: 'AccessDeniedException', message: 'not authorized' } }

test('an endpoint without application profiles needs no permission to read one', async () => {
  await gateway.control.script({ match: { operation: 'GetInferenceProfile' }, times: null, behaviour: denied })
  const report = await diagnose([], { env: remote })
  const here = await diagnose(['--local'], { env: local() })
  await gateway.control.clearScripts()
  for (const one of [report, here])
    assert.deepEqual([one.code, toStatus(one, 'endpoint.us-east-1.get')], [0, 'skip'], JSON.stringify(one.findings))
  const row = { permission: 'get', status: 'denied', message: null }
  assert.equal(permissionFinding({ name: 'main', hasOwnProfiles: true }, row).status, 'fail')
})

test('warnings of endpoints are shown with their fix, at a gateway and on this machine, and fail nothing', async () => {
  const place = { account: '111111111111', region: 'us-east-1', foundationModelId: 'anthropic.claude-opus-5' }
  const { arn } = await gateway.control.defineApplicationProfile(place)
  await cli.json(['endpoints', 'create', 'empty', '--region', 'us-east-1', '--prefix', 'jp'], { env: remote })
  await cli.json(['aip', 'set', 'empty', 'claude-sonnet-5', arn], { env: remote })
  const reports = [await diagnose([], { env: remote })]
  reports.push(await diagnose(['--local'], { env: { ...local(), DATABASE_URL: own.url } }))
  await cli.run(['endpoints', 'delete', 'empty', '--yes'], { env: remote })
  for (const report of reports) {
    assert.equal(report.code, 0, JSON.stringify(report.findings))
    const fixOf = (id: string) => report.findings.find((one) => one.id === id && one.status === 'warn')?.fix
    assert.equal(
      fixOf('endpoint.empty.no_inference_profile'),
      'causeway endpoints update empty --prefix <prefix>, or --region <region>',
    )
    assert.equal(fixOf('endpoint.empty.override_model_mismatch'), 'causeway aip set empty claude-sonnet-5 <arn>')
  }
})

test('prices that have not changed for long are well as long as their list is read', async () => {
  assert.equal((await cli.json(['prices', 'refresh'], { env: remote })).success, true)
  const old = "update model_prices set updated_at = now() - interval '10 days' where source = 'price_list'"
  await gateway.database?.pool.query(old)
  // Any change of a price makes the gateway read them all again.
  const rates = ['--input-usd', '1', '--output-usd', '2', '--cache-read-usd', '0.1', '--cache-write-5m-usd', '1.25']
  await cli.json(['prices', 'set', 'anthropic.claude-sonnet-5', ...rates], { env: remote })
  assert.equal(toStatus(await diagnose([], { env: remote }), 'prices'), 'pass')
})

test('a price list that is not read any more is told, by when it was read or by the start', () => {
  const status = (readDaysAgo: number | null, startedDaysAgo: number, loops: readonly string[], everyDays = 1) => {
    const daysAgo = (days: number) => new Date(-days * 86_400_000).toISOString()
    return {
      instances: [{ is_self: true, started_at: daysAgo(startedDaysAgo) }],
      loops: loops.map((name) => ({ name, interval_seconds: everyDays * 86_400 })),
      prices_refreshed_at: readDaysAgo === null ? null : daysAgo(readDaysAgo),
    }
  }
  const refreshed = ['price-refresh']
  assert.equal(priceFinding(0, status(0, 9, refreshed), 0).status, 'warn')
  assert.equal(priceFinding(5, status(1, 90, refreshed), 0).status, 'pass')
  assert.match(priceFinding(5, status(4, 90, refreshed), 0).detail, /last read 4 days ago/)
  assert.match(priceFinding(5, status(null, 9, refreshed), 0).detail, /not read since the gateway was started 9 days/)
  assert.equal(priceFinding(5, status(null, 1, refreshed), 0).status, 'pass')
  assert.equal(priceFinding(5, status(null, 9, []), 0).status, 'pass', 'the refresh was switched off on purpose')
  assert.equal(priceFinding(5, status(13, 90, refreshed, 7), 0).status, 'pass', 'it is wanted once a week')
  assert.equal(priceFinding(5, status(15, 90, refreshed, 7), 0).status, 'warn')
})

test('what is wrong at a gateway is named with its mending, and ends with 8', async () => {
  await cli.json(['endpoints', 'create', 'broken', '--region', 'eu-west-1', '--prefix', 'eu'], { env: remote })
  const arn = 'arn:aws:bedrock:eu-west-1:111122223333:application-inference-profile/missing00000'
  await cli.json(['aip', 'set', 'broken', 'claude-sonnet-5', arn], { env: remote })
  await cli.json(['idps', 'create', 'Gone', '--issuer', 'http://127.0.0.1:2', '--audience', 'a'], { env: remote })
  const report = await diagnose([], { env: remote })
  assert.deepEqual([report.code, report.ok], [8, false])
  assert.equal(toStatus(report, 'endpoint.broken.health'), 'fail')
  assert.equal(toStatus(report, 'idp.Gone'), 'fail')
  const words = await cli.run(['doctor'], { env: { ...remote, NO_COLOR: '1' }, terminal: true })
  assert.equal(words.code, 8)
  assert.match(words.out, /✘ Gone: .*\n {2}→ check the issuer/)
})

test('a model that has got its price is no longer named, and only one that was called is in use', () => {
  const model = (name: string, requests: number, hasPrice: boolean) => ({
    model: name,
    hosted_model_id: `anthropic.${name}`,
    requests,
    has_price: hasPrice,
  })
  assert.deepEqual(unpricedFindings([model('mended', 4, true)]), [])
  const [finding] = unpricedFindings([model('mended', 4, true), model('busy', 2, false), model('idle', 0, false)])
  assert.equal(
    finding?.detail,
    'models without a price are in use, at an estimated cost: busy; without a price, not called in 30 days: idle',
  )
  assert.equal(finding?.fix, 'causeway prices set anthropic.busy --input-usd … --output-usd …')
})

test('strangers and wrong addresses are told what is missing', async () => {
  const stranger = await diagnose(['--url', gateway.url])
  assert.equal(toStatus(stranger, 'sign-in'), 'skip')
  const refused = await diagnose([], { env: { ...remote, CAUSEWAY_TOKEN: 'sess-nonsense' } })
  assert.deepEqual([refused.code, toStatus(refused, 'sign-in')], [8, 'fail'])
  const nobody = await diagnose(['--url', 'http://127.0.0.1:2'])
  assert.deepEqual([nobody.code, toStatus(nobody, 'reach')], [8, 'fail'])
  assert.equal((await cli.run(['doctor', '--remote'])).code, 2)
  assert.equal((await cli.run(['doctor', '--remote', '--local'])).code, 2)
})

const local = (): Record<string, string> => ({
  DATABASE_URL: empty.url,
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: gateway.simulator.url,
  ADMIN_PASSWORD: 'long enough',
  PUBLIC_URL: 'https://gateway.example.com',
  SPEND_JOURNAL_DIR: join(cli.home, 'journal'),
})

test('a machine that could run the gateway passes: configuration, database, clocks, AWS identity, permissions, journal', async () => {
  const report = await diagnose(['--local'], { env: local() })
  assert.equal(report.code, 0, JSON.stringify(report.findings))
  for (const id of [
    'configuration',
    'database',
    'database.migrations',
    'clock.database',
    'clock.aws',
    'aws.identity',
    'endpoint.us-east-1.health',
    'endpoint.us-east-1.invoke',
    'endpoint.us-east-1.stream',
    'public-url',
    'journal',
    'egress',
  ])
    assert.equal(toStatus(report, id), 'pass', id)
})

test('mistakes of the environment are all named, and a database that is away is said to be', async () => {
  const wrong = await diagnose(['--local'], { env: { ...local(), PROXY_PORT: 'many', EGRESS_ALLOW: '10.0.0.0/33' } })
  assert.equal(wrong.code, 8)
  assert.equal(wrong.findings.filter(({ id, status }) => id === 'configuration' && status === 'fail').length, 2)
  const away = await diagnose(['--local'], {
    env: { ...local(), DATABASE_URL: 'postgres://nobody:x@127.0.0.1:2/none' },
  })
  assert.deepEqual([away.code, toStatus(away, 'database')], [8, 'fail'])
  const none = await diagnose(['--local'], {
    env: {
      ...local(),
      DATABASE_URL: '',
      OIDC_ISSUER: 'http://127.0.0.1:2',
      OIDC_AUDIENCE: 'a',
      TLS_CERT: '/nonexistent',
      TLS_KEY: '/nonexistent',
    },
  })
  assert.deepEqual([toStatus(none, 'database'), toStatus(none, 'idp'), toStatus(none, 'tls')], ['warn', 'fail', 'fail'])
})

test('the price list is looked for where the gateway would read it', async () => {
  const statusWith = async (env: Record<string, string>) =>
    toStatus(await diagnose(['--local'], { env: { ...local(), ...env } }), 'egress')
  assert.equal(await statusWith({ PRICE_LIST_URL: 'http://127.0.0.1:2' }), 'warn')
  assert.equal(
    await statusWith({ PRICE_LIST_URL: gateway.simulator.url, AWS_ENDPOINT_URL_PRICING: 'http://127.0.0.1:2' }),
    'pass',
  )
  assert.equal(await statusWith({ PRICE_LIST_URL: `${gateway.url}/nothing-there` }), 'warn')
  assert.equal(await statusWith({ PRICING_REFRESH_ENABLED: 'false', PRICE_LIST_URL: 'http://127.0.0.1:2' }), 'skip')
})

test('the client of this machine is looked at: its gateway, its rivals, its helper, its version', async () => {
  assert.equal(toStatus(await diagnose(['--url', gateway.url]), 'client.settings'), 'skip')
  const bin = join(cli.home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "1.0.3 (Claude Code)"\n', { mode: 0o755 })
  mkdirSync(join(cli.home, '.claude'))
  const settings = {
    apiKeyHelper: "'/nonexistent/helper'",
    env: { ANTHROPIC_BASE_URL: 'https://elsewhere.example.com', ANTHROPIC_API_KEY: 'x' },
  }
  writeFileSync(join(cli.home, '.claude', 'settings.json'), JSON.stringify(settings))
  const report = await diagnose(['--url', gateway.url], {
    env: { PATH: `${bin}:/bin:/usr/bin`, CLAUDE_CODE_USE_BEDROCK: '1' },
  })
  assert.equal(report.code, 8)
  for (const [id, status] of [
    ['client.settings', 'warn'],
    ['client.rivals', 'warn'],
    ['client.environment', 'warn'],
    ['client.helper', 'fail'],
    ['client.version', 'warn'],
  ] as const)
    assert.equal(toStatus(report, id), status, id)
})

test('the schema is planned and brought up to date from the command line', async () => {
  const name = `causeway_bare_${process.pid}`
  await empty.database.pool.query(`create database ${name}`)
  try {
    const env = { ...local(), DATABASE_URL: empty.url.replace(/[^/]+$/, name) }
    assert.equal(toStatus(await diagnose(['--local'], { env }), 'database.migrations'), 'warn')
    const { planned, migrations, server_version } = await cli.json(['migrate', '--plan'], { env })
    const known = (await readSchemaFiles()).migrations.map(({ name: migration }) => migration)
    assert.deepEqual([planned, migrations], [true, known])
    assert.match(server_version, /^\d+/)
    assert.deepEqual((await cli.json(['migrate'], { env })).migrations, migrations)
    assert.deepEqual((await cli.json(['migrate', '--plan'], { env })).migrations, [])
  } finally {
    await empty.database.pool.query(`drop database ${name} with (force)`)
  }
  assert.equal((await cli.run(['migrate'], { env: { ...local(), DATABASE_URL: '' } })).code, 2)
  const away = await cli.run(['migrate', '--plan'], {
    env: { ...local(), DATABASE_URL: 'postgres://nobody:x@127.0.0.1:2/none' },
  })
  assert.equal(away.code, 1)
  assert.match(away.err, /the schema could not be read/)
})
