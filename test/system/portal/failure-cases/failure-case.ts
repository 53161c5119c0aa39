/** One write of the portal: how to get there, what to press, and what must still be there when the gateway did not do it. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

type Write = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Operation = `${Write} /${string}`

/** What the world of these tests holds. */
export interface Known {
  readonly team: string
  readonly alice: string
  readonly suspended: string
  readonly endpoint: string
  readonly cliCode: string
  readonly deviceCode: string
}

export interface FailureCase {
  /** The file below portal/src that makes the call; one operation can be asked for in several places. */
  readonly site: string
  readonly operation: Operation
  readonly as?: 'administrator' | 'member' | 'nobody'
  readonly path: string | ((known: Known) => string)
  /** From the page to the moment before the button: opens the window, fills in the form. */
  readonly open?: (page: Page) => Promise<void>
  readonly act: (page: Page) => Promise<void>
  readonly kept: (page: Page) => Promise<void>
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const press = (name: string) => (page: Page) => button(page, name).first().click()
export const pressIn = (role: 'dialog' | 'alertdialog', name: string) => (page: Page) =>
  page.getByRole(role).getByRole('button', { name, exact: true }).click()

/** The question is still asked. */
export const asks = (page: Page) => page.getByRole('alertdialog').waitFor()

export const has = (label: string, value: string) => async (page: Page) =>
  assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), value)

export const fill = (label: string, value: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).fill(value)

export function inTurn(...steps: readonly ((page: Page) => Promise<unknown>)[]): (page: Page) => Promise<void> {
  return async (page) => {
    for (const step of steps) await step(page)
  }
}

/** By the keyboard: on a busy machine a click can land beside a list that is still finding its place, which closes it. */
export const choose = (actions: string, entry: string) => async (page: Page) => {
  await button(page, actions).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter')
}
