/** No dead ends: a number opens just the calls behind it, and an entry names what it is about. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { callFrom, untilTrue } from '../../message-path/path-client.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { asAdministrator, asMember, type PortalWorld, startPortalWorld, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('behind the numbers', behindNumbers)

const alice = 'alice@example.com'

function behindNumbers(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
    await (await asMember(world)).close()
    const { data } = await read<{ data: { id: string }[] }>(`/admin/users?q=${alice}`)
    const [own, nobodys] = [await newKey('own', data[0]?.id), await newKey('nobodys')]
    for (const model of ['claude-opus-5', 'claude-opus-5-5']) assert.equal(await callWith(own, model), 200)
    assert.equal(await callWith(nobodys, 'claude-haiku-5-5'), 200)
    await untilTrue(async () => {
      const { totals } = await read<{ totals: { requests: number } }>('/admin/analytics/org/overview?days=1')
      return totals.requests === 3
    })
  })

  after(() => world.stop())

  async function read<T>(path: string): Promise<T> {
    return (await (await asAdmin(world.gateway, 'GET', path)).json()) as T
  }

  async function newKey(name: string, userId?: string): Promise<string> {
    const answer = await asAdmin(world.gateway, 'POST', '/admin/keys', { name, user_id: userId })
    assert.equal(answer.status, 201)
    return ((await answer.json()) as { key: string }).key
  }

  const callWith = (key: string, model: string) => callFrom('127.0.0.1', world.gateway, key, model)

  const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')

  test('what no person spent leads to its calls, and the filter says so', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const { page } = visitor
    await page.getByRole('link', { name: 'No person' }).click()
    await page.getByRole('button', { name: 'No person' }).waitFor()
    await rowsOf(page, 'Requests').filter({ hasText: 'nobodys' }).waitFor()
    assert.equal(await rowsOf(page, 'Requests').filter({ hasText: alice }).count(), 0)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a model on Home leads to its own calls of these 30 days, and not to those of a longer name', async () => {
    const { database } = world.gateway
    assert.ok(database !== undefined)
    const { data } = await read<{ data: { id: string }[] }>(`/admin/users?q=${alice}`)
    const longAgo = { atMs: Date.now() - 40 * 86_400_000, model: 'claude-opus-5', userId: data[0]?.id ?? '' }
    await createSpendLog(database.kysely).appendBatch([aSpendRecord(longAgo)])
    const visitor = await asMember(world)
    const { page } = visitor
    await page.getByRole('link', { name: 'claude-opus-5', exact: true }).click()
    await page.getByRole('button', { name: 'Model: claude-opus-5' }).waitFor()
    await rowsOf(page, 'My requests').first().waitFor()
    assert.equal(await rowsOf(page, 'My requests').count(), 1)
    await page.getByRole('button', { name: /00:00 .* and later/ }).click()
    await page.getByLabel('Time', { exact: true }).waitFor()
    await rowsOf(page, 'My requests').nth(1).waitFor()
    await page.getByLabel('Time', { exact: true }).selectOption('Last 30 days')
    await rowsOf(page, 'My requests').nth(1).waitFor({ state: 'detached' })
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('lists of calls tell the moment with seconds, and how long ago on hover', async () => {
    const visitor = await asMember(world)
    const { page } = visitor
    for (const [path, table] of [
      ['/', 'My last requests'],
      ['/me/requests', 'My requests'],
    ] as const) {
      await visit(world, visitor, path)
      const time = rowsOf(page, table).first().locator('time')
      assert.match(await time.innerText(), /\d{4}, \d{2}:\d{2}:\d{2} \S+$/, path)
      assert.match((await time.getAttribute('title')) ?? '', /^just now$| ago$/, path)
    }
    await visitor.close()
  })

  test('an audit entry names whom it is about, also who is gone, and leads there', async () => {
    const added = await asAdmin(world.gateway, 'POST', '/admin/teams', { name: 'Platform' })
    const { id } = (await added.json()) as { id: string }
    const gone = await asAdmin(world.gateway, 'POST', '/admin/teams', { name: 'Short-lived' })
    await asAdmin(world.gateway, 'DELETE', `/admin/teams/${((await gone.json()) as { id: string }).id}`)
    const visitor = await asAdministrator(world, '/audit?q=team.create')
    const { page } = visitor
    await rowsOf(page, 'Audit entries').getByRole('link', { name: 'Short-lived' }).waitFor()
    await rowsOf(page, 'Audit entries')
      .filter({ hasText: 'Platform' })
      .getByRole('button', { name: 'team.create' })
      .click()
    const drawer = page.getByRole('dialog', { name: 'team.create' })
    await drawer.getByRole('button', { name: 'Everything that happened to this' }).waitFor()
    await drawer.getByRole('link', { name: 'Platform' }).click()
    await page.waitForURL((now) => now.hash === `#/teams/${id}`)
    await page.getByRole('link', { name: 'Routing' }).click()
    await page.getByText('No endpoint is assigned').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('an audit entry names the identity provider, and leads to it', async () => {
    const path = `/admin/idps/${world.gateway.idpId}`
    assert.ok((await asAdmin(world.gateway, 'PATCH', path, { default_role: 'member' })).ok)
    const visitor = await asAdministrator(world, '/audit?q=idp.update')
    const { page } = visitor
    await rowsOf(page, 'Audit entries').getByRole('link', { name: 'Example SSO' }).first().click()
    await page.waitForURL((now) => now.hash.startsWith('#/access?q='))
    await page.getByRole('cell', { name: 'Example SSO', exact: true }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })
}
