/** The security page: what is bad comes first with the way to where it is mended, in print and without the database too. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { asAdministrator, type PortalWorld, settled, startPortalWorld, type Visitor, visit } from '../portal/journey.ts'

if (chromiumPath !== undefined) describe('the security page', securityTests)

function securityTests(): void {
  let world: PortalWorld
  let admin: Visitor

  before(async () => {
    world = await startPortalWorld()
    admin = await asAdministrator(world, '/health')
  })

  after(() => world.stop())

  const setTtl = async (value: number): Promise<void> => {
    const answer = await asAdmin(world.gateway, 'PUT', '/admin/settings/session_token_ttl_hours', { value })
    assert.equal(answer.status, 200)
  }

  test('a bad check is the first, says what to do, and leads to the setting, after which it is good', async () => {
    const { page } = admin
    await setTtl(8760)
    await visit(world, admin, '/security')
    await page.getByRole('alert').filter({ hasText: '1 check is bad' }).waitFor()
    const first = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { level: 3 }) })
      .first()
    assert.equal(await first.getByRole('heading').textContent(), 'Length of a session')
    await first.getByText('Bad', { exact: true }).waitFor()
    await first.getByText('What to do:').waitFor()
    await first.getByRole('link', { name: 'Open Settings' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await setTtl(24)
    await visit(world, admin, '/security')
    await page.getByText('Nothing is bad, and something can be better').waitFor()
    const length = page.getByRole('listitem').filter({ hasText: 'Length of a session' })
    await length.getByText('Good', { exact: true }).waitFor()
    assert.equal(await length.getByText('What to do:').count(), 0)
  })

  test('what is kept and where it connects to are tables, with the times in force and no secret', async () => {
    const { page } = admin
    await visit(world, admin, '/security')
    const kept = page.getByRole('table', { name: 'What is kept about people' })
    await kept
      .getByRole('row')
      .filter({ hasText: 'Audit trail' })
      .getByRole('cell', { name: '365 days', exact: true })
      .waitFor()
    await kept.getByRole('link', { name: 'audit_retention_days' }).waitFor()
    const reached = page.getByRole('table', { name: 'Where it connects to' })
    await reached.getByRole('row').filter({ hasText: 'Models (Amazon Bedrock)' }).waitFor()
    assert.doesNotMatch(await reached.innerText(), /password|sk-proxy|token=/i)
  })

  test('on a phone every row tells the same, and on paper it is light and without buttons', async () => {
    const { page } = admin
    await visit(world, admin, '/security')
    await page.setViewportSize({ width: 390, height: 844 })
    const row = page.getByRole('row').filter({ hasText: 'Who changed what' })
    await row.getByText('Changed by').waitFor()
    await row.getByText('365 days').locator('visible=true').waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
    const surface = "getComputedStyle(document.documentElement).getPropertyValue('--surface')"
    assert.equal(await page.evaluate(surface), '#fff')
    await page.emulateMedia({ media: null, colorScheme: null })
  })

  test('Print asks the browser for it', async () => {
    const { page } = admin
    await visit(world, admin, '/security')
    await page.evaluate('window.print = () => { document.body.dataset.printed = "1" }')
    await page.getByRole('button', { name: 'Print' }).click()
    await page.locator('body[data-printed="1"]').waitFor()
  })

  test('an answer that does not come is told with a way to try again', async () => {
    const { page } = admin
    const error = { type: 'api_error', message: 'It broke on our side.', code: 'internal_error' }
    await page.route(/admin\/security/, (route) =>
      route.fulfill({ status: 500, json: { type: 'error', error, request_id: 'req_test' } }),
    )
    await visit(world, admin, '/health')
    await visit(world, admin, '/security')
    await page.reload()
    await page.getByText('It broke on our side.').waitFor()
    await page.unroute(/admin\/security/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 2, name: 'Checks' }).waitFor()
    await settled(page)
  })
}
