/** What a person does for themself: look, connect, make keys, choose a search provider. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin, beginCliLogin } from '../../sign-in/login-app.ts'
import { asAdministrator, asMember, assertSoundPage, type PortalWorld, startPortalWorld, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('own pages', ownPageTests)

const alice = 'alice@example.com'

function ownPageTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  const secretOf = async (page: Page): Promise<string> =>
    (await page.locator('[role=dialog] pre').first().textContent()) ?? ''

  async function makeKey(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: /is ready/ }).waitFor()
    return await secretOf(page)
  }

  const ask = (key: string) => fetch(`${world.gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })

  test('a member makes a key, sees its first use, rotates and revokes it', async () => {
    const visitor = await asMember(world, '/keys')
    const { page } = visitor
    const first = await makeKey(page, 'ci-build')
    assert.match(first, /^sk-proxy-\w{43}$/)
    await page.getByText('The first request with this key shows up here.').waitFor()
    const message = await fetch(`${world.gateway.url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${first}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
    })
    assert.equal(message.status, 200, await message.text())
    await page.getByText('Works', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for ci-build' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByLabel('The old key works for another').selectOption('0')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('dialog', { name: /is ready/ }).waitFor()
    const second = await secretOf(page)
    assert.notEqual(second, first)
    assert.equal((await ask(first)).status, 401)
    assert.equal((await ask(second)).status, 200)
    await page.getByRole('button', { name: 'Done' }).click()
    // In place of the first one, whose menu would go with it.
    await page
      .getByRole('row')
      .filter({ hasText: second.slice(0, 16) })
      .waitFor()
    await page.getByRole('button', { name: 'Actions for ci-build' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('“ci-build” is revoked').waitFor()
    assert.equal((await ask(second)).status, 401)
    await page.getByText('No active keys').waitFor()
    await page.getByLabel('State').selectOption('revoked')
    await page.getByRole('cell', { name: 'Revoked' }).first().waitFor()
    assert.match(page.url(), /#\/keys\?status=revoked$/)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('Home tells of keys that end within the week, with the way to a new one', async () => {
    const visitor = await asMember(world, '/')
    const { page } = visitor
    await page.getByText('Your keys', { exact: true }).waitFor()
    assert.equal(await page.getByText(/expires? (in|within|soon)/).count(), 0)
    const found = await asAdmin(world.gateway, 'GET', `/admin/users?q=${alice}`)
    const { data } = (await found.json()) as { readonly data: readonly [{ readonly id: string }] }
    const make = async (name: string, days: number): Promise<number> => {
      const expires_at = new Date(Date.now() + days * 86_400_000).toISOString()
      return (await asAdmin(world.gateway, 'POST', '/admin/keys', { name, expires_at, user_id: data[0].id })).status
    }
    assert.equal(await make('deploy', 2.5), 201)
    assert.equal(await make('later', 20), 201)
    await page.reload()
    await page.getByText('Your key “deploy” expires in 3 days').waitFor()
    await assertSoundPage(world, visitor, '/')
    assert.equal(await make('nightly', 0.5), 201)
    await page.reload()
    await page.getByText('2 of your keys expire soon').waitFor()
    await page.getByText('“nightly” expires within a day').waitFor()
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a rotated key shows when it ends, and not the expiry that it will not live to see', async () => {
    const visitor = await asMember(world, '/keys', alice, { timezoneId: 'UTC' })
    const { page } = visitor
    await makeKey(page, 'replaced')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Actions for replaced' }).click()
    await page.getByRole('menuitem', { name: 'Rotate' }).click()
    await page.getByLabel('The old key works for another').selectOption('86400')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    // By its name too: a key of another test ends tomorrow as well, when this runs after noon.
    const old = page.getByRole('row').filter({ hasText: 'replaced' }).filter({ hasText: 'Ends soon' })
    const tomorrow = new Date(Date.now() + 86_400_000)
    const day = tomorrow.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
    await old.getByRole('cell', { name: day }).waitFor()
    await visitor.close()
  })

  test('an administrator makes a key with a limit, revokes it, and deletes it for good', async () => {
    const visitor = await asAdministrator(world, '/keys?show=all')
    const { page } = visitor
    const dialog = page.getByRole('alertdialog')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('limited')
    await page.getByLabel('Requests a minute').fill('7')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row').filter({ hasText: 'limited' }).getByText('7 / min').waitFor()
    await page.getByRole('button', { name: 'Actions for limited' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByLabel('State').selectOption('revoked')
    await page.getByRole('button', { name: 'Actions for limited' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“limited” is deleted').waitFor()
    await visitor.close()
  })

  test('a list that was asked for while a write was under way shows what the write did', async () => {
    await asAdmin(world.gateway, 'POST', '/admin/keys', { name: 'crossing' })
    const visitor = await asAdministrator(world, '/keys?show=all&q=crossing')
    const { page } = visitor
    const asked = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    // The list is read before the write, and its answer comes after that of the write.
    await page.route(
      (url) => url.searchParams.get('status') === 'revoked',
      async (route) => {
        const response = await route.fetch()
        asked.resolve()
        await written.promise
        // The page may have given the question up.
        await route.fulfill({ response }).catch(() => undefined)
      },
      { times: 1 },
    )
    await page.route(/\/admin\/keys\/.+/, async (route) => {
      await asked.promise
      await route.fulfill({ response: await route.fetch() })
      written.resolve()
    })
    await page.getByRole('button', { name: 'Actions for crossing' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByLabel('State').selectOption('revoked')
    await page.getByRole('button', { name: 'Actions for crossing' }).waitFor()
    await page.getByRole('cell', { name: 'Revoked' }).waitFor()
    await visitor.close()
  })

  test('a link to a later page of a table leads to the first one, and never out of the portal', async () => {
    for (let count = 0; count < 51; count += 1)
      await asAdmin(world.gateway, 'POST', '/admin/keys', { name: `paged-${count}` })
    const visitor = await asAdministrator(world, '/keys?show=all&q=paged')
    const { page } = visitor
    const rows = page.locator('tbody tr')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('1 row on this page').waitFor()
    const shared = await visitor.context.newPage()
    await shared.goto(page.url())
    await shared.getByText('1 row on this page').waitFor()
    assert.equal(await shared.getByRole('button', { name: 'Back' }).count(), 0)
    await shared.getByRole('button', { name: 'First page' }).click()
    await shared.getByText('50 rows on this page').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByText('50 rows on this page').waitFor()
    assert.equal(await rows.count(), 50)
    await visitor.close()
  })

  test('several keys are revoked at once, a column is put away for good, and the list becomes a file', async () => {
    for (const name of ['bulk-1', 'bulk-2', '=bulk-3']) await asAdmin(world.gateway, 'POST', '/admin/keys', { name })
    // With its hyphen, which the random part of a key never has: a search looks at the beginning of keys too.
    const visitor = await asAdministrator(world, '/keys?show=all&q=bulk-')
    const { page } = visitor
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n')
    assert.match(lines[0] ?? '', /^id,name,prefix,/)
    assert.equal(lines.length, 4, lines.join('\n'))
    assert.ok(lines.some((line) => line.includes(",'=bulk-3,")))
    await page.getByText('Columns', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'Spend' }).uncheck()
    await page.getByRole('columnheader', { name: 'Spend' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('columnheader', { name: 'Last used' }).waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'Spend' }).count(), 0)
    await page.getByLabel('Choose bulk-1').check()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    const one = page.getByRole('alertdialog', { name: 'Revoke 1 key?' })
    await one.getByText('It was never used. Whatever uses it is refused').waitFor()
    await one.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Choose bulk-2').check()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('alertdialog', { name: 'Revoke 2 keys?' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('2 keys revoked.').waitFor()
    await page.getByLabel('Choose bulk-2').waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: '=bulk-3' }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 1)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('what the gateway says about one field stands at that field', async () => {
    const visitor = await asAdministrator(world, '/keys?show=all')
    const { page } = visitor
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('wrong')
    await page.route(/\/admin\/keys$/, (route) =>
      route.fulfill({
        status: 400,
        json: {
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'name: is taken',
            code: 'invalid_body',
            details: [{ path: 'name', message: 'This name is not allowed here.' }],
          },
          request_id: 'req_x',
        },
      }),
    )
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('This name is not allowed here.').waitFor()
    const field = page.getByLabel('Name', { exact: true })
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await field.inputValue(), 'wrong')
    await visitor.close()
  })

  test('a zone without a name, which the gateway would refuse on every page, is none', async () => {
    const visitor = await asMember(world, '/me/settings', alice, { timezoneId: 'Europe/Berlin' })
    const { page } = visitor
    await page.getByRole('combobox', { name: 'Zone' }).fill('+02:00')
    await page.getByText('There is no zone “+02:00”; times stay in Europe/Berlin.').waitFor()
    await page.getByRole('combobox', { name: 'Zone' }).fill('IST')
    await page.getByText('There is no zone “IST”; times stay in Europe/Berlin.').waitFor()
    await visit(world, visitor, '/')
    await page.getByText('Spend, last 30 days', { exact: true }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await visitor.close()
  })

  test('a person tries, saves and removes a search provider', async () => {
    const visitor = await asMember(world, '/me/search')
    const { page } = visitor
    const search = world.gateway.simulator.searchUrl
    await page.getByLabel('Provider', { exact: true }).selectOption('custom')
    await page.getByLabel('Address', { exact: true }).fill(`${search}/custom`)
    const press = (name: string) => () => page.getByRole('button', { name, exact: true }).click()
    await press('Test')()
    const found = page.getByText(/Your own service (answered with|did not answer)/)
    await found.waitFor()
    await page.getByLabel('Results for each search').fill('7')
    await found.waitFor({ state: 'detached' })
    await press('Save')()
    await page.getByText('Saved. Your next search uses it.').waitFor()
    await page.getByRole('definition').filter({ hasText: 'Your own service' }).waitFor()
    await press('Remove')()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('DuckDuckGo, which needs no key.').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a program that asks to act for a person is refused by one button', async () => {
    const login = await beginCliLogin(world.gateway)
    const visitor = await asMember(world, `/device?user_code=${login.user_code}&kind=cli`)
    await visitor.page.getByRole('button', { name: 'No', exact: true }).click()
    await visitor.page.getByRole('heading', { name: 'Refused' }).waitFor()
    await visitor.close()
  })

  test('Copy works on plain http, where the browser offers no clipboard', async () => {
    const visitor = await asMember(world, '/connect?way=unix')
    const { page } = visitor
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })')
    await page.evaluate(
      'document.addEventListener("copy", () => { window.copied = document.getSelection().toString() || document.activeElement.value })',
    )
    await page.getByRole('button', { name: 'Copy: Run this in a terminal' }).click()
    await page.getByRole('button', { name: 'Copy: Run this in a terminal' }).filter({ hasText: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('window.copied'), `curl -fsSL ${world.gateway.url}/setup | sh`)
    await visitor.close()
  })

  test('Connect has what to set for other clients, with the address filled in and a way to a key', async () => {
    const visitor = await asMember(world, '/connect')
    const { page } = visitor
    await page.getByRole('tab', { name: 'Other clients' }).click()
    const { url } = world.gateway
    const told = page.getByRole('tabpanel')
    for (const address of [
      `'${url}/v1'`,
      `'${url}'`,
      `"${url}/v1"`,
      `apiBase: ${url}/v1/`,
      `ANTHROPIC_BASE_URL=${url}`,
    ])
      await told.getByText(address).first().waitFor()
    await told.getByRole('link', { name: 'Make a virtual key' }).waitFor()
    assert.match(page.url(), /way=other/)
    await visitor.close()
  })

  test('a new gateway shows its administrator what is left to do, by what it finds', async () => {
    const visitor = await asAdministrator(world)
    const { page } = visitor
    await page.getByRole('link', { name: 'Show them' }).click()
    await page.getByRole('heading', { name: 'First steps', level: 1 }).waitFor()
    await page.getByText('Not yet: none set').waitFor({ state: 'attached' })
    const budget = { limit_usd: 50, period: 'monthly', policy: 'standard' }
    await asAdmin(world.gateway, 'PUT', '/admin/settings/default_budget', { value: budget })
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('Done: set', { exact: true }).waitFor({ state: 'attached' })
    await visitor.close()
    const member = await asMember(world)
    await member.page.getByText('$50.00 left of $50.00').or(member.page.getByText('left of $50.00')).first().waitFor()
    await member.page.getByText('The default for everybody').waitFor()
    await member.close()
  })

  test('a member opens a call of their own from Home, sees why it went where it went, and goes back', async () => {
    const visitor = await asMember(world, '/keys')
    const { page } = visitor
    const key = await makeKey(page, 'opened')
    for (const max_tokens of [5, 6])
      await fetch(`${world.gateway.url}/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens, messages: [{ role: 'user', content: 'hi' }] }),
      })
    const stored = async (): Promise<boolean> => {
      const { data } = await (await visitor.context.request.get(`${world.gateway.url}/me/requests`)).json()
      return data.filter((call: { key: string | null }) => call.key === 'opened').length === 2
    }
    while (!(await stored())) await page.waitForTimeout(100)
    await page.goto(`${world.gateway.url}/portal#/`)
    // What was read before the calls is not shown again.
    await page.reload()
    await page.getByRole('table', { name: 'My last requests' }).getByRole('link').first().click()
    const drawer = page.getByRole('dialog', { name: 'Request' })
    await drawer.getByText('default endpoint').first().waitFor()
    await drawer.getByText('In all').waitFor()
    assert.match(page.url(), /#\/me\/requests\?id=req_/)
    const first = page.url()
    await drawer.getByRole('button', { name: /^Older/ }).click()
    await page.waitForURL((url) => url.href !== first)
    await drawer.getByText('In all').waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'My requests' }).getByRole('row').nth(1).getByRole('button').first().click()
    await drawer.getByText('In all').waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    assert.match(page.url(), /#\/me\/requests$/)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('every own page is sound: for assistive technology, in both themes, on a phone, without a foreign request', async () => {
    const admin = await asAdministrator(world)
    for (const path of [
      '/',
      '/connect',
      '/me/requests',
      '/keys?show=all&status=any',
      '/me/search',
      '/me/settings',
      '/welcome',
      '/device',
    ])
      await assertSoundPage(world, admin, path)
    await visit(world, admin, '/keys')
    await admin.close()
    const member = await asMember(world, '/', alice)
    await assertSoundPage(world, member, '/')
    await member.close()
  })
}
