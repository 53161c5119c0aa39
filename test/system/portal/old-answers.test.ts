/** What is on the screen answers an earlier question, or could not be asked for again: nobody takes it for the answer to this one. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../../login/browser.ts'
import { asAdmin } from '../../login/login-app.ts'
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

/** To this tab after a while in another one. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(20_000)
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))')
}
