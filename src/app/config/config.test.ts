import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Config, readConfig } from './config.ts'
import { parseLogLevel } from './parse-values.ts'
import { variables } from './variables.ts'

function validConfig(environment: Record<string, string>): Config {
  const result = readConfig(environment)
  assert.equal(result.kind, 'valid', JSON.stringify(result))
  return (result as { config: Config }).config
}

function mistakesOf(environment: Record<string, string>): readonly string[] {
  const result = readConfig(environment)
  return result.kind === 'invalid' ? result.mistakes : []
}

test('an empty environment gives the documented defaults and no database', () => {
  const config = validConfig({})
  assert.equal(config.proxyHost, '127.0.0.1')
  assert.equal(config.proxyPort, 8080)
  assert.equal(config.drainTimeoutSeconds, 110)
  assert.equal(config.region, 'us-east-1')
  assert.deepEqual(config.database, { kind: 'none' })
})

test('WAREHOUSE_URL is a bucket or an absolute folder', () => {
  assert.equal(validConfig({}).warehouseUrl, null)
  for (const right of [
    '/data/warehouse',
    'file:///data/warehouse',
    's3://spend-log',
    's3://spend-log/one/two',
    's3://spend-log/one?region=eu-west-1',
  ])
    assert.equal(validConfig({ WAREHOUSE_URL: right }).warehouseUrl, right)
  for (const wrong of ['warehouse', './warehouse', 'file://server/data', 'https://example.com/data'])
    assert.match(mistakesOf({ WAREHOUSE_URL: wrong }).join(), /^WAREHOUSE_URL must be s3:.* or an absolute folder/)
  for (const wrong of ['s3:/bucket', 's3://', 's3://Under_Score', 's3://key:secret@bucket', 's3://bucket:80/x'])
    assert.match(mistakesOf({ WAREHOUSE_URL: wrong }).join(), /^WAREHOUSE_URL must name a bucket/)
  assert.match(mistakesOf({ WAREHOUSE_URL: 's3://bucket?acl=public' }).join(), /may have the parameter region/)
  assert.match(mistakesOf({ WAREHOUSE_URL: 's3://bucket?region=here' }).join(), /must have a region/)
})

test('every mistake is reported at once, one line each, naming its variable', () => {
  const mistakes = mistakesOf({
    PROXY_PORT: 'eighty',
    LOG_FORMAT: 'xml',
    RUST_LOG: 'loud',
    PRICING_REFRESH_INTERVAL: '5',
  })
  assert.equal(mistakes.length, 4)
  for (const name of ['PROXY_PORT', 'LOG_FORMAT', 'RUST_LOG', 'PRICING_REFRESH_INTERVAL'])
    assert.ok(
      mistakes.some((line) => line.startsWith(name) && !line.includes('\n')),
      name,
    )
})

test('EGRESS_ALLOW is checked with the other variables, and every wrong entry is named', () => {
  const mistakes = mistakesOf({
    EGRESS_ALLOW: 'https://idp.corp.internal,10.0.0.0/33,ok.example',
    PROXY_PORT: 'eighty',
  })
  assert.equal(mistakes.length, 2)
  const line = mistakes.find((one) => one.startsWith('EGRESS_ALLOW must hold ')) ?? ''
  assert.match(line, /which these are not: https:\/\/idp\.corp\.internal, 10\.0\.0\.0\/33 /)
  assert.deepEqual(validConfig({ EGRESS_ALLOW: 'idp.corp.internal, 10.0.0.0/8,[fd12::1]' }).egressAllow, [
    'idp.corp.internal',
    '10.0.0.0/8',
    '[fd12::1]',
  ])
})

test('names, regions and addresses that could not be stored or called later are mistakes', () => {
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { ADMIN_USERNAME: 'x'.repeat(321) },
    { ADMIN_USERS: `ann@example.com,${'x'.repeat(321)}` },
    { ADMIN_USERS: 'ann\u200b@example.com' },
    { OIDC_NAME: 'x'.repeat(101), OIDC_ISSUER: 'https://idp.example', OIDC_AUDIENCE: 'gateway' },
    { OIDC_ISSUER: 'https://idp.example/?tenant=1', OIDC_AUDIENCE: 'gateway' },
    { AWS_REGION: 'US East' },
    { AWS_REGION: 'us-east-1/' },
    { AWS_DEFAULT_REGION: 'useast1' },
    { AWS_ENDPOINT_URL_STS: 'sts.internal' },
    { AWS_ENDPOINT_URL_SNS: 'sns.internal' },
    { AWS_ENDPOINT_URL_EVENTBRIDGE: 'ftp://events.internal' },
    { PROXY_HOST: 'http://0.0.0.0' },
    { PROXY_HOST: '0.0.0.0:8080' },
    { PROXY_HOST: '[::1]' },
    { DATABASE_HOST: 'db.internal:5432' },
    { DATABASE_HOST: 'postgres://db.internal' },
    { DATABASE_HOST: 'bad host' },
    { BUDGET_NOTIFICATION_URL: 'arn:aws:sns:us-east-1:topic' },
    { BUDGET_NOTIFICATION_URL: 'arn:aws:events:us-east-1:123456789012:rule/x' },
    { BUDGET_NOTIFICATION_URL: 'https://169.254.169.254/x' },
    { BUDGET_NOTIFICATION_URL: 'https://10.0.0.5/x', EGRESS_ALLOW: '10.0.0.4' },
  ]
  for (const environment of wrong) {
    const mistakes = mistakesOf(environment)
    assert.equal(mistakes.length, 1, JSON.stringify(environment))
    assert.equal(mistakes[0]?.split(' ')[0], Object.keys(environment)[0])
  }
  validConfig({
    ADMIN_USERNAME: 'ü'.repeat(320),
    ADMIN_USERS: 'Ann Lee, bob@example.com',
    AWS_REGION: 'eusc-de-east-1',
    BUDGET_NOTIFICATION_URL: 'arn:aws-eusc:sns:eusc-de-east-1:123456789012:alerts',
  })
  validConfig({ BUDGET_NOTIFICATION_URL: 'https://10.0.0.5/x', EGRESS_ALLOW: '10.0.0.0/8' })
  for (const host of ['::', '::1', '0.0.0.0', 'localhost', 'gateway_1', 'db.internal.'])
    validConfig({ PROXY_HOST: host, DATABASE_HOST: host })
  validConfig({ DATABASE_HOST: '/var/run/postgresql', AWS_ENDPOINT_URL_STS: 'https://vpce-1.sts.internal' })
})

test('a secret may stand in a file; a missing file and two sources are mistakes that repeat no secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-config-'))
  const file = join(folder, 'password')
  writeFileSync(file, 'from the file\n')
  try {
    assert.equal(validConfig({ ADMIN_PASSWORD_FILE: file }).adminPassword.reveal(), 'from the file')
    writeFileSync(join(folder, 'hook'), 'https://hooks.example.com/secret\n')
    const hooked = validConfig({ BUDGET_NOTIFICATION_URL_FILE: join(folder, 'hook') })
    assert.equal(hooked.budgetNotificationUrl, 'https://hooks.example.com/secret')
    assert.equal(validConfig({ ADMIN_PASSWORD: 'x', ADMIN_PASSWORD_FILE: '' }).adminPassword.reveal(), 'x')
    assert.match(
      mistakesOf({ ADMIN_PASSWORD_FILE: join(folder, 'gone') })[0] ?? '',
      /^ADMIN_PASSWORD cannot be read .*ENOENT$/,
    )
    const both = mistakesOf({ ADMIN_PASSWORD: 'hush', ADMIN_PASSWORD_FILE: file })[0] ?? ''
    assert.match(both, /^ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set/)
    assert.ok(!both.includes('hush'))
    const read = readConfig({ DATABASE_URL_FILE: file, PROXY_HOST_FILE: file })
    assert.equal(read.kind, 'invalid', 'a file is held to the same rules')
    const { warnings } = readConfig({ PROXY_HOST_FILE: file }) as { warnings: readonly string[] }
    assert.ok(warnings.some((line) => line.startsWith('PROXY_HOST_FILE is not a variable')))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a wrong secret is never repeated in the message', () => {
  const [line] = mistakesOf({ SECRET_KEY: 'short-canary' })
  assert.match(line ?? '', /^SECRET_KEY must have at least 32 characters/)
  assert.doesNotMatch(line ?? '', /canary/)
  for (const address of [
    { DATABASE_URL: 'mysql://u:canary@h/d' },
    { BUDGET_NOTIFICATION_URL: 'http://hooks.example.com/services/canary' },
    { BUDGET_NOTIFICATION_URL: 'https://169.254.169.254/canary' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://user:canary@collector:4317' },
    { PUBLIC_URL: 'https://user:can@ary@gateway.example.com' },
  ])
    assert.doesNotMatch(mistakesOf(address)[0] ?? 'canary', /canary|ary@/, JSON.stringify(address))
})

test('secrets do not print', () => {
  const config = validConfig({ ADMIN_PASSWORD: 'canary-password', DATABASE_URL: 'postgres://u:canary@h/d' })
  assert.doesNotMatch(JSON.stringify(config), /canary/)
})

test('empty values count as unset', () => {
  assert.equal(validConfig({ PROXY_PORT: '', OIDC_ISSUER: ' ' }).proxyPort, 8080)
})

test('DATABASE_URL wins over DATABASE_HOST; parts take their defaults', () => {
  assert.equal(validConfig({ DATABASE_URL: 'postgres://h/d', DATABASE_HOST: 'x' }).database.kind, 'url')
  assert.deepEqual(validConfig({ DATABASE_URL: 'embedded:./x' }).database, { kind: 'embedded', directory: './x' })
  assert.deepEqual(validConfig({ DATABASE_HOST: 'db' }).database, {
    kind: 'parts',
    host: 'db',
    port: 5432,
    name: 'proxy',
    user: 'proxy',
    password: null,
    rdsIamAuth: false,
    sslMode: null,
    sslRootCert: null,
  })
})

test('settings that contradict each other are refused', () => {
  assert.match(mistakesOf({ TLS_CERT: 'a.pem' })[0] ?? '', /TLS_CERT and TLS_KEY/)
  assert.match(mistakesOf({ OIDC_ISSUER: 'https://idp.example' })[0] ?? '', /OIDC_AUDIENCE/)
  assert.match(mistakesOf({ WORKERS: '2' })[0] ?? '', /WORKERS/)
  assert.match(mistakesOf({ RDS_IAM_AUTH: 'true' })[0] ?? '', /RDS_IAM_AUTH/)
  const iam = { DATABASE_HOST: 'db', RDS_IAM_AUTH: 'true' }
  for (const mode of ['disable', 'allow', 'prefer'])
    assert.match(mistakesOf({ ...iam, DATABASE_SSLMODE: mode })[0] ?? '', /DATABASE_SSLMODE must be require/)
  for (const mode of ['require', 'verify-ca', 'verify-full']) validConfig({ ...iam, DATABASE_SSLMODE: mode })
})

test('misspelt names and the default password are warned about', () => {
  const result = readConfig({ OIDC_ISUER: 'x', PATH: '/bin' })
  const warnings = result.kind === 'valid' ? result.warnings : []
  assert.ok(warnings.some((line) => line.startsWith('OIDC_ISUER')))
  assert.ok(warnings.some((line) => line.startsWith('ADMIN_PASSWORD')))
  assert.ok(!warnings.some((line) => line.startsWith('PATH')))
})

test('RUST_LOG takes the plain level out of a target list', () => {
  assert.equal(parseLogLevel('warn,hyper=debug'), 'warn')
  assert.equal(parseLogLevel('hyper=debug'), 'info')
  assert.throws(() => parseLogLevel('hyper=loud'))
})

test('no variable is defined twice', () => {
  const names = Object.values(variables).map((variable) => variable.name)
  assert.equal(new Set(names).size, names.length)
})
