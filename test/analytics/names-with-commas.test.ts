/** Names with a comma in them, which is also what stands between two names. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSpendLog } from '../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../database/samples.ts'
import { type ApiApp, startApiApp } from '../support/api-app.ts'

let app: ApiApp
before(async () => {
  app = await startApiApp()
})
after(() => app.stop())

test('a text that is a name is that name, else the names between its commas; the file of calls has the same', async () => {
  const calls = new Map([
    ['Research', 1],
    ['Development', 2],
    ['Research, Development', 4],
  ])
  const ids = new Map<string, string>()
  for (const [name, count] of calls) {
    const teamId = await app.addTeam(name)
    ids.set(name, teamId)
    const records = Array.from({ length: count }, () => aSpendRecord({ teamId, atMs: Date.now() }))
    await createSpendLog(app.database.kysely).appendBatch(records)
  }
  const requestsOf = async (team: string): Promise<number> => {
    const query = `team=${encodeURIComponent(team)}`
    const { body } = await app.call('GET', `/admin/analytics/org/overview?${query}`, { as: app.admin })
    const file = await app.call('GET', `/admin/analytics/org/export?${query}`, { as: app.admin })
    assert.equal(file.body.trimEnd().split('\r\n').length - 1, body.totals.requests, team)
    return body.totals.requests
  }
  assert.equal(await requestsOf('Research, Development'), 4)
  assert.equal(await requestsOf('Research,Development'), 3)
  assert.equal(await requestsOf('Research'), 1)
  assert.equal(await requestsOf(`Research,${ids.get('Research, Development')}`), 5)
  assert.equal(await requestsOf('Nobody, Research'), 1)
})
