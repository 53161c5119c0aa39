/** Every answer that the reports and lists in the vendor's form declare, once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/foundation/platform/ids.ts'
import { startApiApp } from '../support/api-app.ts'
import { isOwnStatus } from '../support/api-coverage.ts'

test('every declared answer in the form of the vendor was exercised', async () => {
  const app = await startApiApp()
  try {
    const teamId = await app.addTeam()
    const asked: readonly (readonly [path: string, status: number])[] = [
      ['usage_report/messages?starting_at=2026-01-01T00:00:00Z', 200],
      ['usage_report/messages', 400],
      ['cost_report?starting_at=2026-01-01T00:00:00Z', 200],
      ['cost_report', 400],
      ['me', 200],
      ['users', 200],
      ['users?limit=0', 400],
      [`users/${app.adminUser.id}`, 200],
      ['users/nobody', 400],
      [`users/${newId()}`, 404],
      ['workspaces', 200],
      ['workspaces?limit=0', 400],
      [`workspaces/${teamId}`, 200],
      ['workspaces/nothing', 400],
      [`workspaces/${newId()}`, 404],
    ]
    for (const [path, status] of asked)
      assert.equal((await app.call('GET', `/v1/organizations/${path}`, { as: app.admin })).status, status, path)
    app.assertCovered('Organization', isOwnStatus)
  } finally {
    await app.stop()
  }
})
