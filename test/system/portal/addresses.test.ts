/** Links that people send, keep and mistype: every one of them shows a page that fits the screen, and says what it made of the address. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chromiumPath } from '../../login/browser.ts'
import { asAdministrator, type PortalWorld, settled, startPortalWorld, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('addresses', addressTests)

function addressTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  for (const [path, title] of [
    ['/requests?days=soon', 'Requests'],
    ['/requests?from=yesterday', 'Requests'],
    ['/sessions?days=soon', 'Sessions'],
    ['/audit?days=1e99', 'Audit'],
    ['/org-analytics?from=2026-02-30&to=later', 'Analytics'],
    ['/org-analytics?tz=Mars/Olympus', 'Analytics'],
  ] as const)
    test(`${path} shows the page, whatever the link has made up`, async () => {
      const visitor = await asAdministrator(world, path)
      await visitor.page.getByRole('heading', { level: 1, name: title }).waitFor()
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    })

  test('a time that is none is shown as it stands, with what the gateway says about it, and can be taken off', async () => {
    const visitor = await asAdministrator(world, '/requests?from=yesterday')
    const { page } = visitor
    await page.getByRole('alert').getByText('from').waitFor()
    await page.getByRole('button', { name: /yesterday and later/ }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await visit(world, visitor, '/requests?to=2026-11-15T09:30:00Z')
    await page.getByRole('button', { name: /^Until 15 Nov 2026/ }).waitFor()
    await visitor.close()
  })

  test('a call that is opened from a list of some days does not ask for the list again', async () => {
    const visitor = await asAdministrator(world, '/requests?days=7')
    const { page } = visitor
    let count = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/admin/requests') count += 1
    })
    await page.evaluate("location.hash = '#/requests?days=7&id=req_unknown'")
    await page.getByRole('dialog', { name: 'Request' }).getByRole('alert').waitFor()
    assert.equal(count, 0)
    await visitor.close()
  })

  test('a filter as long as a name may be makes no page wider than the screen, and is taken off by a click', async () => {
    const name = 'x'.repeat(200)
    const visitor = await asAdministrator(world, '/', { viewport: { width: 320, height: 800 } })
    const { page } = visitor
    for (const path of [
      `/audit?actor=${name}`,
      `/sessions?user=${name}`,
      `/requests?team=${name}`,
      `/me/requests?model=${name}`,
    ]) {
      await visit(world, visitor, path)
      const chip = page.getByRole('button', { name: /remove this filter/ })
      await chip.waitFor()
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path)
      await chip.click()
      await chip.waitFor({ state: 'detached' })
    }
    await visitor.close()
  })

  test('the columns of a table can be chosen on a phone', async () => {
    const visitor = await asAdministrator(world, '/users', { viewport: { width: 320, height: 800 } })
    const { page } = visitor
    await page.locator('summary', { hasText: 'Columns' }).click()
    const box = await page.getByRole('group', { name: 'Columns of the table' }).boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box))
    await visitor.close()
  })

  test('the order and the search of one tab are not asked of the list of another', async () => {
    const visitor = await asAdministrator(world, '/models?q=claude')
    const { page } = visitor
    await page.getByRole('button', { name: 'Asked for' }).click()
    await page.waitForURL(/sort=vendor_prefix/)
    await page.getByRole('tab', { name: 'Prices' }).click()
    await settled(page)
    await page.getByRole('table', { name: 'All prices' }).waitFor()
    assert.match(page.url(), /#\/models\?tab=prices$/)
    await visitor.close()
  })
}
