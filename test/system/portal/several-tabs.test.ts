/** One browser, several tabs: another person signs in, the same one signs in again, or the session is gone. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { chromiumPath } from '../../sign-in/browser.ts'
import { ADMIN_PASSWORD } from '../../support/gateway.ts'
import { asAdministrator, asMember, type PortalWorld, startPortalWorld } from './journey.ts'

if (chromiumPath !== undefined) describe('several tabs', tabTests)

function tabTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  /** As if in another tab: the cookie is of the whole browser. */
  async function signInElsewhere(context: BrowserContext): Promise<void> {
    const data = { username: 'admin', password: ADMIN_PASSWORD }
    assert.equal((await context.request.post(`${world.gateway.url}/auth/login`, { data })).status(), 200)
  }

  async function typeKey(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill(name)
  }

  test('a tab to which one comes back after somebody else has signed in is theirs alone', async () => {
    const visitor = await asMember(world, '/keys')
    const { page, context } = visitor
    await typeKey(page, 'of Alice')
    await signInElsewhere(context)
    // Headless pages are always visible: what the browser tells a tab that comes to the front.
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    await page.getByRole('button', { name: 'admin' }).waitFor()
    assert.equal(await page.getByText('alice@example.com').count(), 0)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await visitor.close()
  })

  test('what one person typed is not written in the name of another', async () => {
    const visitor = await asMember(world, '/keys')
    const { page, context } = visitor
    await typeKey(page, 'typed by Alice')
    await signInElsewhere(context)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'admin' }).waitFor()
    const list = await context.request.get(`${world.gateway.url}/admin/keys?q=typed by Alice`)
    assert.deepEqual(((await list.json()) as { data: unknown[] }).data, [])
    await visitor.close()
  })

  test('who has signed in again elsewhere goes on writing here, without a reload', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page, context } = visitor
    await typeKey(page, 'typed before')
    await signInElsewhere(context)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: '“typed before” is ready' }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('signing out of a session that has ended already leads to the sign-in', async () => {
    const visitor = await asAdministrator(world, '/api')
    const { page, context } = visitor
    await context.clearCookies()
    await page.getByRole('button', { name: 'admin' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await visitor.close()
  })

  test('a sign-in in a new tab leaves no trace in the one that asked for it', async () => {
    const visitor = await asMember(world, '/keys')
    const { page, context } = visitor
    await context.clearCookies()
    await typeKey(page, 'kept')
    await page.getByRole('button', { name: 'Create key' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    const opened = context.waitForEvent('page')
    await again.getByRole('link', { name: 'Continue with Example SSO' }).click()
    const other = await opened
    await other.locator('button[value="alice@example.com"]').click()
    await other.waitForURL(/\/portal#\//)
    await other.close()
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    await again.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'kept')
    await page.goto(`${world.gateway.url}/portal#/`)
    await page.reload()
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
    assert.match(page.url(), /#\/$/)
    await visitor.close()
  })
}
