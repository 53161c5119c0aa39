/** What is on the screen answers an earlier question, or could not be asked for again: nobody takes it for the answer to this one. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import type { Known } from './failure-cases/failure-case.ts'
import { startFailureWorld } from './failure-cases/failure-world.ts'
import { asAdministrator, type PortalWorld, type Visitor, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('old answers', oldAnswerTests)

const refusal = { type: 'error', error: { type: 'permission_error', message: 'Refused in this test.', code: 'test' } }

function oldAnswerTests(): void {
  let world: PortalWorld
  let known: Known
  let key: string
  let admin: Visitor

  before(async () => {
    const started = await startFailureWorld()
    world = started.world
    known = started.known
    const keys = await asAdmin(world.gateway, 'GET', '/admin/keys?q=alice-ci')
    key = ((await keys.json()) as { data: { id: string }[] }).data[0]?.id ?? ''
    admin = await asAdministrator(world, '/', { reducedMotion: 'reduce' })
  })

  after(() => world.stop())

  test('that a search found nothing does not say that there is nothing without it', async () => {
    const { page } = admin
    await visit(world, admin, '/endpoints?q=nowhere')
    await page.getByText('Nothing matches').waitFor()
    const list = await hold(page, /\/admin\/endpoints\?limit=50$/)
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await list.isAsked
    await page.locator('.skeleton').first().waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /No endpoints|Nothing matches/)
    list.release()
    await page.getByRole('link', { name: 'Frankfurt' }).waitFor()
  })

  test('that nobody has one name does not say that nobody has the next', async () => {
    const { page } = admin
    await visit(world, admin, '/budgets')
    await page.getByRole('button', { name: 'Set a budget' }).click()
    const dialog = page.getByRole('dialog', { name: 'Whose budget?' })
    await dialog.getByLabel('Name').fill('nobody-at-all')
    await dialog.getByText('Nobody by that name.').waitFor()
    const teams = await hold(page, /\/admin\/teams\?.*q=Plat/)
    await dialog.getByLabel('Name').fill('Plat')
    await teams.isAsked
    await dialog.locator('.skeleton').first().waitFor()
    assert.doesNotMatch(await dialog.innerText(), /Nobody by that name/)
    teams.release()
    await dialog.getByRole('button', { name: 'Choose Platform' }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('figures of another range look like it until those of the chosen one are there', async () => {
    const { page } = admin
    await visit(world, admin, '/org-analytics')
    const overview = await hold(page, /\/overview\?days=7/)
    await page.getByLabel('Range', { exact: true }).selectOption('7')
    await overview.isAsked
    const old = page.locator('[aria-busy=true]').filter({ hasText: 'Active people' })
    await old.waitFor({ state: 'attached' })
    await looksOld(page)
    overview.release()
    await old.waitFor({ state: 'detached' })
  })

  test('rows of another filter look like it, and their next page is not that of the chosen one', async () => {
    const { page } = admin
    await page.route(/\/admin\/audit\?limit=50$/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), has_more: true, next_cursor: 'of-the-old-list' } })
    })
    await visit(world, admin, '/audit')
    const next = page.getByRole('button', { name: 'Next' })
    assert.equal(await next.getAttribute('aria-disabled'), null)
    const list = await hold(page, /\/admin\/audit\?.*from=/)
    await page.getByLabel('Time', { exact: true }).selectOption('7')
    await list.isAsked
    await page.locator('button[aria-disabled=true]', { hasText: 'Next' }).waitFor()
    await looksOld(page)
    await next.click({ force: true })
    assert.doesNotMatch(page.url(), /cursor/)
    list.release()
    await page.locator('[aria-label="Audit entries"][aria-busy=false]:not(.of-before)').waitFor()
    await page.unroute(/\/admin\/audit\?limit=50$/)
  })

  test('Enter takes what was typed as soon as it is found, never whoever stood first in the list before', async () => {
    const { page } = admin
    // As with more teams than a list can show.
    const many = /\/admin\/teams\?limit=100&sort=name$/
    await page.route(many, (route) =>
      route.fulfill({ json: { data: [teamOf('first'), teamOf('second')], has_more: true, next_cursor: 'x' } }),
    )
    await visit(world, admin, '/users')
    // The list that stands there until it is known how many teams there are is another one.
    const box = page.locator('input[role=combobox]').and(page.getByRole('combobox', { name: 'Team' }))
    await box.click()
    await page.getByRole('option', { name: 'second' }).waitFor()
    await box.press('ArrowDown')
    // Enter that ends a word which is put together, as in Japanese, chooses nothing.
    await box.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    await page.getByRole('option', { name: 'second' }).waitFor()
    const found = await hold(page, /\/admin\/teams\?.*q=Plat/)
    await box.fill('Plat')
    await found.isAsked
    await page.getByText('Looking…').waitFor()
    await box.press('Enter')
    assert.doesNotMatch(page.url(), /team=/)
    found.release()
    await page.waitForURL(new RegExp(`team=${known.team}`))
    await page.unroute(many)
  })

  test('the connection of somebody whose calls cannot be read is not known, and not missing', async () => {
    const { page } = admin
    await page.route(/\/me\/(requests|keys|client)/, (route) => route.fulfill({ status: 403, json: refusal }))
    await visit(world, admin, '/connect')
    const panel = page.getByRole('region', { name: 'Your connection' })
    await panel.getByText('Not known right now').nth(2).waitFor()
    assert.doesNotMatch(await panel.innerText(), /not yet|Waiting|Only needed/i)
    await page.unroute(/\/me\/(requests|keys|client)/)
  })

  const things = [
    ['endpoint', 'Frankfurt', () => `endpoints/${known.endpoint}`],
    ['team', 'Platform', () => `teams/${known.team}`],
    ['person', 'alice@example.com', () => `users/${known.alice}`],
    ['key', 'alice-ci', () => `keys/${key}`],
  ] as const
  for (const [word, name, place] of things)
    test(`${word}: its page tells when it could not be asked for again, and when it is gone`, async () => {
      const visitor = await asAdministrator(world)
      const { page } = visitor
      const heading = page.getByRole('heading', { level: 1, name })
      await page.clock.install()
      await visit(world, visitor, `/${place()}`)
      // The clock is there from the next load on.
      await page.reload()
      await heading.waitFor()
      const read = new RegExp(`/admin/${place()}$`)
      await page.route(read, (route) => route.fulfill({ status: 403, json: refusal }))
      await comeBack(page)
      await page.getByRole('alert').filter({ hasText: 'This may be out of date' }).waitFor()
      assert.ok(await heading.isVisible())
      await page.unroute(read)
      await page.route(read, (route) => route.fulfill({ status: 404, json: refusal }))
      await comeBack(page)
      await page.getByText(`There is no such ${word}`).waitFor()
      await visitor.close()
    })
}

/** The sign comes when the answer does not: not for a moment that nobody notices. */
async function looksOld(page: Page): Promise<void> {
  // Asked again and again from here, since the policy of the page forbids the way by which a function is waited for.
  while ((await page.evaluate('getComputedStyle(document.querySelector(".of-before > *")).opacity')) !== '0.5')
    await page.waitForTimeout(20)
}

function teamOf(name: string) {
  return {
    id: `0190a000-0000-7000-8000-00000000000${name.length}`,
    name,
    member_count: 0,
    created_at: '2026-01-01T00:00:00Z',
  }
}

/** To this tab after a while in another one. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(20_000)
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))')
}

interface HeldRead {
  readonly isAsked: Promise<void>
  readonly release: () => void
}

async function hold(page: Page, address: RegExp): Promise<HeldRead> {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  return { isAsked: asked.promise, release: released.resolve }
}
