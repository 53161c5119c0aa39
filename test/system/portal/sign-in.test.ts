import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { buildPortal } from '../../../tools/portal/build.ts'
import { chromiumPath, launchBrowser } from '../../sign-in/browser.ts'
import { asAdmin, startLoginGateway } from '../../sign-in/login-app.ts'
import { makeHome, startScript } from '../../sign-in/run-script.ts'
import { ADMIN_PASSWORD } from '../../support/gateway.ts'

if (chromiumPath === undefined) console.log('!! No Chromium: THE BROWSER TESTS OF SIGN-IN DO NOT RUN')
else describe('in a real browser', browserTests)

function browserTests(): void {
  let gateway: Awaited<ReturnType<typeof startLoginGateway>>
  let browser: Browser

  before(async () => {
    await buildPortal()
    gateway = await startLoginGateway()
    browser = await launchBrowser()
  })

  after(async () => {
    await browser.close()
    await gateway.stop()
  })

  /** A fresh profile. Whatever the page asks of another origin than its own and the provider's is a failure. */
  async function newPage(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    const complaints: string[] = []
    const own = [gateway.url, gateway.simulator.oidcUrl]
    page.on('request', (request) => {
      if (!own.some((origin) => request.url().startsWith(origin))) complaints.push(`asked for ${request.url()}`)
    })
    page.on('console', (message) => {
      // The page asks who is signed in; "nobody" is an answer, which Chromium reports as an error.
      if (message.type() === 'error' && !/status of 40[134]/.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`))
    return { page, context, complaints }
  }

  async function signInAs(page: Page, user: string): Promise<void> {
    await page.getByRole('link', { name: 'Continue with Example SSO' }).click()
    await page.locator(`button[value="${user}"]`).click()
  }

  test('signing out leads through a provider with `logout: provider` and back to the portal', async () => {
    const { page, complaints } = await newPage()
    await asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, { logout: 'provider' })
    try {
      await page.goto(`${gateway.url}/portal`)
      await signInAs(page, 'alice@example.com')
      await page.getByRole('button', { name: 'alice@example.com' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Yes, sign me out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(new URL(page.url()).origin, gateway.url)
      await page.getByRole('link', { name: 'Continue with Example SSO' }).click()
      await page.locator('button[value="alice@example.com"]').waitFor()
      assert.deepEqual(complaints, [])
    } finally {
      await asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, { logout: 'local' })
    }
  })

  test('a person signs in through the identity provider and lands in the portal', async () => {
    const { page, context, complaints } = await newPage()
    await page.goto(`${gateway.url}/portal`)
    await signInAs(page, 'alice@example.com')
    await page.getByRole('heading', { name: 'Hello, alice@example.com' }).waitFor()
    assert.equal(page.url(), `${gateway.url}/portal#/`)
    const [session] = (await context.cookies()).filter((cookie) => cookie.name === 'causeway_session')
    assert.equal(session?.httpOnly, true)
    assert.equal(session?.sameSite, 'Lax')
    assert.equal(await page.evaluate('document.cookie'), '', 'no script can read the session')
    assert.equal(await page.evaluate("Object.values(localStorage).some((value) => value.startsWith('sess-'))"), false)
    await page.getByRole('button', { name: 'alice@example.com' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('the helper obtains a token while the person signs in and confirms in the browser', async () => {
    const home = makeHome()
    const script = await (await fetch(`${gateway.url}/auth/setup/token-script`)).text()
    const running = startScript('sh', script, home.path)
    const [, address = ''] = await running.said(/Sign in at {2}(\S+)/)
    const [, code = ''] = await running.said(/shows {2}(\S+)/)
    const { page, context, complaints } = await newPage()
    await page.goto(address)
    await signInAs(page, 'bob@example.com')
    await page.getByRole('heading', { name: 'Is this you?' }).waitFor()
    assert.match(page.url(), /\/portal#\/device\?user_code=/)
    assert.equal(await page.locator('.code').textContent(), code)
    assert.match((await page.locator('dl').textContent()) ?? '', /Asked from127\.0\.0\.1/)
    await page.getByRole('button', { name: 'Yes, sign it in' }).click()
    await page.getByRole('heading', { name: 'Signed in' }).waitFor()
    const run = await running.done
    assert.match(run.stdout, /^sess-\S+\n$/)
    const who = await fetch(`${gateway.url}/auth/me`, { headers: { authorization: `Bearer ${run.stdout.trim()}` } })
    assert.equal(((await who.json()) as { user: { subject: string } }).user.subject, 'bob@example.com')
    assert.deepEqual(complaints, [])
    await context.close()
    home.remove()
  })

  test('one command connects a client: sign-in, settings, check', async () => {
    const home = makeHome()
    const script = await (await fetch(`${gateway.url}/auth/setup`)).text()
    const running = startScript('sh', script, home.path)
    const [, address = ''] = await running.said(/Sign in at {2}(\S+)/)
    const { page, context } = await newPage()
    await page.goto(address)
    await signInAs(page, 'alice@example.com')
    await page.getByRole('button', { name: 'Yes, sign it in' }).click()
    const run = await running.done
    assert.equal(run.code, 0, run.stderr)
    assert.match(run.stdout, /signed in as alice@example\.com/)
    assert.match(run.stdout, /Test {9}\S+ answered in \d+ s; [1-9]\d* models/)
    assert.match(run.stdout, /Ready {8}Run: claude\n$/)
    const settings = JSON.parse(readFileSync(join(home.path, '.claude/settings.json'), 'utf8')) as {
      apiKeyHelper: string
    }
    const helped = await startScript('sh', settings.apiKeyHelper, home.path).done
    assert.match(helped.stdout, /^sess-\S+\n$/)
    await page.goto(`${gateway.url}/portal#/connect`)
    await page.getByText('Requests arrive').waitFor()
    await context.close()
    home.remove()
  })

  test('the client signs in by device code, typed by hand, with the keyboard alone', async () => {
    const begun = await fetch(`${gateway.url}/oauth/device_authorization`, {
      method: 'POST',
      body: new URLSearchParams(),
    })
    const device = (await begun.json()) as { device_code: string; user_code: string; verification_uri: string }
    const { page, context, complaints } = await newPage()
    await page.goto(device.verification_uri)
    await page.getByText('Admin password').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type(ADMIN_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
    await page.getByLabel('Code').focus()
    await page.keyboard.type(device.user_code.toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Yes, sign it in' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Signed in' }).waitFor()
    const tokens = await fetch(`${gateway.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: device.device_code,
      }),
    })
    assert.equal(tokens.status, 200)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('names that are markup stay text, before and after the sign-in (T27)', async () => {
    const evil = `<img src=x onerror=alert(1)>"'><script>alert(2)</script>`.slice(0, 100)
    await asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, { name: evil })
    const { page, context, complaints } = await newPage()
    await page.goto(`${gateway.url}/portal`)
    await page.getByRole('link', { name: `Continue with ${evil}` }).waitFor()
    await page.goto(`${gateway.url}/device?user_code=${encodeURIComponent(evil)}`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await page.locator('img[src="x"], main script').count(), 0)
    assert.deepEqual(complaints, [])
    await asAdmin(gateway, 'PATCH', `/admin/idps/${gateway.idpId}`, { name: 'Example SSO' })
    await context.close()
  })

  test('a wrong password is told as such, keeps what was typed, and never looks like success', async () => {
    const { page, context, complaints } = await newPage()
    await page.goto(`${gateway.url}/portal`)
    await page.getByText('Admin password').click()
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'The user name or the password is wrong.' }).waitFor()
    assert.equal(await page.getByLabel('User name').inputValue(), 'admin')
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('the address of the portal may end with a slash', async () => {
    const { page, context } = await newPage()
    await page.goto(`${gateway.url}/portal/#/me/keys`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(page.url(), `${gateway.url}/portal#/me/keys`)
    await context.close()
  })

  test('nothing is wider than a screen of 320 pixels, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context } = await newPage({ viewport: { width: 320, height: 640 }, colorScheme })
      const width = () => page.evaluate('document.documentElement.scrollWidth')
      await page.goto(`${gateway.url}/portal`)
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal(await width(), 320, `sign-in ${colorScheme}`)
      await signInAs(page, 'alice@example.com')
      await page.getByRole('heading', { name: 'Hello, alice@example.com' }).waitFor()
      assert.equal(await width(), 320, `home ${colorScheme}`)
      await page.route('**/me/requests*', (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto(`${gateway.url}/portal#/me/requests`)
      const text = page.getByRole('alert').locator('p', { hasText: 'This could not be loaded' })
      await text.waitFor()
      assert.ok(((await text.boundingBox())?.width ?? 0) > 200, `an error beside its button ${colorScheme}`)
      assert.equal(await width(), 320, `an error ${colorScheme}`)
      await context.close()
    }
  })
}
