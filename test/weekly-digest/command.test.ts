import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useGatewayCli } from '../cli/gateway-cli.ts'

const own = useGatewayCli()

test('the digest is shown as a document and in words, and switched on like every notification', async () => {
  await own.cli.json(['notifications', 'draft', 'webhook', `${own.gateway.simulator.webhookUrl}/hook`])
  assert.equal((await own.cli.json(['notifications', 'test'])).success, true)
  await own.cli.json(['notifications', 'activate'])
  assert.equal((await own.cli.json(['notifications', 'digest'])).is_on, false)
  await own.cli.json(['notifications', 'categories', '--digest', 'true'])
  const { is_on: isOn, payload } = await own.cli.json(['notifications', 'digest'])
  assert.deepEqual([isOn, payload.event_type], [true, 'weekly_digest'])
  const shown = await own.cli.run(['notifications', 'digest', '-o', 'table'])
  assert.equal(shown.out.trimEnd(), payload.detail.text)
  assert.match(shown.err, /^Sent next at /)
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['notifications digest']), [])
})
