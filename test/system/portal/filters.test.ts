/** A choice in the filter bar of the analytics page asks once for what it shows, and for nothing else. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fill } from '../../../bench/analytics/fill.ts'
import { createSpendPartitions } from '../../../src/stores/spend/spend-partitions.ts'
import { chromiumPath } from '../../login/browser.ts'
import { choicesOf } from './filter-time.ts'
import { asAdministrator, type PortalWorld, settled, startPortalWorld, type Visitor } from './journey.ts'

const ROWS = 2_000
const DAYS = 90
const DAY_MS = 86_400_000
const MOST_REQUESTS = 3

if (chromiumPath !== undefined) describe('filters of the analytics page', filterTests)

function filterTests(): void {
  let world: PortalWorld
  let admin: Visitor

  before(async () => {
    world = await startPortalWorld()
    const { database } = world.gateway
    assert.ok(database !== undefined)
    const nowMs = Date.now()
    const firstDay = new Date(nowMs - DAYS * DAY_MS).toISOString().slice(0, 10)
    await createSpendPartitions(database.kysely).ensure(firstDay, DAYS + 3)
    await fill(database, { rows: ROWS, days: DAYS, people: 20, nowMs, say: () => {} })
    admin = await asAdministrator(world, '/org-analytics', { reducedMotion: 'reduce' })
  })

  after(() => world.stop())

  test(`a choice makes at most ${MOST_REQUESTS} requests, and none of them twice`, async (context) => {
    const { page } = admin
    await page.getByRole('heading', { name: 'Spend by team' }).waitFor()
    for (const filter of ['Team', 'Model', 'Endpoint', 'Range']) {
      const choice = filter === 'Range' ? '7' : ((await choicesOf(page, filter))[0] ?? '')
      assert.notEqual(choice, '', filter)
      const requests: string[] = []
      const note = (request: { url: () => string }): void => void requests.push(request.url())
      await page.waitForLoadState('networkidle')
      page.on('request', note)
      const asked = page.waitForRequest(/\/analytics\/org\//)
      await page.getByLabel(filter, { exact: true }).selectOption(choice)
      await asked
      await settled(page)
      await page.waitForLoadState('networkidle')
      page.off('request', note)
      context.diagnostic(`${filter}: ${requests.length} requests`)
      assert.ok(requests.length <= MOST_REQUESTS, requests.join('\n'))
      assert.equal(new Set(requests).size, requests.length, requests.join('\n'))
    }
    assert.deepEqual(admin.complaints, [])
  })
}
