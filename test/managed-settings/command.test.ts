import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { useGatewayCli } from '../cli/gateway-cli.ts'

const own = useGatewayCli()

test('managed settings are replaced by a file, for everybody and for a team', async () => {
  await own.cli.json(['teams', 'create', 'platform'])
  const file = join(own.cli.home, 'settings.json')
  for (const scope of [[], ['--team', 'platform']]) {
    // With the byte-order mark of an editor on Windows, and without.
    writeFileSync(file, `${scope.length === 0 ? '\ufeff' : ''}{"cleanupPeriodDays": 10}`)
    assert.deepEqual((await own.cli.json(['managed-settings', 'set', file, ...scope])).settings, {
      cleanupPeriodDays: 10,
    })
    assert.deepEqual(JSON.parse((await own.cli.run(['managed-settings', 'show', ...scope])).out), {
      cleanupPeriodDays: 10,
    })
    assert.equal((await own.cli.run(['managed-settings', 'clear', ...scope, '--yes'])).code, 0)
  }
  assert.equal((await own.cli.run(['managed-settings', 'mine'])).code, 0)
  assert.equal((await own.cli.run(['managed-settings', 'set', '-'], { input: '{' })).code, 2)
})

test('every route of these commands was called by the command that declares it', () => {
  assert.deepEqual(own.cli.uncalled(['managed-settings']), [])
})
