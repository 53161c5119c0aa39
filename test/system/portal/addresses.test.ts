/** Links that people send, keep and mistype: every one of them shows a page that fits the screen, and says what it made of the address. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { untilTrue } from '../../message-path/path-client.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { asAdministrator, type PortalWorld, settled, startPortalWorld, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('addresses', addressTests)

function addressTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  /** The record of a call follows it. */
  async function untilRecorded(): Promise<void> {
    await untilTrue(async () => {
      const list = await asAdmin(world.gateway, 'GET', '/admin/requests?status=error')
      return ((await list.json()) as { data: unknown[] }).data.length > 0
    })
  }

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

  test('a filter that only a link can ask for is shown where it is chosen, and can be taken off there', async () => {
    const visitor = await asAdministrator(world, '/')
    const { page } = visitor
    for (const [path, label, value, other, without] of [
      ['/requests?status=404', 'Status', '404', 'Any', '#/requests'],
      ['/keys?status=gone', 'State', 'gone', 'Active', '#/keys'],
      ['/users?role=owner', 'Role', 'owner', 'Any role', '#/users'],
      ['/org-analytics?granularity=minute', 'By', 'minute', 'Automatic', '#/org-analytics'],
    ] as const) {
      await visit(world, visitor, path)
      const choice = page.getByLabel(label, { exact: true })
      assert.equal(await choice.inputValue(), value, path)
      assert.equal(await choice.locator('option:checked').textContent(), value, path)
      await choice.selectOption({ label: other })
      await page.waitForURL((now) => now.hash === without)
    }
    await visitor.close()
  })

  test('the price of a search can be typed on a phone, whose keypad of digits has no point', async () => {
    const visitor = await asAdministrator(world, '/settings')
    const price = visitor.page.getByLabel('Price of a web search, in US dollars')
    assert.equal(await price.getAttribute('inputmode'), 'decimal')
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
    await page.getByRole('dialog', { name: 'Request' }).getByText('There is no such request').waitFor()
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

  test('beside the navigation a table leaves out minor columns before what can be done with a row', async () => {
    const user = await asAdmin(world.gateway, 'POST', '/admin/users', { subject: 'narrow@example.com', role: 'member' })
    const { id } = (await user.json()) as { id: string }
    const budget = { limit_usd: 1_000, period: 'monthly' }
    assert.equal((await asAdmin(world.gateway, 'PUT', `/admin/users/${id}/budget`, budget)).status, 200)
    const visitor = await asAdministrator(world, '/', { viewport: { width: 1024, height: 800 } })
    const { page } = visitor
    for (const [path, table] of [
      ['/budgets', 'Budgets'],
      ['/users', 'People'],
      ['/endpoints', 'Endpoints'],
      ['/models?tab=prices', 'All prices'],
      ['/audit', 'Audit entries'],
    ] as const) {
      await visit(world, visitor, path)
      await page.getByRole('table', { name: table, exact: true }).waitFor()
      const room = `document.querySelector('section[aria-label="${table}"]')`
      assert.equal(await page.evaluate(`${room}.scrollWidth <= ${room}.clientWidth`), true, path)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await visit(world, visitor, '/budgets')
    await page.getByRole('columnheader', { name: 'Resets' }).waitFor()
    await visitor.close()
  })

  test('names as long as they may be leave the other columns of a table in sight', async () => {
    const send = async (path: string, body: object) =>
      (await (await asAdmin(world.gateway, 'POST', path, body)).json()) as { id: string; key: string }
    const user = await send('/admin/users', {
      subject: `${'s'.repeat(200)}@example.com`,
      email: `${'e'.repeat(60)}@example.com`,
      role: 'member',
    })
    const team = await send('/admin/teams', { name: 't'.repeat(100) })
    await asAdmin(world.gateway, 'PUT', `/admin/users/${user.id}/team`, { team_id: team.id })
    const { key } = await send('/admin/keys', { name: 'k'.repeat(100), user_id: user.id, team_id: team.id })
    await fetch(`${world.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm'.repeat(150), max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await untilRecorded()
    const visitor = await asAdministrator(world, '/', { viewport: { width: 1440, height: 800 } })
    const { page } = visitor
    for (const [path, table] of [
      ['/requests?status=error', 'Requests'],
      ['/keys?show=all', 'Keys of everybody'],
      ['/users?q=ssss', 'People'],
    ] as const) {
      await visit(world, visitor, path)
      const shown = page.getByRole('table', { name: table })
      await shown.getByText(/s{60}/).first().waitFor()
      const { width = 0 } = (await shown.boundingBox()) ?? {}
      const { width: room = 0 } = (await shown.locator('xpath=..').boundingBox()) ?? {}
      assert.ok(width <= room + 1, `${path} is ${width} wide in ${room}`)
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
