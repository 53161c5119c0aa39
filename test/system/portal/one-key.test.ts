/** A key that somebody found on the internet: pasted into the palette, looked at, stopped. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { callFrom, untilTrue } from '../../message-path/path-client.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { asAdministrator, asMember, assertSoundPage, type PortalWorld, startPortalWorld } from './journey.ts'

if (chromiumPath !== undefined) describe('the page of one key', oneKeyTests)

interface MadeKey {
  readonly id: string
  readonly key: string
  readonly prefix: string
}

function oneKeyTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
  })

  after(() => world.stop())

  async function made<T>(path: string, body: object): Promise<T> {
    const answer = await asAdmin(world.gateway, 'POST', path, body)
    assert.equal(answer.status, 201)
    return (await answer.json()) as T
  }

  async function usedKey(name: string): Promise<MadeKey> {
    const user = await made<{ id: string }>('/admin/users', { subject: `${name}@example.com`, role: 'member' })
    const team = await made<{ id: string }>('/admin/teams', { name: `${name} team` })
    const key = await made<MadeKey>('/admin/keys', { name, user_id: user.id, team_id: team.id, rate_limit_rpm: 60 })
    for (const address of ['127.0.0.1', '127.0.0.2']) assert.equal(await callFrom(address, world.gateway, key.key), 200)
    await untilTrue(async () => {
      const answer = await asAdmin(world.gateway, 'GET', `/admin/keys/${key.id}`)
      return ((await answer.json()) as { addresses: unknown[] }).addresses.length === 2
    })
    return key
  }

  test('three actions from the pasted key to the end of it, and only its beginning leaves the page', async () => {
    const { key, prefix } = await usedKey('leaked-ci')
    const visitor = await asAdministrator(world)
    const { page } = visitor
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(key)
    await page.getByRole('option', { name: /leaked-ci/ }).click()
    await page.getByRole('heading', { level: 1, name: 'leaked-ci' }).waitFor()
    await page.getByRole('link', { name: 'leaked-ci@example.com' }).waitFor()
    await page.getByRole('link', { name: 'leaked-ci team' }).waitFor()
    const seen = page.getByRole('table', { name: 'Used from' }).getByRole('row')
    for (const address of ['127.0.0.1', '127.0.0.2']) await seen.filter({ hasText: address }).waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked').first().waitFor()
    assert.equal(await callFrom('127.0.0.1', world.gateway, key), 401)
    assert.ok(asked.some((one) => one.includes(prefix)))
    assert.deepEqual(
      asked.filter((one) => one.includes(key.slice(prefix.length))),
      [],
    )
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a revoked key can be deleted, and the list of all keys follows', async () => {
    const { id } = await made<MadeKey>('/admin/keys', { name: 'old-ci' })
    assert.ok((await asAdmin(world.gateway, 'POST', `/admin/keys/${id}/revoke`)).ok)
    const visitor = await asAdministrator(world, `/keys/${id}`)
    const { page } = visitor
    await page.getByText('No call has been made with this key lately.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL((now) => now.hash === '#/keys?show=all')
    assert.equal((await asAdmin(world.gateway, 'GET', `/admin/keys/${id}`)).status, 404)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('it is reached from the list and from its owner, and is sound in both themes and at every width', async () => {
    const { id } = await usedKey('listed-ci')
    const visitor = await asAdministrator(world, '/keys?show=all')
    const { page } = visitor
    await page.getByRole('link', { name: 'listed-ci', exact: true }).click()
    await page.getByRole('link', { name: 'listed-ci@example.com' }).click()
    await page.getByRole('table', { name: 'Active keys' }).getByRole('link', { name: 'listed-ci' }).click()
    await page.waitForURL((now) => now.hash === `#/keys/${id}`)
    await assertSoundPage(world, visitor, `/keys/${id}`)
    await visitor.close()
  })

  test('its requests are those of no other key of the same name, and each leads back to it', async () => {
    const ids: string[] = []
    for (const subject of ['ann@example.com', 'ben@example.com']) {
      const user = await made<{ id: string }>('/admin/users', { subject, role: 'member' })
      const key = await made<MadeKey>('/admin/keys', { name: 'laptop', user_id: user.id })
      ids.push(key.id)
      assert.equal(await callFrom('127.0.0.1', world.gateway, key.key), 200)
    }
    await untilTrue(async () => {
      const answer = await asAdmin(world.gateway, 'GET', '/admin/requests?key=%3Dlaptop')
      return ((await answer.json()) as { data: unknown[] }).data.length === 2
    })
    const visitor = await asAdministrator(world, `/keys/${ids[0]}`)
    const { page } = visitor
    await page.getByRole('link', { name: 'Requests', exact: true }).last().click()
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr')
    await rows.filter({ hasText: 'ann@example.com' }).waitFor()
    assert.equal(await rows.count(), 1)
    await page.getByRole('button', { name: 'Key: laptop' }).waitFor()
    await rows.getByRole('button').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: 'ann@example.com' }).waitFor()
    await drawer.getByRole('link', { name: 'laptop', exact: true }).click()
    await page.waitForURL((now) => now.hash === `#/keys/${ids[0]}`)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('members do not see it', async () => {
    const { id } = await made<MadeKey>('/admin/keys', { name: 'hidden-ci' })
    const visitor = await asMember(world, `/keys/${id}`)
    await visitor.page.getByRole('heading', { name: 'For administrators' }).waitFor()
    assert.equal(await visitor.page.getByText('hidden-ci').count(), 0)
    await visitor.close()
  })
}
