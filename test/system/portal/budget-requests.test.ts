import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { hello } from '../../budgets/budget-world.ts'
import { asEvent } from '../../budgets/gate-world.ts'
import { post, untilTrue } from '../../message-path/path-client.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { addKey } from '../../support/gateway.ts'
import { asAdministrator, asMember, assertSoundPage, type PortalWorld, startPortalWorld, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('asking for more', requestTests)

function requestTests(): void {
  let world: PortalWorld
  before(async () => {
    world = await startPortalWorld()
  })
  after(() => world.stop())

  test('somebody who is stopped asks for more, goes on when it is approved, and sees what was said to it', async () => {
    const { gateway } = world
    assert.ok(gateway.database !== undefined)
    const member = await asMember(world, '/connect')
    const people = await asAdmin(gateway, 'GET', '/admin/users?q=alice')
    const { data } = (await people.json()) as { data: { id: string }[] }
    const userId = data[0]?.id ?? ''
    const { key } = await addKey(gateway.database, { userId })
    await createSpendLog(gateway.database.kysely).appendBatch([asEvent(userId, 10_000_000_000, Date.now())])
    await asAdmin(gateway, 'PUT', `/admin/users/${userId}/budget`, { limit_usd: 10, period: 'monthly' })
    const toStatus = async (): Promise<number> => {
      const response = await post(gateway, key, hello)
      await response.arrayBuffer()
      return response.status
    }
    await untilTrue(async () => (await toStatus()) === 429)

    // Signing in leads over Home, which may remember that there was no budget.
    await member.page.reload()
    await visit(world, member, '/')
    await member.page.getByRole('button', { name: 'Ask for more' }).click()
    await member.page.getByRole('button', { name: 'Ask', exact: true }).click()
    await member.page.getByText('Dollars, such as 50 or 12.50.').waitFor()
    await member.page.getByLabel('How much more, in US dollars').fill('5')
    await member.page.getByLabel('What for').fill('the release')
    await member.page.getByRole('button', { name: 'Ask', exact: true }).click()
    await member.page.getByRole('status').filter({ hasText: 'You asked for $5.00 more' }).waitFor()
    assert.equal(await member.page.getByRole('button', { name: 'Ask for more' }).count(), 0)

    const admin = await asAdministrator(world, '/budget-requests')
    const { page } = admin
    await page.getByRole('link', { name: 'Budget requests 1 open' }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'alice@example.com' })
    await row.getByText('the release').waitFor()
    await row.getByText('$10.00 of $10.00, 100%').waitFor()
    await row.getByRole('img', { name: /^Spend of alice@example\.com: .*highest \$10\.00$/ }).waitFor()
    await page.getByRole('button', { name: 'Approve what alice@example.com asks for' }).click()
    await page.getByText('The limit becomes $15.00 instead of $10.00 until').waitFor()
    await page.getByLabel('Amount in US dollars').fill('3')
    await page.getByText('The limit becomes $13.00').waitFor()
    await page.getByLabel('Note').fill('good luck')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Nobody waits for a decision').waitFor()
    await page.getByRole('link', { name: 'Budget requests', exact: true }).waitFor()
    assert.equal(await toStatus(), 200)

    await visit(world, member, '/connect')
    await member.page.reload()
    await visit(world, member, '/')
    await member.page.getByText('$3.00 more, until your budget resets').waitFor()
    await member.page.getByText('“good luck”').waitFor()
    await member.page.getByText(/left of \$13\.00/).waitFor()

    await page.getByLabel('Show').selectOption('approved')
    await row.getByText('$3.00 until reset, by admin').waitFor()
    await visit(world, admin, `/users/${userId}`)
    await page.getByText('$10.00 a month, with $3.00 on top until it resets').waitFor()
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click()
    await page.getByText('$3.00 of alice@example.com are taken back.').waitFor()
    assert.equal(await toStatus(), 429)
    for (const visitor of [member, admin]) {
      assert.deepEqual(visitor.complaints, [])
      await visitor.close()
    }
  })

  test('the page is sound with requests of every outcome', async () => {
    const { gateway } = world
    const ask = (amount: number) => asAdmin(gateway, 'POST', '/me/budget/requests', { amount_usd: amount })
    const { user } = (await (await asAdmin(gateway, 'GET', '/me')).json()) as { user: { id: string } }
    await asAdmin(gateway, 'PUT', `/admin/users/${user.id}/budget`, { limit_usd: 10, period: 'daily' })
    const { id } = (await (await ask(4)).json()) as { id: string }
    assert.equal((await asAdmin(gateway, 'POST', `/admin/budget-requests/${id}/decline`, { note: 'no' })).status, 200)
    assert.equal((await ask(6)).status, 201)
    const visitor = await asAdministrator(world, '/budget-requests?status=all')
    await assertSoundPage(world, visitor, '/budget-requests?status=all')
    await assertSoundPage(world, visitor, '/')
    await visitor.close()
  })
}
