import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { isOwnStatus } from '../support/api-coverage.ts'
import { login, startGateway, type TestGateway } from '../support/gateway.ts'
import { type Admin, adminOf, newCoverage, nowhere } from './admin-client.ts'

const BETA = 'context-1m-2025-08-07'
const PROFILE = 'us.anthropic.claude-sonnet-5'
const path = '/admin/capabilities/overrides'
let gateway: TestGateway
let admin: Admin
let endpointId = ''
let token = ''
const coverage = newCoverage()

before(async () => {
  gateway = await startGateway()
  admin = await adminOf(gateway, coverage)
  token = await login(gateway.url)
  endpointId = (await admin.done('GET', '/admin/endpoints')).data[0].id
})

after(() => gateway.stop())

async function causeway(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['cli/main.ts', ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', CAUSEWAY_URL: gateway.url, CAUSEWAY_TOKEN: token, ...env },
  })
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, out, err }
}

test('an override is put, replaced, listed and taken back', async () => {
  const key = { endpoint_id: endpointId, profile_id: PROFILE, beta_name: BETA }
  const first = await admin.done('PUT', path, { ...key, supported: true, reason: 'checked by hand' })
  assert.deepEqual([first.supported, first.reason], [true, 'checked by hand'])
  const second = await admin.done('PUT', path, { ...key, supported: false })
  assert.deepEqual([second.supported, second.reason], [false, null])
  const { data } = await admin.done('GET', '/admin/capabilities')
  assert.deepEqual(
    data.map((row: { verdict: string; source: string; expires_at: null }) => [row.verdict, row.source, row.expires_at]),
    [['unsupported', 'override', null]],
  )
  assert.equal((await admin.call('DELETE', path, key)).status, 204)
  assert.equal((await admin.call('DELETE', path, key)).status, 404)
  assert.deepEqual((await admin.done('GET', '/admin/capabilities')).data, [])
})

test('bad input is refused and names its field', async () => {
  const good = { endpoint_id: endpointId, profile_id: PROFILE, beta_name: BETA, supported: true }
  const cases = [
    ['endpoint_id', 'x'],
    ['endpoint_id', nowhere],
    ['profile_id', ''],
    ['beta_name', 'a b'],
    ['beta_name', 'x'.repeat(201)],
    ['supported', 'yes'],
    ['supported', undefined],
    ['reason', ''],
    ['set_by', 'me'],
  ] as const
  for (const [field, value] of cases) {
    const { status, body } = await admin.call('PUT', path, { ...good, [field]: value })
    assert.equal(status, 400, `${field} ${value}`)
    assert.equal(body.error.details[0].path, field)
  }
  assert.equal((await admin.call('DELETE', path, good)).status, 400)
  assert.equal((await admin.call('DELETE', path)).status, 400)
  for (const query of ['endpoint_id=x', 'sort=colour', 'colour=red'])
    assert.equal((await admin.call('GET', `/admin/capabilities?${query}`)).status, 400, query)
})

test('the command line overrides, lists and clears through the admin API', async () => {
  const set = await causeway(['betas', 'override', endpointId, PROFILE, BETA, 'true', '--reason', 'by hand'])
  assert.deepEqual([set.code, set.err], [0, ''])
  const { data } = await admin.done('GET', '/admin/capabilities')
  assert.deepEqual([data[0].verdict, data[0].reason], ['supported', 'by hand'])
  const listed = await causeway(['betas', 'list', '--endpoint', endpointId])
  assert.equal(listed.code, 0)
  assert.ok(listed.out.includes(`\t${PROFILE}\t${BETA}\tsupported\toverride\tby hand\t`), listed.out)
  const cleared = await causeway(['betas', 'clear', endpointId, PROFILE, BETA])
  assert.equal(cleared.code, 0)
  assert.deepEqual((await admin.done('GET', '/admin/capabilities')).data, [])
})

test('the command line says what is wrong, what to do next, and ends with the code that fits', async () => {
  const cases: readonly (readonly [args: string[], env: Record<string, string>, code: number, message: RegExp])[] = [
    [
      ['betas', 'override', nowhere, PROFILE, BETA, 'true'],
      {},
      2,
      /The request body is not valid: endpoint_id: .*req_/s,
    ],
    [['betas', 'override', 'mai', PROFILE, BETA, 'true'], {}, 2, /neither an id nor the exact name/],
    [['betas', 'override', endpointId, PROFILE, BETA, 'maybe'], {}, 2, /must be true or false/],
    [['betas', 'list'], { CAUSEWAY_TOKEN: 'sess-nonsense' }, 4, /The credential is not valid.*causeway login/s],
    [['betas', 'list'], { CAUSEWAY_TOKEN: '' }, 4, /you are not signed in.*CAUSEWAY_TOKEN/s],
    [['betas', 'list'], { CAUSEWAY_URL: 'gateway' }, 2, /"gateway" is not the address of a gateway/],
    [['betas', 'list'], { CAUSEWAY_URL: 'http://127.0.0.1:9' }, 7, /127\.0\.0\.1:9 could not be reached/],
  ]
  const results = await Promise.all(cases.map(([args, env]) => causeway(args, env)))
  for (const [index, { code, out, err }] of results.entries()) {
    assert.deepEqual([code, out], [cases[index]?.[2], ''], err)
    assert.match(err, cases[index]?.[3] ?? /never/)
  }
})

test('every declared answer of the capability routes was seen', () => {
  coverage.assertCovered('Capabilities', isOwnStatus)
})
