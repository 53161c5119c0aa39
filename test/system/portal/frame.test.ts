/** What holds for the portal as a whole: its files, its weight, its policy, and what works on every page. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { checkSizes } from '../../../tools/portal/check-size.ts'
import { untilTrue } from '../../message-path/path-client.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin, beginCliLogin } from '../../sign-in/login-app.ts'
import { ADMIN_PASSWORD, login } from '../../support/gateway.ts'
import {
  asAdministrator,
  asMember,
  assertSoundPage,
  assertSoundWindow,
  newVisitor,
  type PortalWorld,
  settled,
  startPortalWorld,
  visit,
} from './journey.ts'

if (chromiumPath === undefined) console.log('!! No Chromium: THE BROWSER TESTS OF THE PORTAL DO NOT RUN')
else describe('the portal', frameTests)

async function signInAgain(dialog: Locator): Promise<void> {
  await dialog.getByText('Admin password').click()
  await dialog.getByLabel('User name').fill('admin')
  await dialog.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
}

function frameTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${world.gateway.url}${path}`, { headers })
  const firstScript = async (): Promise<string> =>
    /src="(\/portal\/assets\/shell-[^"]+\.js)"/.exec(await (await get('/portal')).text())?.[1] ?? ''

  test('its weight is within the limits', () => {
    assert.deepEqual(checkSizes(), [])
  })

  test('files come compressed by what the browser takes, and may be kept for ever; the page itself may not', async () => {
    const script = await firstScript()
    for (const [accepts, gives] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await get(script, { 'accept-encoding': accepts })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-encoding'), gives, accepts)
      assert.equal(answer.headers.get('vary'), 'accept-encoding')
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
      assert.match(await answer.text(), /import/)
    }
    assert.equal((await get('/portal')).headers.get('cache-control'), 'no-store')
    for (const path of [
      '/portal/assets/none.js',
      '/portal/assets/..%2Findex.html',
      '/portal/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    ])
      assert.equal((await get(path)).status, 404, path)
  })

  test('every answer has a nonce of its own, and scripts need none because none is inline', async () => {
    const nonces = new Set<string>()
    for (let round = 0; round < 3; round += 1) {
      const answer = await get('/portal')
      const policy = answer.headers.get('content-security-policy') ?? ''
      const nonce = /style-src 'self' 'nonce-([\w-]{24})'/.exec(policy)?.[1] ?? ''
      assert.match(await answer.text(), new RegExp(`content="${nonce}"`))
      assert.match(policy, /script-src 'self';/)
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 3)
  })

  test('bookmarks of older portals lead to the page of today', async () => {
    const visitor = await asAdministrator(world)
    for (const [old, now] of [
      ['#setup', '#/connect'],
      ['#/setup', '#/connect'],
      ['#dashboard', '#/'],
      ['#keys', '#/keys'],
      ['#members', '#/users'],
      ['#pricing', '#/models?tab=prices'],
      ['#websearch', '#/web-search'],
    ] as const) {
      await visitor.page.goto(`${world.gateway.url}/portal${old}`)
      await visitor.page.waitForURL(`**/portal${now}`)
    }
    await visitor.close()
  })

  test('the palette opens by keyboard, finds a page and a person, and leads there', async () => {
    await asAdmin(world.gateway, 'POST', '/admin/users', { subject: 'grace@example.com', role: 'member' })
    const visitor = await asAdministrator(world)
    const { page } = visitor
    await page.keyboard.press('Control+k')
    const input = page.getByRole('dialog').getByRole('combobox')
    await input.fill('grace')
    await page.getByRole('option', { name: /grace@example\.com/ }).waitFor()
    await input.fill('web sea')
    await page.getByRole('option', { name: 'My web search' }).waitFor()
    await page.locator('[cmdk-item][data-selected=true]').filter({ hasText: 'My web search' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My web search', level: 1 }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('the palette does not say that nothing matches before it knows, nor when it could not ask', async () => {
    const visitor = await asAdministrator(world)
    const { page } = visitor
    const answered = Promise.withResolvers<void>()
    await page.route('**/admin/users?q=*', async (route) => {
      await answered.promise
      await route.fulfill({ status: 403, json: { type: 'error', error: { message: 'Not now.', code: 'test' } } })
    })
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog')
    await palette.getByRole('combobox').fill('nobody-at-all')
    await palette.getByText('Looking for people, teams, keys, endpoints and models').waitFor()
    assert.equal(await palette.getByText('Nothing matches').count(), 0)
    answered.resolve()
    await palette.getByText('could not all be searched. Not now.').waitFor()
    assert.equal(await palette.getByText('Nothing matches').count(), 0)
    await assertSoundWindow(page, 'palette with an error')
    await page.unroute('**/admin/users?q=*')
    await palette.getByRole('combobox').fill('nobody-at-all-either')
    await palette.getByText('Nothing matches').waitFor()
    await palette.getByRole('combobox').fill('copy a link')
    await palette.getByRole('option', { name: 'Copy a link to this page' }).click()
    await page.getByText(/^The link is copied|^The link could not be copied/).waitFor()
    await visitor.close()
  })

  test('what could not be asked is neither a step that is done nor a model that has its price', async () => {
    const visitor = await asAdministrator(world, '/connect')
    const { page } = visitor
    for (const path of ['idps', 'endpoints', 'status'])
      await page.route(`**/admin/${path}*`, (route) =>
        route.fulfill({ status: 403, json: { type: 'error', error: { message: 'Not now.', code: 'test' } } }),
      )
    await visit(world, visitor, '/welcome')
    const title = await page.getByText(/^\d of 6 done$/).innerText()
    const steps = title.slice(0, '0 of 6'.length)
    const asked = Promise.withResolvers<void>()
    await page.route('**/admin/settings', async (route) => {
      await asked.promise
      await route.continue()
    })
    await page.reload()
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await page.locator('.skeleton').first().waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /of 6 done|not known/)
    asked.resolve()
    await page.getByText(`${steps} done`).waitFor()
    await visit(world, visitor, '/')
    await page.getByRole('region', { name: 'First steps' }).getByText(`${steps} first steps are done.`).waitFor()
    await visit(world, visitor, '/models?tab=prices')
    await page.getByRole('alert').getByText('Which models are used without a price is not known').waitFor()
    await visitor.close()
  })

  test('a name that is typed into the palette leads to the person or the team, not to a page with the same letters', async () => {
    for (const subject of ['alice-in-chains@example.com', 'laptop-owner@example.com'])
      await asAdmin(world.gateway, 'POST', '/admin/users', { subject, role: 'member' })
    await asAdmin(world.gateway, 'POST', '/admin/teams', { name: 'Zebra team' })
    const visitor = await asAdministrator(world)
    const { page } = visitor
    for (const [typed, name] of [
      ['alice', 'alice-in-chains@example.com'],
      ['laptop', 'laptop-owner@example.com'],
      ['Zebra', 'Zebra team'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder(/^Go to a page/).pressSequentially(typed)
      await page.locator('[cmdk-item][data-selected=true]').filter({ hasText: name }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await visitor.close()
  })

  test('a name that is typed into the palette leads to the person, not to a page with the same letters', async () => {
    const body = { subject: 'tara@example.com', email: 'tara@example.com' }
    assert.equal((await asAdmin(world.gateway, 'POST', '/admin/users', body)).status, 201)
    const visitor = await asAdministrator(world)
    const { page } = visitor
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog').getByRole('combobox')
    await palette.fill('tara')
    await page.getByRole('option', { name: /tara@example.com/ }).waitFor()
    assert.equal(await page.getByRole('option').count(), 1)
    await palette.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'tara@example.com' }).waitFor()
    for (const [typed, first] of [
      ['sett', 'Settings'],
      ['my sear', 'My web search'],
      ['sign-in', 'Sign-in'],
      ['pricing', 'Models'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await palette.fill(typed)
      await page.getByRole('option').first().filter({ hasText: first }).waitFor()
      await palette.press('Escape')
      await palette.waitFor({ state: 'detached' })
    }
    await visitor.close()
  })

  test('Enter means what is marked while the palette still looks, and is kept until something is found', async () => {
    for (const subject of ['quincy@example.com', 'quinn@example.com'])
      assert.equal((await asAdmin(world.gateway, 'POST', '/admin/users', { subject, role: 'member' })).status, 201)
    const visitor = await asAdministrator(world)
    const { page } = visitor
    const input = page.getByRole('dialog').getByRole('combobox')
    const options = page.getByRole('option')
    let answers = Promise.withResolvers<void>()
    await page.route(/\/admin\/\w[\w-]*\?.*q=quin[cn]y?&/, async (route) => {
      await answers.promise
      await route.continue()
    })

    await page.keyboard.press('Control+k')
    await input.pressSequentially('quin')
    await page.locator('[cmdk-item][data-selected=true]').filter({ hasText: 'quincy' }).waitFor()
    await input.pressSequentially('n')
    await page.getByText('Looking for people').waitFor()
    assert.deepEqual(await options.filter({ hasText: 'quincy' }).count(), 0, 'it does not have these letters')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'quinn@example.com' }).waitFor()

    await page.keyboard.press('Control+k')
    await input.fill('quincy')
    await page.getByText('Looking for people').waitFor()
    assert.equal(await options.count(), 0)
    await page.keyboard.press('Enter')
    answers.resolve()
    await page.getByRole('heading', { level: 1, name: 'quincy@example.com' }).waitFor()

    answers = Promise.withResolvers()
    await page.keyboard.press('Control+k')
    await input.fill('quinc')
    await page.getByText('Looking for people').waitFor()
    await page.keyboard.press('Enter')
    await input.fill('quinn')
    answers.resolve()
    await options.filter({ hasText: 'quinn' }).waitFor()
    assert.ok(await input.isVisible(), 'what was typed after Enter is not entered')
    await visitor.close()
  })

  test('the palette leads to a key whatever its state', async () => {
    const made = await asAdmin(world.gateway, 'POST', '/admin/keys', { name: 'gone-ci' })
    const { id } = (await made.json()) as { id: string }
    assert.ok((await asAdmin(world.gateway, 'POST', `/admin/keys/${id}/revoke`)).ok)
    const visitor = await asAdministrator(world)
    const { page } = visitor
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('gone-ci')
    await page.getByRole('option', { name: /gone-ci/ }).click()
    await page.getByRole('heading', { level: 1, name: 'gone-ci' }).waitFor()
    await page.getByText('Revoked').first().waitFor()
    await visitor.close()
  })

  test('what opens over a page without a write is sound in both themes: palette, lists, menus, drawers, a secret', async () => {
    await asAdmin(world.gateway, 'POST', '/admin/keys', { name: 'menu-ci' })
    const visitor = await asAdministrator(world, '/keys?show=all', { reducedMotion: 'reduce' })
    const { page, context } = visitor
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('ke')
    await page.getByRole('option').first().waitFor()
    await assertSoundWindow(page, 'palette')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await assertSoundWindow(page, 'shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Actions for menu-ci' }).click()
    await assertSoundWindow(page, 'actions', '[role=menu]')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('secret-ci')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: /is ready/ }).waitFor()
    await assertSoundWindow(page, 'secret')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /Administrator/ }).click()
    await assertSoundWindow(page, 'account', 'body')
    await visit(world, visitor, '/budgets')
    await page.getByRole('button', { name: 'Set a budget' }).first().click()
    await assertSoundWindow(page, 'whose budget')
    await visit(world, visitor, '/audit')
    await page.locator('tbody tr').first().getByRole('button').last().click()
    await assertSoundWindow(page, 'audit entry')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('button', { name: 'Open the list of pages' }).click()
    await assertSoundWindow(page, 'pages on a phone')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
    await context.clearCookies()
    await visit(world, visitor, '/teams')
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await assertSoundWindow(page, 'session ended')
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('the sign-in, its error, and the question of a program are sound in both themes and on a phone', async () => {
    const visitor = await newVisitor(world)
    await assertSoundPage(world, visitor, '/login')
    const { page } = visitor
    await page.getByText('Admin password').click()
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await assertSoundWindow(page, 'sign-in with an error', 'main')
    await visitor.close()
    const { user_code: code } = await beginCliLogin(world.gateway)
    const member = await asMember(world)
    await assertSoundPage(world, member, '/device')
    await assertSoundPage(world, member, `/device?user_code=${code}&kind=cli`)
    await assertSoundPage(world, member, '/device?user_code=NONE-NONE')
    await member.close()
  })

  test('single keys search, list the shortcuts and change the page, and can be switched off', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page } = visitor
    await page.keyboard.press('/')
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Search by name or prefix')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('heading', { name: 'Connect', level: 1 }).waitFor()
    assert.equal(await page.title(), 'Connect · Causeway')
    await visit(world, visitor, '/me/settings')
    await page.getByRole('switch', { name: 'Single-letter shortcuts' }).click()
    await page.getByRole('heading', { name: 'My settings' }).click()
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    assert.equal(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count(), 0)
    await visitor.close()
  })

  test('what lies over a page does not stay over another one', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page } = visitor
    await visit(world, visitor, '/connect')
    for (const [key, name] of [
      ['?', 'Keyboard shortcuts'],
      ['Control+k', 'Search'],
    ] as const) {
      await page.keyboard.press(key)
      const open = page.getByRole('dialog')
      await open.waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
      await open.waitFor({ state: 'detached' })
      await page.goForward()
      await page.getByRole('heading', { name: 'Connect', level: 1 }).waitFor()
      assert.equal(await open.count(), 0, name)
    }
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('single keys leave a page alone that has a question over it, and lead nobody to a page that is not theirs', async () => {
    await asAdmin(world.gateway, 'POST', '/admin/users', { subject: 'asked@example.com', role: 'member' })
    const visitor = await asAdministrator(world, '/users?q=asked')
    const { page } = visitor
    await page.getByRole('checkbox', { name: 'Choose asked@example.com' }).check()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').waitFor()
    for (const key of ['?', 'g', 't']) await page.keyboard.press(key)
    // What the keys had opened would be there before this is.
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Go to a page/).waitFor()
    assert.match(page.url(), /#\/users\?q=asked$/)
    assert.equal(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count(), 0)
    await visitor.close()
    const member = await asMember(world, '/connect')
    await member.page.keyboard.press('?')
    const list = member.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Go to Keys').waitFor()
    assert.equal(await list.getByText('Go to People').count(), 0)
    await member.page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    for (const key of ['g', 'u', 'g', 'k']) await member.page.keyboard.press(key)
    await member.page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await member.close()
  })

  test('the content is one key away, and a new page begins at its content', async () => {
    const visitor = await asAdministrator(world)
    const { page } = visitor
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
    await page.getByRole('link', { name: 'Connect', exact: true }).click()
    await page.getByRole('heading', { name: 'Connect', level: 1 }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
    await visitor.close()
  })

  test('a chosen theme is there before the first paint and after a reload', async () => {
    const visitor = await asAdministrator(world, '/me/settings', { colorScheme: 'light' })
    const { page } = visitor
    await page.getByLabel('Theme').selectOption('dark')
    await page.reload()
    await settled(page)
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(13, 16, 21)')
    await visitor.close()
  })

  test('members do not see what is for administrators, by navigation or by address', async () => {
    const visitor = await asMember(world, '/welcome')
    await visitor.page.getByRole('heading', { name: 'For administrators' }).waitFor()
    assert.equal(await visitor.page.getByRole('link', { name: 'Endpoints' }).count(), 0)
    await visitor.close()
  })

  test('when the session ends, signing in again keeps what was typed', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page, context } = visitor
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('typed before the end')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Create key' }).click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.waitFor()
    // Enter signs in; on the button that closes the window it would drop what was typed.
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Continue with Example SSO')
    assert.equal(await page.getByText('No credential was sent').count(), 0)
    // It would lead to the sign-in of a page that is loaded anew.
    await page.evaluate('globalThis.isThisPage = true')
    await page.keyboard.press('Escape')
    assert.equal(await page.evaluate('globalThis.isThisPage'), true)
    await signInAgain(again)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'typed before the end')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: /is ready/ }).waitFor()
    await visitor.close()
  })

  test('two minutes before the session ends there is a way to sign in again that keeps what was typed', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page } = visitor
    await page.route('**/auth/me', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), session_expires_in: 121 } })
    })
    await page.reload()
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('typed before the warning')
    const again = page.getByRole('dialog', { name: 'Your session is about to end' })
    await again.waitFor()
    await page.unroute('**/auth/me')
    await signInAgain(again)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'typed before the warning')
    await visitor.close()
  })

  test('without a network a write fails at once, and is not made later behind the back of whoever gave it up', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page, context } = visitor
    await page.getByRole('button', { name: 'New team' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Given up')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('alert').filter({ hasText: 'The gateway cannot be reached.' }).waitFor()
    await page.keyboard.press('Escape')
    await context.setOffline(false)
    // The first read after it would show the team.
    await page.getByRole('searchbox').fill('Given')
    await page.getByText('Nothing matches').waitFor()
    const teams = (await (await asAdmin(world.gateway, 'GET', '/admin/teams?q=Given')).json()) as { data: unknown[] }
    assert.deepEqual(teams.data, [])
    await visitor.close()
  })

  test('what cannot be loaded leaves the page as it is and says so, and opens when the network is back', async () => {
    await asAdmin(world.gateway, 'POST', '/admin/keys', { name: 'late-ci' })
    for (const [name, press, opened] of [
      ['palette', (page) => page.keyboard.press('Control+k'), 'dialog'],
      ['shortcuts', (page) => page.keyboard.press('?'), 'dialog'],
      ['form', (page) => page.getByRole('button', { name: 'New key' }).first().click(), 'dialog'],
      ['menu', (page) => page.getByRole('button', { name: 'Actions for late-ci' }).click(), 'menu'],
    ] as const satisfies readonly (readonly [string, (page: Page) => Promise<void>, 'dialog' | 'menu'])[]) {
      const visitor = await asAdministrator(world, '/keys?show=all')
      const { page, context } = visitor
      await page.getByText('late-ci').waitFor()
      await context.setOffline(true)
      await press(page)
      await page.locator('[data-sonner-toast]').getByText('This could not be opened').waitFor()
      const font = await page.evaluate("getComputedStyle(document.querySelector('[data-sonner-toast]')).fontFamily")
      assert.match(String(font), /Inter/)
      assert.equal(await page.getByRole('heading', { level: 1, name: 'Keys' }).count(), 1, name)
      assert.equal(await page.getByText('late-ci').count(), 1, name)
      await context.setOffline(false)
      await press(page)
      await page.getByRole(opened).waitFor()
      await visitor.close()
    }
  })

  test('a page that could not be loaded is there when one comes back to it with a network', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page, context } = visitor
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('alert').filter({ hasText: 'The gateway cannot be reached.' }).waitFor()
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('table', { name: 'Audit entries' }).waitFor()
    await visitor.close()
  })

  test('a write whose window was closed meanwhile tells how it ended, and leaves alone what was opened since', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page } = visitor
    const typeTeam = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'New team' }).first().click()
      await page.getByRole('dialog').getByLabel('Name').fill(name)
    }
    for (const [name, status, told] of [
      ['Refused', 409, 'There is one already.'],
      ['Made', 201, 'The team Made is there.'],
    ] as const) {
      const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.route('**/admin/teams', async (route) => {
        if (route.request().method() !== 'POST') return await route.fallback()
        asked.resolve()
        await answered.promise
        if (status === 201) return await route.continue()
        return await route.fulfill({ status, json: { type: 'error', error: { message: told, code: 'test' } } })
      })
      await typeTeam(name)
      await page.getByRole('button', { name: 'Create team' }).click()
      await asked.promise
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await typeTeam('The next one')
      answered.resolve()
      await page.locator('[data-sonner-toast]').filter({ hasText: told }).waitFor()
      assert.match(page.url(), /#\/teams$/)
      assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'The next one')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.unroute('**/admin/teams')
    }
    await visitor.close()
  })

  test('whoever closes the question to sign in again finds the sign-in at the same address', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page, context } = visitor
    await context.clearCookies()
    await visit(world, visitor, '/audit?days=7')
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    assert.match(page.url(), /#\/audit\?days=7$/)
    await visitor.close()
  })

  test('a window keeps what was typed when one clicks beside it, and waits for the secret that is on its way', async () => {
    const visitor = await asAdministrator(world, '/keys')
    const { page } = visitor
    const name = page.getByLabel('Name', { exact: true })
    await page.getByRole('button', { name: 'New key' }).first().click()
    await name.fill('kept')
    await page.mouse.click(900, 780)
    assert.equal(await name.inputValue(), 'kept')
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/me/keys', async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback()
      asked.resolve()
      await answered.promise
      return await route.continue()
    })
    await page.getByRole('button', { name: 'Create key' }).click()
    await asked.promise
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    answered.resolve()
    const secret = page.getByRole('dialog', { name: /is ready/ })
    await secret.waitFor()
    await page.mouse.click(900, 790)
    assert.match((await secret.locator('pre').first().textContent()) ?? '', /^sk-proxy-/)
    await page.keyboard.press('Escape')
    await secret.waitFor({ state: 'detached' })
    await visitor.close()
  })

  test('a client that works without a key counts as the first request', async () => {
    const visitor = await asAdministrator(world, '/welcome')
    const { page } = visitor
    await page.getByText('Not yet: none was answered yet').waitFor({ state: 'attached' })
    const answer = await fetch(`${world.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await login(world.gateway.url)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    })
    assert.equal(answer.status, 200, await answer.text())
    const done = page.getByText('Done: one was answered')
    await untilTrue(async () => {
      if ((await done.count()) > 0) return true
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.waitForLoadState('networkidle')
      return (await done.count()) > 0
    })
    await visitor.close()
  })

  test('an address that was opened before the sign-in is where one lands after it', async () => {
    const visitor = await newVisitor(world)
    const { page } = visitor
    await page.goto(`${world.gateway.url}/portal#/connect?way=docker`)
    await page.getByRole('link', { name: 'Continue with Example SSO' }).click()
    await page.locator('button[value="alice@example.com"]').click()
    await page.getByRole('heading', { name: 'Connect', level: 1 }).waitFor()
    await page.getByRole('tab', { name: 'Docker', selected: true }).waitFor()
    await visitor.close()
  })
}
