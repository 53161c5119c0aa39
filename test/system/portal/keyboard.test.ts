/** Where the keyboard is after something closed, was saved or was copied: where it was, and never lost. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { untilTrue } from '../../message-path/path-client.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdministrator, type PortalWorld, startPortalWorld, type Visitor, visit } from './journey.ts'

if (chromiumPath !== undefined) describe('the place of the keyboard', keyboardTests)

function keyboardTests(): void {
  let world: PortalWorld
  let admin: Visitor

  before(async () => {
    world = await startPortalWorld()
    admin = await asAdministrator(world)
  })

  after(() => world.stop())

  const hasFocus = async (place: Locator): Promise<boolean> =>
    (await place.and(admin.page.locator(':focus')).count()) === 1

  test('after a window is closed it is at the button that opened it, or in the page when that is gone', async () => {
    const { page } = admin
    await visit(world, admin, '/teams')
    const add = page.getByRole('button', { name: 'New team' }).first()
    const window = page.getByRole('dialog')
    await add.press('Enter')
    await window.getByRole('textbox').press('Escape')
    await window.waitFor({ state: 'detached' })
    await untilTrue(() => hasFocus(add))

    await visit(world, admin, '/keys')
    const newKey = page.getByRole('button', { name: 'New key' }).first()
    await newKey.press('Enter')
    await window.getByRole('textbox').first().fill('by keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /is ready/ }).waitFor()
    await page.keyboard.press('Escape')
    await untilTrue(() => hasFocus(newKey))

    const actions = page.getByRole('button', { name: 'Actions for by keyboard' })
    const question = page.getByRole('alertdialog')
    await actions.press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
    await question.getByRole('button', { name: 'Cancel' }).press('Enter')
    await untilTrue(() => hasFocus(actions))
    await actions.press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
    await question.getByRole('button', { name: 'Revoke' }).press('Enter')
    await actions.waitFor({ state: 'detached' })
    await untilTrue(async () => (await page.locator(':focus').count()) === 1)
  })

  test('a window begins where one types, and that of a secret where it is copied', async () => {
    const { page } = admin
    const window = page.getByRole('dialog')
    for (const [path, button] of [
      ['/teams', 'New team'],
      ['/users', 'Add a person'],
      ['/endpoints', 'Add endpoint'],
      ['/access', 'Add provider'],
      ['/budgets', 'Set a default'],
      ['/models', 'Add mapping'],
      ['/keys', 'New key'],
    ] as const) {
      await visit(world, admin, path)
      await page.getByRole('button', { name: button }).first().press('Enter')
      await window.waitFor()
      await untilTrue(() => hasFocus(window.getByRole('textbox').first()))
      if (path !== '/keys') await page.keyboard.press('Escape')
    }
    await page.keyboard.type('typed at once')
    await page.keyboard.press('Enter')
    const secret = page.getByRole('dialog', { name: '“typed at once” is ready' })
    await untilTrue(() => hasFocus(secret.getByRole('button', { name: 'Copy: the secret' })))
    await page.keyboard.press('Enter')
    await secret.getByText('Copied').first().waitFor()
    await page.keyboard.press('Escape')
    await secret.waitFor({ state: 'detached' })
  })

  test('a window over a window gives it back to the lower one, and the palette to where it was called or to the new page', async () => {
    const { page } = admin
    await visit(world, admin, '/access')
    await page.getByRole('button', { name: 'Actions for Example SSO' }).click()
    await page.getByRole('menuitem', { name: 'Provisioning (SCIM)' }).press('Enter')
    await page.getByLabel('Name of a new token').fill('okta')
    await page.keyboard.press('Enter')
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await remove.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await untilTrue(() => hasFocus(remove))
    await page.keyboard.press('Escape')
    await untilTrue(() => hasFocus(page.getByRole('button', { name: 'Actions for Example SSO' })))
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Go to a page/).press('Escape')
    await untilTrue(() => hasFocus(page.getByRole('button', { name: 'Actions for Example SSO' })))
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Go to a page/).fill('budgets')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Budgets' }).waitFor()
    await untilTrue(() => hasFocus(page.locator('main')))
  })

  test('after a list of columns or the account is closed with Escape, it is at the button that opened it', async () => {
    const { page } = admin
    await visit(world, admin, '/users')
    const columns = page.locator('summary', { hasText: 'Columns' })
    await columns.press('Enter')
    await page.getByRole('checkbox', { name: 'Role' }).press('Escape')
    await page.getByRole('checkbox', { name: 'Role' }).waitFor({ state: 'detached' })
    assert.equal(await hasFocus(columns), true)
    const account = page.getByRole('button', { name: 'admin' })
    await account.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).press('Escape')
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' })
    assert.equal(await hasFocus(account), true)
  })

  test('after a setting is saved it is at its button, and the field shows what is in force', async () => {
    const { page } = admin
    await visit(world, admin, '/settings')
    const form = page.getByRole('form', { name: 'Keep the audit trail' })
    await form.getByRole('textbox').fill('200')
    const save = form.getByRole('button', { name: 'Save' })
    await save.press('Enter')
    await page.getByText('Keep the audit trail is saved.').waitFor()
    await form.locator('[aria-disabled]').waitFor({ state: 'detached' })
    assert.equal(await hasFocus(save), true)
    assert.equal(await form.getByRole('textbox').inputValue(), '200')
  })

  test('after something is copied on plain http, it is at the button', async () => {
    const { page } = admin
    await visit(world, admin, '/connect')
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })')
    const copy = page.getByRole('button', { name: /^Copy:/ }).first()
    await copy.press('Enter')
    await copy.filter({ hasText: 'Copied' }).waitFor()
    assert.equal(await hasFocus(copy), true)
  })
}
