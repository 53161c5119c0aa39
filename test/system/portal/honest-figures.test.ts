/** Figures and tables say what is so: nothing is not zero, a price keeps its digits, and a long name hides no column. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { asAdministrator, assertSoundPage, type PortalWorld, startPortalWorld, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('honest figures', figureTests)

const DAY_MS = 86_400_000
const atScreen = (width: number) =>
  ({ viewport: { width, height: 800 }, reducedMotion: 'reduce', timezoneId: 'UTC' }) as const

function figureTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  /** The sums that charts are made of follow the records by some seconds. */
  async function countedCalls(): Promise<number> {
    const answer = await asAdmin(world.gateway, 'GET', '/admin/analytics/org/overview?days=7')
    return ((await answer.json()) as { totals: { requests: number } }).totals.requests
  }

  test('a gateway that was never called has no average, no share and no forecast, and says what to do', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7', atScreen(1280))
    const { page } = visitor
    await page.getByText('No calls, nor in the time before').waitFor()
    await page.getByText('Nothing was spent in this range: there is nothing to go by.').waitFor()
    const text = await page.locator('main').innerText()
    assert.doesNotMatch(text, /\b0 ms\b|\b0%|About \$0/)
    await assertSoundPage(world, visitor, '/org-analytics?days=7')
    await visit(world, visitor, '/org-analytics?days=7&team=Nobody')
    await page.getByText('No calls, nor in the time before').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Connect a client' }).count(), 0, 'a filter hides them')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Connect a client' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connect' }).waitFor()
    await visitor.close()
  })

  test('on paper a page stands alone, without what leads to other pages', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7', atScreen(1280))
    const { page } = visitor
    await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.locator('header:not(main header)').filter({ visible: true }).count(), 0, `${width}`)
      assert.ok(await page.getByRole('heading', { level: 1 }).isVisible())
      await page.emulateMedia({ media: 'screen' })
      assert.equal(await page.locator('header:not(main header)').filter({ visible: true }).count(), 1, `${width}`)
    }
    await visitor.close()
  })

  test('an empty list of calls leads to the first one, or out of its filters', async () => {
    const visitor = await asAdministrator(world, '/requests', atScreen(1280))
    const { page } = visitor
    for (const [path, title] of [
      ['/requests', 'No calls yet'],
      ['/me/requests', 'No calls yet'],
      ['/sessions', 'No sessions yet'],
    ] as const) {
      await visit(world, visitor, path)
      await page.getByText(title, { exact: true }).waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Connect a client' }).waitFor()
    }
    await visit(world, visitor, '/requests?status=error&days=7')
    await page.getByText('Nothing fits these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('No calls yet', { exact: true }).waitFor()
    assert.match(page.url(), /#\/requests$/)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('on a day without calls the cache has missed nothing', async () => {
    const database = world.gateway.database
    assert.ok(database !== undefined)
    const usage = {
      ...aSpendRecord({}).usage,
      inputTokens: 100,
      cacheReadTokens: 300,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
    }
    const records = [1, 3].map((days) => aSpendRecord({ atMs: Date.now() - days * DAY_MS, usage }))
    await createSpendLog(database.kysely).appendBatch(records)
    while ((await countedCalls()) < records.length) await new Promise((resolve) => setTimeout(resolve, 200))
    const visitor = await asAdministrator(world, '/org-analytics?days=7&granularity=day&tab=models', atScreen(1280))
    await visitor.page.getByRole('button', { name: 'View as table: Cache hits' }).click()
    const cells = await visitor.page.getByRole('region', { name: 'Cache hits' }).locator('td').allInnerTexts()
    assert.deepEqual(cells, ['–', '–', '–', '75%', '–', '75%', '–'])
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a model without a price is not told to have cost nothing', async () => {
    const database = world.gateway.database
    assert.ok(database !== undefined)
    const unpriced = { model: 'claude-lab', rates: null, costNanoUsd: 0, flags: ['unpriced'] } as const
    const before = await countedCalls()
    await createSpendLog(database.kysely).appendBatch([aSpendRecord({ atMs: Date.now() - DAY_MS, ...unpriced })])
    while ((await countedCalls()) <= before) await new Promise((resolve) => setTimeout(resolve, 200))
    const visitor = await asAdministrator(world, '/org-analytics?days=7', atScreen(1280))
    const { page } = visitor
    const entry = page.getByRole('listitem').filter({ hasText: 'claude-lab' })
    assert.match(await entry.innerText(), /no price\s+1 call/)
    await page.getByRole('button', { name: 'View as table: Models' }).click()
    await page.getByRole('row', { name: 'claude-lab no price 1 call' }).waitFor()
    await visit(world, visitor, '/org-analytics?days=7&tab=models')
    await entry.getByText(/, no price$/).waitFor()
    await visitor.close()
  })

  test('the spend of a model whose price is estimated says so, and the requests are one click away', async () => {
    const database = world.gateway.database
    assert.ok(database !== undefined)
    const estimated = { model: 'claude-draft', costNanoUsd: 2_500_000_000, flags: ['price_estimated'] } as const
    const before = await countedCalls()
    await createSpendLog(database.kysely).appendBatch([aSpendRecord({ atMs: Date.now() - DAY_MS, ...estimated })])
    while ((await countedCalls()) <= before) await new Promise((resolve) => setTimeout(resolve, 200))
    const visitor = await asAdministrator(world, '/org-analytics?days=7', atScreen(1280))
    const { page } = visitor
    const entry = page.getByRole('listitem').filter({ hasText: 'claude-draft' })
    assert.match(await entry.innerText(), /\$2\.50 \(est\.\)\s+1 call/)
    await page.getByRole('link', { name: 'Show estimated requests' }).click()
    await page.getByRole('cell', { name: 'claude-draft' }).first().waitFor()
    await visitor.close()
  })

  test('while a window is made smaller, no chart that has not followed yet is wider than it', async () => {
    const visitor = await asAdministrator(world, '/teams', atScreen(1280))
    const { page } = visitor
    // Charts follow with the next frame; one that hears of no change is what is seen until then.
    await page.evaluate('window.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} }')
    await visit(world, visitor, '/org-analytics?days=7')
    const chart = page
      .getByRole('img', { name: /^Spend by team/ })
      .locator('svg')
      .first()
    await chart.waitFor()
    await page.setViewportSize({ width: 320, height: 800 })
    assert.ok(Number(await chart.getAttribute('width')) > 320, 'the chart has followed already')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await visitor.close()
  })

  test('a price is shown with every digit, and is not rounded to cents', async () => {
    const visitor = await asAdministrator(world, '/models?tab=prices&q=claude-opus-4-8', atScreen(1280))
    await visitor.page.getByRole('cell', { name: '$6.875', exact: true }).waitFor()
    await visitor.close()
  })

  test('a long name of a team or an endpoint leaves the other columns in sight on a small screen', async () => {
    const name = 'W'.repeat(100)
    const body = { name, region: 'us-west-2', routing_prefix: 'us', enabled: false }
    assert.equal((await asAdmin(world.gateway, 'POST', '/admin/endpoints', body)).status, 201)
    assert.equal((await asAdmin(world.gateway, 'POST', '/admin/teams', { name })).status, 201)
    const visitor = await asAdministrator(world, '/teams', atScreen(1024))
    for (const [path, table] of [
      ['/teams', 'Teams'],
      ['/endpoints', 'Endpoints'],
      ['/health', 'Endpoints'],
    ] as const) {
      await visit(world, visitor, path)
      await visitor.page.getByRole('table', { name: table, exact: true }).getByTitle(name).waitFor()
      const rows = visitor.page.getByRole('table', { name: table, exact: true })
      assert.ok(((await rows.boundingBox())?.width ?? Number.POSITIVE_INFINITY) <= 1024, path)
    }
    await visitor.close()
  })

  test('on a phone the latest minutes of the last hour are in sight, and so is whose they are', async () => {
    const visitor = await asAdministrator(world, '/health', atScreen(390))
    const region = visitor.page.getByRole('region', { name: 'Endpoints by minute' })
    const right = (box: { x: number; width: number } | null) => (box === null ? 0 : box.x + box.width)
    const edge = right(await region.boundingBox())
    const row = region.locator('tbody tr').first()
    assert.ok(Math.abs(right(await row.locator('td').last().boundingBox()) - edge) <= 4)
    const head = await row.getByRole('rowheader').boundingBox()
    assert.ok(head !== null && head.x >= 0 && right(head) < edge)
    await visitor.close()
  })
}
