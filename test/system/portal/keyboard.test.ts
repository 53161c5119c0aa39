/** Where the keyboard is after something closed, was saved or was copied: where it was, and never lost. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { chromiumPath } from '../../login/browser.ts'
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
    await page.waitForFunction("!document.querySelector('form [aria-disabled]')")
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
