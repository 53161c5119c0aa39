/** What people who read figures do: compare, ask questions of their own, keep views, and try a budget before it is set. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SpendRecord } from '../../../src/foundation/domain/spend-record.ts'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { parseCsv } from '../../analytics/parse-csv.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { asAdministrator, assertSoundPage, type PortalWorld, startPortalWorld, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('figures', figureTests)

const DAY_MS = 86_400_000
const usd = (amount: number): number => Math.round(amount * 1_000_000_000)

function figureTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
    await fillFigures(world)
  })

  after(() => world.stop())

  test('a comparison is in the address, and its table and its file have the same numbers', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7', { timezoneId: 'UTC' })
    const { page } = visitor
    await page.getByLabel('Compare with', { exact: true }).selectOption('previous')
    assert.match(page.url(), /compare=previous/)
    await page.getByText('Today is running, so both end at the same time of day.').waitFor()
    // Seven dollars in the days before; today's calls may lie after the last quarter of an hour.
    await page.getByText(/; \$7\.00 before$/).waitFor()
    await page.getByRole('button', { name: 'View as table: Teams' }).click()
    // Teams have an earlier time of their own to ask for.
    await page.getByRole('columnheader', { name: 'Before' }).waitFor()
    const shown = await tableOf(page, 'Teams')
    assert.deepEqual(shown[0], ['Name', 'Spend', 'Detail', 'Before', 'Change', 'Percent'])
    assert.deepEqual(shown[1], ['Platform', '$14.00', '2 calls', '$7.00', '+$7.00', '+100%'])
    const file = await saved(page, 'Save as CSV: Teams')
    assert.deepEqual(file.slice(0, 2), [shown[0], ['Platform', '14', '2 calls', '7', '7', '100']])
    assert.equal(file.length, shown.length)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('the earlier time that cannot be read is told, and the figures of now stay', async () => {
    const visitor = await asAdministrator(world, '/teams', { timezoneId: 'UTC' })
    const { page } = visitor
    const first = new Date(Date.now() - 13 * DAY_MS).toISOString().slice(0, 10)
    await page.route('**/admin/analytics/org/spend?*', (route) =>
      route.request().url().includes(`from=${first}`)
        ? route.fulfill({ status: 503, json: { type: 'error', error: { type: 'api_error', message: 'Away.' } } })
        : route.fallback(),
    )
    await visit(world, visitor, '/org-analytics?days=7&compare=previous')
    await page.getByText('The time to compare with could not be loaded').waitFor()
    await page.getByRole('heading', { name: 'Spend by team' }).waitFor()
    await visitor.close()
  })

  test('a question of one’s own is in the address, its file is what is shown, and others stand together', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?tab=explore&days=7', { timezoneId: 'UTC' })
    const { page } = visitor
    await page.getByLabel('Measure', { exact: true }).selectOption('requests')
    await page.getByLabel('Divided by', { exact: true }).selectOption('model')
    await page.getByLabel('Top', { exact: true }).selectOption('5')
    await page.getByLabel('Shown as', { exact: true }).selectOption('table')
    assert.match(page.url(), /measure=requests/)
    assert.match(page.url(), /by=model/)
    await page.getByRole('button', { name: 'Save as CSV: Calls by model' }).waitFor()
    // The answer of before, with more rows, stays until this one is there.
    await page.getByText(/^\d others$/).waitFor()
    const shown = await tableOf(page, 'Calls by model')
    assert.deepEqual(shown[0], ['Name', 'Calls'])
    assert.match(shown.at(-1)?.[0] ?? '', /^\d others$/)
    assert.equal(shown.length, 7)
    const file = await saved(page, 'Save as CSV: Calls by model')
    assert.deepEqual(file, shown)
    await page.reload()
    await page.getByRole('button', { name: 'Save as CSV: Calls by model' }).waitFor()
    assert.deepEqual(await tableOf(page, 'Calls by model'), shown)
    await page.getByLabel('Measure', { exact: true }).selectOption('p95')
    await page.getByRole('heading', { name: 'Time to answer, 95 of 100 by model' }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a view is saved, opened from the menu and from the palette, and deleted', async () => {
    const visitor = await asAdministrator(world, '/requests?status=error')
    const { page } = visitor
    const open = async (entry: string): Promise<void> => {
      await page.getByRole('button', { name: 'Views', exact: true }).click()
      await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter')
    }
    await open('Save this view')
    await page.getByLabel('Name', { exact: true }).fill('Failed calls')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByText('Failed calls is saved.').waitFor()
    await visit(world, visitor, '/org-analytics')
    await open('Failed calls')
    await page.waitForURL(/#\/requests\?status=error/)
    await visit(world, visitor, '/teams')
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /Failed calls/ }).click()
    await page.waitForURL(/#\/requests\?status=error/)
    await open('Delete a view')
    await page.getByRole('button', { name: 'Delete Failed calls' }).click()
    await page.getByText('Failed calls is deleted.').waitFor()
    await page.getByText('You have no saved views.').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a budget says what it would do while it is typed, and saving does not wait for it', async () => {
    // Spent now: what was spent some days ago may be of the month before.
    const userId = await made(world, '/admin/users', { subject: 'bea@example.com', role: 'member' })
    await store(world, [aSpendRecord({ userId, teamId: null, atMs: Date.now(), costNanoUsd: usd(60) })])
    const visitor = await asAdministrator(world, '/budgets')
    const { page } = visitor
    await page.getByRole('button', { name: 'Set a default' }).click()
    await page.getByLabel('Limit in US dollars', { exact: true }).fill('50')
    await page.getByText(/^1 of \d+ people would be above this today \(1 stopped\)/).waitFor()
    await page.getByText('Who they are').click()
    await page.getByText('bea@example.com').waitFor()
    await page.getByLabel('Limit in US dollars', { exact: true }).fill('1000')
    await page.getByText(/^0 of \d+ people would be above this today/).waitFor()
    await page.route('**/admin/budgets/simulate', () => undefined)
    await page.getByLabel('Limit in US dollars', { exact: true }).fill('2000')
    await page.getByRole('button', { name: 'Save budget' }).click()
    await page.getByText('The budget of everybody without one is saved.').waitFor()
    await visitor.close()
  })

  test('a chart is drawn in the moment in which its place appears', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page } = visitor
    await page.evaluate(`new MutationObserver((changes) => {
      for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        for (const chart of added.querySelectorAll?.('[role=img][tabindex]') ?? [])
          (window.seenCharts ??= []).push(chart.querySelector('svg') !== null)
    }).observe(document, { childList: true, subtree: true })`)
    await visit(world, visitor, '/org-analytics?tab=activity')
    await page.locator('[role=img][tabindex] svg').first().waitFor()
    const seen = (await page.evaluate('window.seenCharts')) as readonly boolean[]
    assert.ok(seen.length > 0 && !seen.includes(false), String(seen))
    await page.setViewportSize({ width: 900, height: 800 })
    const fits = `[...document.querySelectorAll('[role=img][tabindex]')].every((chart) =>
      chart.querySelector('svg').clientWidth === chart.clientWidth && chart.clientWidth < 900)`
    await page.waitForFunction(fits)
    await visitor.close()
  })

  test('on a phone the tab that an address names is in the visible part of its row', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?tab=explore', {
      viewport: { width: 390, height: 800 },
    })
    const { page } = visitor
    const tab = page.getByRole('tab', { selected: true })
    const isSeen = () =>
      tab.evaluate((element) => {
        const [own, row] = [element, element.parentElement ?? element].map((each) => each.getBoundingClientRect())
        return own !== undefined && row !== undefined && own.left >= row.left - 1 && own.right <= row.right + 1
      })
    assert.equal(await tab.innerText(), 'Explore')
    assert.equal(await isSeen(), true)
    await visit(world, visitor, '/org-analytics')
    assert.equal(await tab.innerText(), 'Spend')
    assert.equal(await isSeen(), true)
    await visitor.close()
  })

  for (const path of ['/org-analytics?days=7&compare=previous', '/org-analytics?tab=explore&measure=tokens&by=user'])
    test(`${path} is sound in both themes and at every width`, async () => {
      const visitor = await asAdministrator(world, path)
      await assertSoundPage(world, visitor, path)
      await visitor.close()
    })
}

async function tableOf(page: Page, title: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: title }).locator('tr')
  return Promise.all((await rows.all()).map((row) => row.locator('th, td').allInnerTexts()))
}

async function saved(page: Page, button: string): Promise<readonly (readonly string[])[]> {
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return parseCsv(await readFile(await (await file).path(), 'utf8'))
}

async function made({ gateway }: PortalWorld, path: string, body: object): Promise<string> {
  return ((await (await asAdmin(gateway, 'POST', path, body)).json()) as { id: string }).id
}

async function store({ gateway: { database } }: PortalWorld, records: readonly SpendRecord[]): Promise<void> {
  assert.ok(database !== undefined)
  await createSpendLog(database.kysely).appendBatch(records)
}

/** Fourteen dollars of one team in the last days and seven in those before, of seven models. */
async function fillFigures(world: PortalWorld): Promise<void> {
  const teamId = await made(world, '/admin/teams', { name: 'Platform' })
  const userId = await made(world, '/admin/users', { subject: 'ada@example.com', role: 'member', team_id: teamId })
  const spent = (daysAgo: number, amount: number, model = 'claude-sonnet-5') =>
    aSpendRecord({ userId, teamId, model, atMs: Date.now() - daysAgo * DAY_MS, costNanoUsd: usd(amount) })
  await store(world, [
    spent(2, 8),
    spent(3, 6),
    spent(9, 7),
    ...Array.from({ length: 6 }, (_, index) => ({
      ...spent(2, 0, `model-${index}`),
      teamId: null,
      userId: null,
    })),
  ])
}
