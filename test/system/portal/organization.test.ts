/** What an administrator does for the organization: follow the money, find a call, set budgets, look after teams and people. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { login } from '../../support/gateway.ts'
import {
  asAdministrator,
  asMember,
  assertSoundPage,
  type PortalWorld,
  settled,
  startPortalWorld,
  visit,
} from './journey.ts'

if (chromiumPath !== undefined) describe('organization pages', organizationTests)

const alice = 'alice@example.com'

interface Ids {
  readonly team: string
  readonly user: string
  readonly key: string
  readonly request: string
}

function organizationTests(): void {
  let world: PortalWorld
  let ids: Ids

  before(async () => {
    world = await startPortalWorld()
    ids = await fillOrganization(world)
  })

  after(() => world.stop())

  test('analytics: a filter narrows the numbers, a number leads to its calls, and the export has just these', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const { page } = visitor
    await page.getByLabel('Team', { exact: true }).selectOption('Platform')
    assert.match(page.url(), /team=Platform/)
    const file = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const text = await readFile(await (await file).path(), 'utf8')
    const lines = text.trim().split('\r\n')
    assert.match(lines[0] ?? '', /^time,request_id,/)
    assert.equal(lines.length - 1, CALLS)
    assert.ok(lines.slice(1).every((line) => line.includes('Platform')))
    await page.getByRole('link', { name: String(CALLS), exact: true }).click()
    await page.getByRole('button', { name: /Team: Platform/ }).waitFor()
    await page.getByRole('cell', { name: alice }).first().waitFor()
    assert.equal(await page.locator('tbody tr').count(), CALLS)
    await page.locator('tbody tr').first().getByRole('button').first().click()
    const drawer = page.getByRole('dialog', { name: 'Request' })
    await drawer.getByRole('heading', { name: 'Routing' }).waitFor()
    await drawer.getByRole('table', { name: 'Price line by line' }).waitFor()
    assert.match(page.url(), /[?&]id=req_/)
    await page.keyboard.press('j')
    await drawer.getByRole('heading', { name: 'Routing' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /[?&]id=/)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a chart is one stop of the keyboard, and the arrows read its values', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const { page } = visitor
    const chart = page.getByRole('img', { name: /^Spend by team/ })
    await page.getByRole('button', { name: 'View as table: Spend by team' }).focus()
    await page.keyboard.press('Tab')
    assert.equal(await chart.evaluate((element) => element.matches(':focus')), true)
    await page.keyboard.press('End')
    await page.getByRole('status').filter({ hasText: 'Platform $' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('status').filter({ hasText: 'Platform $' }).waitFor({ state: 'detached' })
    await visitor.close()
  })

  test('the pointer reads the bar that it is on, at its edges too', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const { page } = visitor
    const chart = page.getByRole('img', { name: /^Spend by team/ })
    const { x = 0, y = 0 } = (await chart.boundingBox()) ?? {}
    const { left, width } = await barRoom(page)
    const read = async (share: number): Promise<string> => {
      await page.mouse.move(x + left + share * width, y + 60)
      return await chart.locator('xpath=..').locator('[aria-hidden] > p').first().innerText()
    }
    const days: string[] = []
    for (let bar = 0; bar < 7; bar += 1) {
      const own = await read((bar + 0.5) / 7)
      days.push(own)
      for (const part of [0.15, 0.85]) assert.equal(await read((bar + part) / 7), own, `at ${part} of bar ${bar}`)
    }
    assert.equal(new Set(days).size, 7)
    await visitor.close()
  })

  test('no label of a chart is cut off, however much or little was spent', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page } = visitor
    let spent = 0
    await page.route('**/admin/analytics/org/spend?*', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { timeseries: object[] }
      const timeseries = body.timeseries.map((one) => ({ ...one, spend_usd: spent, by: { Platform: spent } }))
      await route.fulfill({ response, json: { ...body, timeseries } })
    })
    for (const [width, usd] of [
      [1280, 400],
      [1280, 0.00004],
      [320, 400],
    ] as const) {
      spent = usd
      await page.setViewportSize({ width, height: 800 })
      await page.goto('about:blank')
      await visit(world, visitor, '/org-analytics?days=7')
      const top = page.locator('[role=img] text').filter({ hasText: usd > 1 ? '$400.00' : '$0.00004' })
      await top.first().waitFor()
      const cut = await page.evaluate(`[...document.querySelectorAll('[role=img] text')]
        .filter((label) => {
          const [own, chart] = [label, label.closest('[role=img]')].map((part) => part.getBoundingClientRect())
          return own.left < chart.left || own.right > chart.right
        })
        .map((label) => label.textContent)`)
      assert.deepEqual(cut, [], `${usd} at ${width}`)
    }
    await visitor.close()
  })

  test('this month is compared with as many days before it, and not with days of which most are to come', async () => {
    const visitor = await asAdministrator(world, '/teams', { timezoneId: 'UTC' })
    const { page } = visitor
    await page.clock.setFixedTime('2026-11-03T12:00:00Z')
    const asked = page.waitForRequest(/analytics\/org\/overview/)
    await visit(world, visitor, '/org-analytics?range=this-month')
    const { searchParams } = new URL((await asked).url())
    assert.deepEqual([searchParams.get('from'), searchParams.get('to')], ['2026-11-01', '2026-11-03'])
    await page.getByText('1 Nov 2026 to 3 Nov 2026').waitFor()
    await visitor.close()
  })

  test('J and K are single letters too, and are switched off with the others', async () => {
    const visitor = await asAdministrator(world, `/requests?user=${alice}`)
    const { page } = visitor
    const open = async (): Promise<string> => {
      await page.locator('tbody tr').first().getByRole('button').first().click()
      await page.getByRole('dialog', { name: 'Request' }).getByRole('heading', { name: 'Routing' }).waitFor()
      return page.url()
    }
    const first = await open()
    await page.keyboard.press('j')
    assert.notEqual(page.url(), first)
    await page.evaluate("localStorage.setItem('causeway.shortcuts', 'off')")
    await page.goto(first)
    await page.reload()
    const older = page.getByRole('button', { name: 'Older', exact: true })
    await older.waitFor()
    await page.keyboard.press('j')
    assert.equal(page.url(), first)
    await older.click()
    assert.notEqual(page.url(), first)
    await visitor.close()
  })

  test('what is typed into the palette over an open call does not go on to another call', async () => {
    const visitor = await asAdministrator(world, `/requests?user=${alice}`)
    const { page } = visitor
    await page.locator('tbody tr').first().getByRole('button').first().click()
    await page.getByRole('dialog', { name: 'Request' }).getByRole('heading', { name: 'Routing' }).waitFor()
    const opened = page.url()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox')
    await palette.pressSequentially('jkj')
    assert.equal(await palette.inputValue(), 'jkj')
    assert.equal(page.url(), opened)
    await palette.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.waitForURL((now) => now.href !== opened)
    await visitor.close()
  })

  for (const [path, name] of [
    ['/requests', 'Request'],
    ['/sessions', 'Session'],
  ] as const)
    test(`opening a ${name.toLowerCase()} is a step that back undoes; closing it is going back, or shows the list after a link`, async () => {
      const visitor = await asAdministrator(world, '/teams')
      const { page } = visitor
      await visit(world, visitor, `${path}?days=30`)
      const list = page.url()
      const drawer = page.getByRole('dialog', { name })
      const open = async (): Promise<string> => {
        await page.locator('tbody tr').first().getByRole('button').first().click()
        await drawer.waitFor()
        return page.url()
      }
      const opened = await open()
      await page.goBack()
      await drawer.waitFor({ state: 'detached' })
      assert.equal(page.url(), list)
      await page.goForward()
      await drawer.waitFor()
      await page.reload()
      await drawer.waitFor()
      // The second one, while the first is on its way, would leave the list.
      await page.evaluate(
        "for (const _ of [1, 2]) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))",
      )
      await drawer.waitFor({ state: 'detached' })
      await page.waitForURL(list)
      await open()
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      await page.goBack()
      await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor()
      await page.goto('about:blank')
      await page.goto(opened)
      await drawer.waitFor()
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      assert.equal(page.url(), list)
      await visitor.close()
    })

  test('requests: the search takes words, says what it does not understand, and a live call appears by itself', async () => {
    const visitor = await asAdministrator(world, '/requests?q=status:error')
    const { page } = visitor
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('searchbox').fill('colour:red')
    await page.getByRole('alert').filter({ hasText: 'there is no "colour"' }).waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: 'Live' }).click()
    await page.getByText('Watching').waitFor()
    await call(world, ids.key)
    await page.getByRole('table', { name: 'Calls as they end' }).getByText(alice).first().waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a budget that is set here warns, slows down and stops the member, who sees it at home', async () => {
    const admin = await asAdministrator(world, `/users/${ids.user}`)
    const member = await asMember(world, '/')
    const spent = await spendOfAlice(world)
    const steps = [
      { share: 0.9, word: 'Warning' },
      { share: 1.2, word: 'Slowed down' },
      { share: 2, word: 'Blocked' },
    ]
    for (const [index, { share, word }] of steps.entries()) {
      await admin.page.getByRole('button', { name: index === 0 ? 'Set a budget' : 'Change budget' }).click()
      await admin.page.getByLabel('Limit in US dollars').fill((spent / share).toFixed(6))
      await admin.page.getByLabel('What happens').selectOption('shaped')
      await admin.page.getByRole('dialog').getByText('100% slows down to 5 a minute').waitFor()
      await admin.page.getByRole('button', { name: 'Save budget' }).click()
      await admin.page.getByRole('dialog').waitFor({ state: 'detached' })
      await admin.page.getByText(word).waitFor()
      await member.page.reload()
      await settled(member.page)
      await member.page.getByText(word).waitFor()
    }
    assert.equal((await send(world, ids.key)).status, 429)
    await admin.page.getByRole('button', { name: 'Remove budget' }).click()
    await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await admin.page.getByText('None of their own').waitFor()
    await member.page.reload()
    await member.page.getByText('No budget limits you').waitFor()
    assert.deepEqual([...admin.complaints, ...member.complaints], [])
    await admin.close()
    await member.close()
  })

  test('teams: made, renamed, joined and deleted, with what goes with them', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page } = visitor
    await page.getByRole('button', { name: 'New team' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Checkout')
    const create = () => page.getByRole('button', { name: 'Create team' }).click()
    await create()
    await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Payments')
    const rename = () => page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await rename()
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Add a person' }).click()
    await page.getByRole('button', { name: `Add ${alice}` }).click()
    await page.getByText(`${alice} is in the team Payments now.`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: alice }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('Its 1 person stays, without a team.').waitFor()
    const remove = () => question.getByRole('button', { name: 'Delete' }).click()
    await remove()
    await page.getByRole('heading', { name: 'Teams', level: 1 }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Payments' }).count(), 0)
    await asAdmin(world.gateway, 'PUT', `/admin/users/${ids.user}/team`, { team_id: ids.team })
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('people: added, moved, suspended so that keys stop at once, let back in, released', async () => {
    const visitor = await asAdministrator(world, '/users')
    const { page } = visitor
    await page.getByRole('button', { name: 'Add a person' }).first().click()
    await page.getByLabel('Subject').fill('new@example.com')
    const add = () => page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await add()
    await page.getByRole('heading', { name: 'new@example.com', level: 1 }).waitFor()
    await page.getByLabel('Team').selectOption('Platform')
    await page.getByRole('link', { name: 'Open team' }).waitFor()
    await visit(world, visitor, `/users/${ids.user}`)
    await page.getByRole('button', { name: 'Suspend' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('1 active key').waitFor()
    const suspend = () => question.getByRole('button', { name: 'Suspend' }).click()
    await suspend()
    await page.getByText('This person cannot sign in').waitFor()
    assert.equal((await send(world, ids.key)).status, 401)
    await page.getByRole('button', { name: 'Let back in' }).click()
    await page.getByText('This person cannot sign in').waitFor({ state: 'detached' })
    assert.equal((await send(world, ids.key)).status, 200)
    await page.getByRole('button', { name: 'Release identity' }).click()
    const release = () => question.getByRole('button', { name: 'Release' }).click()
    await release()
    await page.getByText('the first one binds the person').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('several people: pasted, put into a team, told apart from those who are here, and mended where one is refused', async () => {
    const visitor = await asAdministrator(world, '/users')
    const { page } = visitor
    const dialog = page.getByRole('dialog')
    const add = () => dialog.getByRole('button', { name: 'Add them' }).click()
    await page.getByRole('button', { name: 'Add several' }).click()
    await add()
    await dialog.getByText('Paste at least one address.').waitFor()
    const long = `${'x'.repeat(330)}@example.com`
    await dialog.getByLabel('Addresses').fill(`Gus Grey <gus@example.com>\n${long}\n${alice}`)
    await dialog.getByLabel('Team').selectOption('Platform')
    await add()
    await dialog.getByText(`2 of 3 are done. ${long}: `).waitFor()
    await dialog.getByLabel('Addresses').fill(`gus@example.com\nhal@example.com`)
    await add()
    await page.getByText('1 person is added, 1 here before.').waitFor()
    await page.getByLabel('Search people').fill('hal@')
    await page.getByRole('row', { name: /hal@example\.com.*Platform/ }).waitFor()
    const found = await asAdmin(world.gateway, 'GET', '/admin/users?q=gus@')
    const { data } = (await found.json()) as { data: readonly { team_id: string | null }[] }
    assert.deepEqual(
      data.map((user) => user.team_id),
      [ids.team],
    )
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a person and a team that were deleted are gone from the lists that were read just before', async () => {
    await made(world, '/admin/users', { subject: 'leaver@example.com', role: 'member' })
    await made(world, '/admin/teams', { name: 'Dissolved' })
    const visitor = await asAdministrator(world, '/users')
    const { page } = visitor
    for (const [path, gone, stays] of [
      ['/users', 'leaver@example.com', alice],
      ['/teams', 'Dissolved', 'Platform'],
    ] as const) {
      const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true })
      await visit(world, visitor, path)
      await link(gone).click()
      await page.getByRole('heading', { name: gone, level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await page.waitForURL(`**/portal#${path}`)
      await link(stays).first().waitFor()
      await link(gone).waitFor({ state: 'detached' })
    }
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a team has a document for its clients, which lies over that of everybody and can be removed', async () => {
    const made = await asAdmin(world.gateway, 'POST', '/admin/teams', { name: 'Managed' })
    const { id } = (await made.json()) as { id: string }
    const visitor = await asAdministrator(world, `/teams/${id}?tab=clients`)
    const { page } = visitor
    const stored = async (): Promise<unknown> =>
      (
        (await (await asAdmin(world.gateway, 'GET', `/admin/teams/${id}/managed-settings`)).json()) as {
          settings: unknown
        }
      ).settings
    await page.getByText('Nobody has set one yet.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Remove' }).count(), 0)
    await page.getByLabel('JSON document').fill('["no object"]')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('One JSON object, such as').waitFor()
    await page.getByLabel('JSON document').fill('{"permissions": {"deny": ["WebFetch"]}}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. Clients ask for it about once an hour.').waitFor()
    await page.getByText(/^Changed .* by admin/).waitFor()
    assert.deepEqual(await stored(), { permissions: { deny: ['WebFetch'] } })
    await assertSoundPage(world, visitor, `/teams/${id}?tab=clients`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page
      .getByRole('alertdialog', { name: 'Remove the settings of Managed?' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByText('Nobody has set one yet.').waitFor()
    assert.deepEqual(await stored(), {})
    await page.getByRole('link', { name: 'the document of everybody' }).click()
    await page.getByRole('heading', { name: 'Settings for clients', exact: true }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('budgets: the default and own rules, of a team and its members', async () => {
    const visitor = await asAdministrator(world, '/budgets')
    const { page } = visitor
    await page.getByRole('button', { name: 'Set a default' }).click()
    await page.getByLabel('Limit in US dollars').fill('25')
    await page.getByLabel('What happens').selectOption('own')
    await page.getByLabel('Rules').fill('50 notify\n90 shape')
    await page.getByRole('button', { name: 'Save budget' }).click()
    await page.getByText('shape needs the calls a minute').waitFor()
    await page.getByLabel('Rules').fill('50 notify\n90 shape 3\n120 block')
    const save = () => page.getByRole('button', { name: 'Save budget' }).click()
    await save()
    await page.getByText('$25.00 a month for each person').waitFor()
    await page.getByText('90% slows down to 3 a minute').waitFor()
    await page.getByRole('button', { name: 'Set a budget' }).first().click()
    await page.getByRole('searchbox', { name: 'Name' }).fill('Plat')
    await page.getByRole('button', { name: 'Choose Platform' }).click()
    await page.getByLabel('Limit in US dollars').fill('400')
    await page.getByLabel('Limit for each member').fill('40')
    await save()
    await page.getByRole('cell', { name: '$400.00 a month' }).waitFor()
    await page.getByRole('button', { name: 'Remove default' }).click()
    const question = page.getByRole('alertdialog')
    const remove = () => question.getByRole('button', { name: 'Remove' }).click()
    await remove()
    await page.getByText('There is none').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a filter that no budget fits does not say that nobody is limited', async () => {
    await asAdmin(world.gateway, 'PUT', `/admin/teams/${ids.team}/budget`, {
      limit_usd: 500,
      period: 'monthly',
      policy: 'standard',
    })
    const visitor = await asAdministrator(world, '/budgets?scope=user')
    const { page } = visitor
    await page.getByText('No budgets of people').waitFor()
    assert.equal(await page.getByText('Nothing limits').count(), 0)
    await page.getByLabel('Show').selectOption('team')
    await page.getByRole('cell', { name: 'Platform' }).first().waitFor()
    await visitor.close()
    await asAdmin(world.gateway, 'DELETE', `/admin/teams/${ids.team}/budget`)
  })

  test('sessions show their agents, each with its part of the cost', async () => {
    const visitor = await asAdministrator(world, '/sessions?id=session-1')
    const { page } = visitor
    await page.getByRole('dialog').getByText('The conversation itself').waitFor()
    for (const [name, path] of [
      [alice, `#/users/${ids.user}`],
      ['Platform', `#/teams/${ids.team}`],
    ] as const) {
      await page.getByRole('dialog').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      assert.equal(new URL(page.url()).hash, path)
      await page.goBack()
    }
    await page.getByRole('link', { name: /calls$/ }).click()
    await page.getByRole('button', { name: /Session: session-1/ }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('health shows the last hour in squares that open their calls, and the hour that a link names', async () => {
    const visitor = await asAdministrator(world, '/health')
    const { page } = visitor
    const grid = page.getByRole('table', { name: 'Endpoints by minute' })
    await grid
      .getByText(/[1-9] calls, 0 failed/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'View as table: The last hour' }).click()
    await page.getByRole('table', { name: 'The last hour' }).getByRole('row').nth(1).waitFor()
    await page.getByRole('button', { name: 'View as chart: The last hour' }).click()
    await grid.locator('a').last().click()
    await page.getByRole('button', { name: /^Endpoint: / }).waitFor()
    await page.getByRole('cell', { name: alice }).first().waitFor()
    const yesterday = Math.round(Date.now() / 1000) - 86_400
    await assertSoundPage(world, visitor, `/health?at=${yesterday}`)
    await page.getByText(/^Around /).waitFor()
    await page.getByRole('heading', { name: 'The hour of the link' }).waitFor()
    assert.equal(await grid.locator('a').count(), 0)
    await page.getByRole('button', { name: 'Show now' }).click()
    await page.getByRole('heading', { name: 'The last hour' }).waitFor()
    assert.doesNotMatch(page.url(), /at=/)
    await assertSoundPage(world, visitor, '/health')
    await visitor.close()
  })

  test('health is calm only when no record of spend is set aside or late, and says what to do about it', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page } = visitor
    let ledger: object = {}
    await page.route('**/admin/status', async (route) => {
      const response = await route.fetch()
      const status = (await response.json()) as { ledger: object }
      await route.fulfill({ response, json: { ...status, ledger: { ...status.ledger, ...ledger } } })
    })
    const calm = page.getByText('Everything works')
    const show = async (part: object): Promise<void> => {
      ledger = { quarantined: 0, lag_seconds: 0, ...part }
      await visit(world, visitor, '/teams')
      await page.reload()
      await visit(world, visitor, '/health')
      await page.getByText('Set aside', { exact: true }).waitFor()
    }
    await show({ lag_seconds: 60 })
    await calm.waitFor()
    await show({ quarantined: 3 })
    await page.getByRole('status').filter({ hasText: '3 records of spend are set aside' }).waitFor()
    await page.getByText('quarantine-….jsonl').waitFor()
    assert.equal(await calm.count(), 0)
    await show({ lag_seconds: 600 })
    await page.getByRole('status').filter({ hasText: 'Spend is written late' }).waitFor()
    await page.getByText('600 s behind').waitFor()
    assert.equal(await calm.count(), 0)
    await visitor.close()
  })

  test('lengths of time are whole in their units', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page } = visitor
    const lengths: readonly (readonly [seconds: number, text: string])[] = [
      [0.9996, '1.0 s'],
      [9.97, '10 s'],
      [59.7, '1 min'],
      [119.7, '2 min'],
      [150, '2 min 30 s'],
      [3_599, '59 min 59 s'],
      [3_600, '1 h'],
      [5_400, '1 h 30 min'],
      [86_400, '24 h'],
    ]
    await page.route('**/admin/status', async (route) => {
      const response = await route.fetch()
      const status = (await response.json()) as { loops: { name: string; interval_seconds: number }[] }
      const [one] = status.loops
      const loops = lengths.map(([seconds], index) => ({ ...one, name: `loop-${index}`, interval_seconds: seconds }))
      await route.fulfill({ response, json: { ...status, loops } })
    })
    await visit(world, visitor, '/health')
    for (const [index, [, text]] of lengths.entries()) {
      const row = page.getByRole('row').filter({ hasText: `loop-${index}` })
      assert.equal(await row.locator('td').nth(1).innerText(), text)
    }
    await visitor.close()
  })

  test('a member has no way to the pages of the organization', async () => {
    const visitor = await asMember(world, '/requests')
    await visitor.page.getByRole('heading', { name: 'For administrators' }).waitFor()
    assert.equal(await visitor.page.getByRole('link', { name: 'Analytics' }).count(), 0)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  for (const path of [
    '/org-analytics',
    '/org-analytics?tab=reconcile',
    '/requests',
    '/teams',
    '/users',
    '/budgets',
    '/budget-requests',
    '/sessions',
  ])
    test(`${path} is sound in both themes and at every width`, async () => {
      const visitor = await asAdministrator(world, path)
      await assertSoundPage(world, visitor, path)
      await visitor.close()
    })

  test('the pages of one team, one person and one call are sound', async () => {
    const visitor = await asAdministrator(world, '/')
    await assertSoundPage(world, visitor, `/teams/${ids.team}`)
    await assertSoundPage(world, visitor, `/users/${ids.user}`)
    await assertSoundPage(world, visitor, '/org-analytics?tab=models')
    await assertSoundPage(world, visitor, `/requests?id=${ids.request}`)
    await assertSoundPage(world, visitor, '/sessions?id=session-1')
    await visitor.close()
  })

  test('the web searches of a call are a line of its price, and the lines are the whole', async () => {
    const { database } = world.gateway
    assert.ok(database !== undefined)
    const { costNanoUsd, ...record } = aSpendRecord({ atMs: Date.now(), webSearches: 2 })
    await createSpendLog(database.kysely).appendBatch([{ ...record, costNanoUsd: costNanoUsd + 2 * SEARCH_NANO_USD }])
    const visitor = await asAdministrator(world, `/requests?id=${record.requestId}`)
    const lines = visitor.page.getByRole('table', { name: 'Price line by line' }).locator('tbody tr')
    await lines.filter({ hasText: 'Web searches' }).waitFor()
    assert.match((await lines.last().textContent()) ?? '', /^Web searches2.*\$0\.020$/)
    assert.equal(await lines.count(), 5)
    await visitor.close()
  })

  test('what costs something is never shown as nothing, however little it is', async () => {
    const { database } = world.gateway
    assert.ok(database !== undefined)
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 }
    const record = aSpendRecord({ atMs: Date.now(), usage, costNanoUsd: 18_300 })
    await createSpendLog(database.kysely).appendBatch([record])
    const visitor = await asAdministrator(world, `/requests?id=${record.requestId}`)
    const lines = visitor.page.getByRole('table', { name: 'Price line by line' }).locator('tbody tr')
    await lines.nth(2).waitFor()
    const costs = await lines.locator('td:last-child').allTextContents()
    assert.deepEqual(costs, ['$0.000003', '$0.000015', '$0.0000003'])
    await visitor.page.getByRole('dialog').getByText('$0.0000183').waitFor()
    await visitor.close()
  })

  test('a team beyond those that a list shows is found by a part of its name, with the keyboard too', async () => {
    const token = await login(world.gateway.url)
    for (let count = 0; count < 110; count += 1) {
      const answer = await fetch(`${world.gateway.url}/admin/teams`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Crew ${String(count).padStart(3, '0')}` }),
      })
      assert.equal(answer.status, 201)
    }
    const visitor = await asAdministrator(world, '/users')
    const { page } = visitor
    const team = page.getByRole('combobox', { name: 'Team' })
    await page.locator('input[role=combobox]').waitFor()
    await team.click()
    await page.getByText('There are more: type a part of the name.').waitFor()
    await team.fill('tform')
    await page.getByRole('option', { name: 'Platform' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.hash.includes(`team=${ids.team}`))
    await page.getByRole('cell', { name: alice }).first().waitFor()
    assert.equal(await team.inputValue(), 'Platform')
    const members = (await read(world, `/admin/users?team_id=${ids.team}`)) as { data: unknown[] }
    await until(async () => (await page.locator('tbody tr').count()) === members.data.length)
    await visitor.close()
  })
}

const CALLS = 2
const SEARCH_NANO_USD = 10_000_000

/** Alice has signed in, is in a team, and has made two calls in one session with a key of her own. */
async function fillOrganization(world: PortalWorld): Promise<Ids> {
  await (await asMember(world, '/')).close()
  const team = await made(world, '/admin/teams', { name: 'Platform' })
  const people = (await read(world, `/admin/users?q=${alice}`)) as { data: { id: string }[] }
  const user = people.data[0]?.id ?? ''
  await asAdmin(world.gateway, 'PUT', `/admin/users/${user}/team`, { team_id: team.id })
  const key = await made(world, '/admin/keys', { name: 'alice-ci', user_id: user })
  for (let count = 0; count < CALLS; count += 1) await call(world, key['key'] ?? '')
  await until(async () => {
    const { totals } = (await read(world, '/admin/analytics/org/overview?days=7&team=Platform')) as {
      totals: { requests: number }
    }
    return totals.requests === CALLS
  })
  const requests = (await read(world, '/admin/requests?limit=1')) as { data: { request_id: string }[] }
  return { team: team.id, user, key: key['key'] ?? '', request: requests.data[0]?.request_id ?? '' }
}

async function made(world: PortalWorld, path: string, body: object): Promise<Record<string, string> & { id: string }> {
  const answer = await asAdmin(world.gateway, 'POST', path, body)
  assert.equal(answer.status, 201, path)
  return (await answer.json()) as Record<string, string> & { id: string }
}

async function read(world: PortalWorld, path: string): Promise<unknown> {
  return await (await asAdmin(world.gateway, 'GET', path)).json()
}

function send(world: PortalWorld, key: string): Promise<Response> {
  return fetch(`${world.gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-claude-code-session-id': 'session-1',
    },
    body: JSON.stringify({
      model: 'claude-opus-5-5',
      max_tokens: 200,
      messages: [{ role: 'user', content: 'a word '.repeat(2_000) }],
    }),
  })
}

async function call(world: PortalWorld, key: string): Promise<void> {
  const answer = await send(world, key)
  assert.equal(answer.status, 200, await answer.text())
}

async function spendOfAlice(world: PortalWorld): Promise<number> {
  const { totals } = (await read(world, `/admin/analytics/org/overview?days=1&user=${alice}`)) as {
    totals: { spend_usd: number }
  }
  assert.ok(totals.spend_usd > 0.001, `only ${totals.spend_usd} is spent`)
  return totals.spend_usd
}

/** Where the bars of the first chart stand, by the lines behind them. */
async function barRoom(page: Page): Promise<{ readonly left: number; readonly width: number }> {
  const line = page.locator('[role=img] svg line').first()
  const [chart, own] = [await page.locator('[role=img]').first().boundingBox(), await line.boundingBox()]
  assert.ok(chart !== null && own !== null)
  return { left: own.x - chart.x, width: own.width }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 120_000
  while (!(await isTrue())) {
    assert.ok(Date.now() < endMs, 'did not come true')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
