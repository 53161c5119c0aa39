/** Where a page has nothing to show, or somebody changes their mind: there is a word about it and a way on, and nothing is lost or written by accident. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import {
  accessibilityProblems,
  asAdministrator,
  asMember,
  assertSoundPage,
  assertSoundWindow,
  type PortalWorld,
  startPortalWorld,
  visit,
} from './journey.ts'

const calm = { reducedMotion: 'reduce' } as const
const unused = '0190a000-0000-7000-8000-000000000001'

const refuse = (route: Route) =>
  route.fulfill({ status: 403, json: { type: 'error', error: { message: 'Not now.', code: 'test' } } })

if (chromiumPath !== undefined) describe('ways back', wayTests)

function wayTests(): void {
  let world: PortalWorld
  let team: string
  let person: string

  async function made(path: string, body: object): Promise<string> {
    const answer = await asAdmin(world.gateway, 'POST', path, body)
    assert.equal(answer.status, 201, path)
    return ((await answer.json()) as { id: string }).id
  }

  before(async () => {
    world = await startPortalWorld()
    team = await made('/admin/teams', { name: 'Platform' })
    person = await made('/admin/users', { subject: 'grace@example.com', role: 'member' })
    const moved = await asAdmin(world.gateway, 'PUT', `/admin/users/${person}/team`, { team_id: team })
    assert.ok(moved.ok)
  })

  after(() => world.stop())

  async function teamOfPerson(): Promise<unknown> {
    const answer = await asAdmin(world.gateway, 'GET', `/admin/users/${person}`)
    return ((await answer.json()) as { team_id: unknown }).team_id
  }

  for (const [path, text, link, list] of [
    ['/users/nope', 'There is no such person', 'All people', '#/users'],
    [`/users/${unused}`, 'There is no such person', 'All people', '#/users'],
    ['/teams/nope', 'There is no such team', 'All teams', '#/teams'],
    [`/teams/${unused}`, 'There is no such team', 'All teams', '#/teams'],
    ['/endpoints/nope', 'There is no such endpoint', 'All endpoints', '#/endpoints'],
    [`/endpoints/${unused}`, 'There is no such endpoint', 'All endpoints', '#/endpoints'],
    ['/keys/nope', 'There is no such key', 'Keys', '#/keys'],
    [`/keys/${unused}`, 'There is no such key', 'Keys', '#/keys'],
    ['/models/nope', 'This address leads nowhere', 'Go to Models', '#/models'],
    ['/audit/nope/more', 'This address leads nowhere', 'Go to Audit', '#/audit'],
  ] as const)
    test(`${path} says what there is not, and leads to the list`, async () => {
      const visitor = await asAdministrator(world, path, calm)
      const { page } = visitor
      const main = page.getByRole('main')
      await main.getByText(text).waitFor()
      assert.equal(await main.getByRole('alert').count(), 0)
      assert.deepEqual(await accessibilityProblems(page), [])
      await main.getByRole('link', { name: link }).click()
      await page.waitForURL((now) => now.hash === list)
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    })

  for (const [path, text] of [
    ['/requests/req_nope', 'There is no such request'],
    ['/me/requests?id=req_nope', 'There is no such request'],
    ['/sessions?id=nope', 'There is no such session'],
    ['/audit?id=nope', 'There is no such entry'],
    [`/audit?id=${unused}`, 'There is no such entry'],
  ] as const)
    test(`${path} says what there is not over the list, which is there when it is closed`, async () => {
      const visitor = await asAdministrator(world, path, calm)
      const { page } = visitor
      const drawer = page.getByRole('dialog')
      await drawer.getByText(text).waitFor()
      await assertSoundWindow(page, path)
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      await page.waitForURL((now) => !now.hash.includes('id='))
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    })

  test('a page that could not be read now is no page that there is not: it can be tried again', async () => {
    const visitor = await asAdministrator(world, '/')
    const { page } = visitor
    await page.route(`**/admin/users/${person}`, refuse)
    await visit(world, visitor, `/users/${person}`)
    const main = page.getByRole('main')
    await main.getByRole('alert').getByText('Not now.').waitFor()
    await main.getByRole('link', { name: 'All people' }).waitFor()
    await page.unroute(`**/admin/users/${person}`)
    await main.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'grace@example.com' }).waitFor()
    await visitor.close()
  })

  test('a member is not led to a list of administrators', async () => {
    const visitor = await asMember(world, '/teams/nope/more')
    const { page } = visitor
    await page.getByText('This address leads nowhere').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Go to Teams' }).count(), 0)
    await page.getByRole('link', { name: 'Go to Home' }).waitFor()
    await visitor.close()
  })

  test('an entry of the audit trail has an address: back closes it, a reload opens it, a link finds it behind any filter', async () => {
    const visitor = await asAdministrator(world, '/audit?q=team.create', calm)
    const { page } = visitor
    await page.getByRole('button', { name: 'team.create' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'team.create' })
    await drawer.waitFor()
    await page.waitForURL(/[?&]id=/)
    const id = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('id')
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    assert.match(page.url(), /#\/audit\?q=team\.create$/)
    await page.goForward()
    await drawer.waitFor()
    await page.reload()
    await drawer.waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await drawer.waitFor({ state: 'detached' })
    await page.waitForURL(/#\/audit\?q=team\.create$/)
    await visit(world, visitor, `/audit?actor=nobody-at-all&id=${id}`)
    await drawer.getByText(`team:${team}`).waitFor()
    await assertSoundWindow(page, 'audit entry behind a filter')
    await drawer.getByRole('button', { name: 'Everything that happened to this' }).click()
    await drawer.waitFor({ state: 'detached' })
    await page.waitForURL((now) => now.hash.includes('target=') && !now.hash.includes('id='))
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a choice of teams that could not be read says so, can be read again, and moves nobody out of a team', async () => {
    const visitor = await asAdministrator(world, '/users?q=grace', calm)
    const { page } = visitor
    await page.route('**/admin/teams?*', refuse)
    await page.reload()
    await page.getByLabel('Choose grace@example.com').check()
    await page.getByRole('button', { name: 'Change team' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('alert').getByText('The list of teams could not be read. Not now.').waitFor()
    await dialog.getByRole('button', { name: 'Save team' }).click()
    await dialog.getByText('Choose a team, or none.').waitFor()
    assert.equal(await teamOfPerson(), team)
    await assertSoundWindow(page, 'choice without a list')
    await page.unroute('**/admin/teams?*')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('could not be read').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Save team' }).click()
    await dialog.getByText('Choose a team, or none.').waitFor()
    assert.equal(await teamOfPerson(), team)
    await dialog.getByLabel('Team', { exact: true }).selectOption('No team')
    await dialog.getByRole('button', { name: 'Save team' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await teamOfPerson(), null)
    await page.getByLabel('Choose grace@example.com').check()
    await page.getByRole('button', { name: 'Change team' }).click()
    await dialog.getByLabel('Team', { exact: true }).selectOption('Platform')
    await dialog.getByRole('button', { name: 'Save team' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await teamOfPerson(), team)
    await visitor.close()
  })

  test('the team of a person cannot be changed while nobody knows which teams there are, a filter can be taken off', async () => {
    const visitor = await asAdministrator(world, '/', calm)
    const { page } = visitor
    await page.route('**/admin/teams?*', refuse)
    await visit(world, visitor, `/users/${person}`)
    const choice = page.getByLabel('Team', { exact: true })
    await page.getByText('The list of teams could not be read.').waitFor()
    assert.equal(await choice.isDisabled(), true)
    assert.equal(await choice.inputValue(), team)
    await assertSoundPage(world, visitor, `/users/${person}`)
    await visit(world, visitor, `/users?team=${team}`)
    await page.getByText('The list of teams could not be read.').waitFor()
    await choice.selectOption('Any team')
    await page.waitForURL((now) => now.hash === '#/users')
    await page.unroute('**/admin/teams?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await choice.getByRole('option', { name: 'Platform' }).waitFor({ state: 'attached' })
    await visitor.close()
  })

  test('what was typed into a price is there again after the question about the price of the list', async () => {
    const model = 'anthropic.claude-opus-5-5'
    const rates = { input_usd_per_mtok: 5, output_usd_per_mtok: 25, cache_read_usd_per_mtok: 0.5 }
    const body = { ...rates, cache_write_5m_usd_per_mtok: 6, scope: 'geo' }
    assert.ok((await asAdmin(world.gateway, 'PUT', `/admin/pricing/${model}`, body)).ok)
    const visitor = await asAdministrator(world, `/models?tab=prices&q=${model}`, calm)
    const { page } = visitor
    await page.getByRole('button', { name: `Change the price of ${model}, geo` }).click()
    await page.getByLabel('Input', { exact: true }).fill('7.25')
    await page.getByLabel('Output', { exact: true }).fill('not yet')
    await page.getByRole('button', { name: 'Back to the list’s price' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Input', { exact: true }).inputValue(), '7.25')
    assert.equal(await page.getByLabel('Output', { exact: true }).inputValue(), 'not yet')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Change the price of ${model}, geo` }).click()
    assert.equal(await page.getByLabel('Input', { exact: true }).inputValue(), '5')
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('one press on a button of a form is enough, also when the field that one comes from is wrong', async () => {
    const visitor = await asAdministrator(world, '/keys', calm)
    const { page } = visitor
    await page.getByRole('button', { name: 'New key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await visitor.close()
  })

  test('the palette leads administrators to endpoints and models, and members to neither', async () => {
    const endpoint = await made('/admin/endpoints', {
      name: 'Zurich rack',
      region: 'eu-central-1',
      routing_prefix: 'eu',
    })
    const mapping = { hosted_model_id: 'anthropic.claude-sonnet-5', display_name: 'Quick zebra' }
    assert.ok((await asAdmin(world.gateway, 'PUT', '/admin/model-mappings/zebra-quick', mapping)).ok)
    const visitor = await asAdministrator(world, '/models?tab=prices', calm)
    const { page } = visitor
    const found = (text: string) => page.locator('[cmdk-item][data-selected=true]').filter({ hasText: text })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Go to a page/).fill('zurich')
    await found('Zurich rack').getByText('Endpoint in eu-central-1').waitFor()
    await assertSoundWindow(page, 'palette with an endpoint')
    await page.keyboard.press('Enter')
    await page.waitForURL((now) => now.hash === `#/endpoints/${endpoint}`)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Go to a page/).fill('zebra')
    await found('zebra-quick').getByText('Model Quick zebra').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((now) => now.hash === '#/models?q=zebra-quick')
    await page.getByRole('table', { name: 'All mappings' }).getByText('zebra-quick').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()

    const member = await asMember(world, '/')
    const asked: string[] = []
    member.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await member.page.keyboard.press('Control+k')
    await member.page.getByPlaceholder(/^Go to a page/).fill('zebra')
    await member.page.getByText('Nothing matches.').waitFor()
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/admin/')),
      [],
    )
    await member.close()
  })

  test('the models beyond the thousand dearest are called so and lead to no calls, of which none has their name', async () => {
    const visitor = await asAdministrator(world, '/me/settings', calm)
    const { page } = visitor
    const sums = { spend_usd: 1, requests: 3, share: 0.5 }
    const own = await page.request.get(`${world.gateway.url}/me/usage?days=30`)
    const aUse = { ...((await own.json()) as { totals: object }).totals, requests: 6 }
    await amend(page, '**/admin/analytics/org/models?*', {
      mix: ['claude-opus-5', '(other)'].map((model) => ({ model, ...sums })),
    })
    await amend(page, '**/admin/analytics/org/spend?*', {
      by_model: ['claude-opus-5', '(other)'].map((name) => ({ name, ...sums })),
      by_team: [{ name: '(other)', ...sums }],
    })
    await amend(page, '**/me/usage?*', {
      by_model: ['claude-opus-5', '(other)'].map((name) => ({ name, ...sums })),
      totals: aUse,
    })
    for (const [path, chart] of [
      ['/org-analytics?tab=models', 'Calls by model'],
      ['/org-analytics', 'Models'],
      ['/', 'Models'],
    ] as const) {
      await visit(world, visitor, path)
      const card = page.getByRole('region', { name: chart, exact: true })
      await card.getByRole('link', { name: 'claude-opus-5' }).waitFor()
      await card.getByText('All other models').first().waitFor()
      assert.equal(await card.getByRole('link', { name: /other/ }).count(), 0, path)
    }
    await visitor.close()
  })
}

/** The gateway's own answer with other values in these fields. */
async function amend(page: Page, address: string, fields: object): Promise<void> {
  await page.route(address, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...fields } })
  })
}
