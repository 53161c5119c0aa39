/** A choice in the filter bar of the analytics page asks once for what it shows, and for nothing else. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fill } from '../../../bench/analytics/fill.ts'
import { createSpendPartitions } from '../../../src/modules/spend/spend-partitions.store.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { choicesOf } from './filter-time.ts'
import { asAdministrator, type PortalWorld, startPortalWorld, type Visitor } from './journey.ts'

const ROWS = 2_000
const DAYS = 90
const DAY_MS = 86_400_000
const MOST_REQUESTS = 3
/** After it, the parts far below ask as well. */
const REST_MS = 1_000
const STEP_MS = 20

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
    // From here on, time passes in the page only when the test says so. What is far below asks after a rest, not during it.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + DAY_MS / 24)
    const sent: string[] = []
    let open = 0
    page.on('request', (request) => {
      sent.push(request.url())
      open += 1
    })
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', () => {
        open -= 1
      })
    const passMs = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        await page.clock.runFor(STEP_MS)
        while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    await passMs(2 * REST_MS)
    for (const filter of ['Team', 'Model', 'Endpoint', 'Range']) {
      const choice = filter === 'Range' ? '7' : ((await choicesOf(page, filter))[0] ?? '')
      assert.notEqual(choice, '', filter)
      sent.length = 0
      const asked = page.waitForRequest(/\/analytics\/org\//)
      await page.getByLabel(filter, { exact: true }).selectOption(choice)
      await asked
      await passMs(REST_MS / 2)
      const requests = [...sent]
      context.diagnostic(`${filter}: ${requests.length} requests`)
      assert.ok(requests.length <= MOST_REQUESTS, requests.join('\n'))
      assert.equal(new Set(requests).size, requests.length, requests.join('\n'))
      await passMs(2 * REST_MS)
    }
    assert.deepEqual(admin.complaints, [])
  })
}
