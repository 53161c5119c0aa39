/** What each grant opens to somebody who is no administrator: these pages, without a request that is refused, and nothing to change. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Grant } from '../../../src/foundation/domain/access.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import {
  asAdministrator,
  asMember,
  assertSoundPage,
  assertSoundWindow,
  type PortalWorld,
  settled,
  startPortalWorld,
  type Visitor,
  visit,
} from './journey.ts'

const alice = 'alice@example.com'

interface Ids {
  readonly team: string
  readonly otherTeam: string
  readonly user: string
  readonly key: string
  readonly endpoint: string
  readonly request: string
}

interface Opened {
  /** In the groups of the organization and the platform. */
  readonly listed: readonly string[]
  readonly pages: (ids: Ids) => readonly string[]
  readonly closed: (ids: Ids) => readonly string[]
}

const opened: Readonly<Record<Grant, Opened>> = {
  'team:lead': {
    listed: ['My team', 'Analytics', 'Requests', 'Budget requests', 'API reference'],
    pages: ({ team, request }) => [
      `/teams/${team}`,
      `/teams/${team}?tab=keys`,
      '/org-analytics?days=7',
      '/org-analytics?days=7&tab=models',
      '/org-analytics?days=7&tab=tools',
      '/org-analytics?days=7&tab=activity',
      '/requests?live=1',
      `/requests?id=${request}`,
      '/budget-requests',
    ],
    closed: ({ otherTeam, user }) => ['/teams', `/teams/${otherTeam}`, '/budgets', '/users', `/users/${user}`],
  },
  'billing:read': {
    listed: ['Analytics', 'Budgets', 'Models', 'API reference'],
    pages: () => ['/org-analytics?days=7', '/budgets', '/models', '/models?tab=mappings'],
    closed: ({ team }) => ['/requests', '/teams', `/teams/${team}`, '/users', '/audit', '/security', '/endpoints'],
  },
  'audit:read': {
    listed: ['People', 'Audit', 'Security', 'API reference'],
    pages: ({ user, key }) => ['/audit', '/security', '/users', `/users/${user}`, '/keys?show=all', `/keys/${key}`],
    closed: () => ['/org-analytics', '/requests', '/settings', '/access', '/health'],
  },
  'ops:operate': {
    listed: ['Requests', 'Health', 'Endpoints', 'Models', 'Notifications', 'API reference'],
    pages: ({ endpoint, request, key }) => [
      '/health',
      '/endpoints',
      '/endpoints?tab=routing',
      `/endpoints/${endpoint}`,
      `/endpoints/${endpoint}?tab=overrides`,
      `/endpoints/${endpoint}?tab=capabilities`,
      `/endpoints/${endpoint}?tab=models`,
      `/endpoints/${endpoint}?tab=quotas`,
      '/models',
      '/models?tab=resolve',
      '/notifications',
      '/requests?live=1',
      `/requests?id=${request}&key=%3D${key}`,
    ],
    closed: () => ['/org-analytics', '/budgets', '/users', '/audit', '/security', '/web-search', '/settings'],
  },
}

/** What only administrators may do has one of these words on its button. */
const CHANGES =
  /^(add|new |set |change|rename|delete|remove|suspend|release|rotate|revoke|take|make default|activate|deactivate|discard|override|clear$|save|read the price|sign out)/i

if (chromiumPath !== undefined) describe('grants in the portal', grantTests)

function grantTests(): void {
  let world: PortalWorld
  let ids: Ids

  before(async () => {
    world = await startPortalWorld()
    ids = await fill(world)
  })

  after(() => world.stop())

  const give = async (grants: readonly Grant[]): Promise<void> => {
    const answer = await asAdmin(world.gateway, 'PATCH', `/admin/users/${ids.user}`, { grants })
    assert.equal(answer.status, 200)
  }

  for (const [grant, { listed, pages, closed }] of Object.entries(opened) as [Grant, Opened][])
    test(`${grant} opens its pages, to read`, async () => {
      await give([grant])
      const visitor = await asMember(world)
      const refused = watchRefusals(visitor)
      assert.deepEqual((await navigation(visitor.page)).slice(-listed.length - 1), ['My settings', ...listed])
      for (const path of pages(ids)) {
        await visit(world, visitor, path)
        assert.deepEqual(await changesIn(visitor.page), [], path)
        assert.deepEqual(await deadLinks(visitor.page), [], path)
      }
      assert.deepEqual(refused, [])
      assert.deepEqual(visitor.complaints, [])
      for (const path of closed(ids)) {
        await visit(world, visitor, path)
        await visitor.page.getByText('Your account may not open this page').waitFor()
      }
      assert.deepEqual(refused, [], 'a page that is not theirs asks for nothing')
      await assertSoundPage(world, visitor, pages(ids)[0] ?? '/')
      await visitor.close()
    })

  test('the search finds what one may open, and asks for nothing else', async () => {
    await give(['audit:read'])
    const visitor = await asMember(world)
    const refused = watchRefusals(visitor)
    const { page } = visitor
    await page.keyboard.press('Control+k')
    const box = page.getByPlaceholder(/^Go to a page/)
    await box.fill('alice')
    await page.getByRole('option', { name: /alice@example\.com Person/ }).waitFor()
    await box.fill('Endpoints')
    await page.getByRole('option', { name: 'Endpoints' }).waitFor({ state: 'detached' })
    assert.deepEqual(refused, [])
    await visitor.close()
  })

  test('a grant that is taken away takes its pages with it', async () => {
    await give(['ops:operate'])
    const visitor = await asMember(world, '/health')
    await visitor.page.getByRole('heading', { name: 'Background work' }).waitFor()
    await give([])
    await visitor.page.reload()
    await settled(visitor.page)
    await visitor.page.getByText('Your account may not open this page').waitFor()
    assert.ok(!(await navigation(visitor.page)).includes('Health'))
    await visitor.close()
  })

  test('an administrator gives grants on the page of a person, and finds who has one', async () => {
    await give([])
    const visitor = await asAdministrator(world, `/users/${ids.user}`)
    const { page } = visitor
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Billing').check()
    await window.getByLabel('Team lead').check()
    await assertSoundWindow(page, 'the form of a person')
    await window.getByRole('button', { name: 'Save' }).click()
    await window.waitFor({ state: 'detached' })
    await page.getByText('Team lead, Billing').waitFor()
    await visit(world, visitor, '/users?grant=billing:read')
    await page.getByRole('link', { name: alice }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 1)
    await visit(world, visitor, '/users?grant=ops:operate')
    await page.getByText('Nobody fits').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })
}

/** Answers of the gateway that are no success, from now on. */
function watchRefusals({ page }: Visitor): string[] {
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  return refused
}

async function navigation(page: Page): Promise<string[]> {
  return await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts()
}

async function changesIn(page: Page): Promise<string[]> {
  const names = await page.getByRole('main').getByRole('button').allInnerTexts()
  return names.filter((name) => CHANGES.test(name.trim()))
}

/** Links of the page that lead to one which its reader may not open. */
async function deadLinks(page: Page): Promise<string[]> {
  // By its place and not by its role: an open drawer hides it from those who cannot see.
  const listed = await page
    .locator('nav[aria-label=Pages] a')
    .evaluateAll((links) => links.map((link) => (link as unknown as { hash: string }).hash))
  const shown = await page
    .locator('main a[href*="#/"], [role=dialog] a[href*="#/"]')
    .evaluateAll((links) => links.map((link) => (link as unknown as { hash: string }).hash))
  const isListed = (hash: string): boolean =>
    listed.some((own) => own === hash || (own !== '#/' && (hash.startsWith(`${own}/`) || hash.startsWith(`${own}?`))))
  return shown.filter((hash) => !isListed(hash))
}

async function fill(world: PortalWorld): Promise<Ids> {
  const { gateway } = world
  await (await asMember(world, '/')).close()
  const made = async (method: string, path: string, body: object) => {
    const answer = await asAdmin(gateway, method, path, body)
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return (await answer.json()) as { id: string; key: string }
  }
  const first = async (path: string) => {
    const { data } = (await (await asAdmin(gateway, 'GET', path)).json()) as { data: Record<string, string>[] }
    return data[0]
  }
  const team = (await made('POST', '/admin/teams', { name: 'Platform' })).id
  const otherTeam = (await made('POST', '/admin/teams', { name: 'Mobile' })).id
  const user = (await first(`/admin/users?q=${alice}`))?.['id'] ?? ''
  await made('PUT', `/admin/users/${user}/team`, { team_id: team })
  const budget = { limit_usd: 50, period: 'monthly', policy: 'standard' }
  await made('PUT', `/admin/teams/${team}/budget`, budget)
  await made('PUT', `/admin/users/${user}/budget`, budget)
  const { id: key, key: secret } = await made('POST', '/admin/keys', { name: 'ci', user_id: user, team_id: team })
  const destination = { destination_type: 'webhook', destination: 'https://hooks.example.com/x' }
  await made('PUT', '/admin/notifications/config', destination)
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] }),
  })
  assert.equal(answer.status, 200, await answer.text())
  const request = await eventually(async () => (await first('/admin/requests?limit=1'))?.['request_id'])
  const endpoint = (await first('/admin/endpoints'))?.['id'] ?? ''
  return { team, otherTeam, user, key, endpoint, request }
}

async function eventually(read: () => Promise<string | undefined>): Promise<string> {
  const endMs = Date.now() + 120_000
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    assert.ok(Date.now() < endMs, 'was not there')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
