import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useGatewayCli } from '../cli/gateway-cli.ts'

const own = useGatewayCli()

test('the security of the gateway is told with what to do, what it keeps and whom it calls', async () => {
  const document = await own.cli.json(['security'])
  assert.ok(document.checks.length > 10)
  const words = await own.cli.run(['security'], { env: { NO_COLOR: '1' }, terminal: true })
  assert.equal(words.code, 0)
  assert.match(words.out, /^! .+\n {2}.+\n {2}→ .+\n/)
  assert.match(words.out, /✔ Length of a session: A session lasts 24 hours\.\n/)
  assert.match(words.err, /checks, none is bad, \d+ to look at\.\n$/)
  assert.match((await own.cli.run(['security'])).out, /^attention\t\w+\t/)
  assert.match(
    (await own.cli.run(['security', '--kept'])).out,
    /^Audit trail\tPostgres\t365 days\taudit_retention_days\t/m,
  )
  assert.match((await own.cli.run(['security', '--reached', '-o', 'csv'])).out, /^address,purpose,sends,set by\nhttp/)
  assert.equal((await own.cli.run(['security', '--kept', '--reached'])).code, 2)
})

test('what is bad ends the command with code 8, also where programs read it', async () => {
  const ttl = (hours: number) => own.cli.run(['settings', 'set', 'session_token_ttl_hours', String(hours)])
  assert.equal((await ttl(8760)).code, 0)
  const words = await own.cli.run(['security'], { env: { NO_COLOR: '1' }, terminal: true })
  assert.equal(words.code, 8)
  assert.match(words.out, /^✘ Length of a session: A session lasts 8760 hours\.\n/)
  assert.match(words.err, /1 of \d+ checks are bad/)
  const { code, out } = await own.cli.run(['security', '--json'])
  assert.deepEqual([code, JSON.parse(out).checks[0].id], [8, 'session_length'])
  assert.equal((await own.cli.run(['security', '--kept'])).code, 0)
  assert.equal((await ttl(24)).code, 0)
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['security']), [])
})
