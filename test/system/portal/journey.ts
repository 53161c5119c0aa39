/** What every journey through the portal needs: a real gateway, a real browser, people who sign in, and checks that hold on every page. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { buildPortal } from '../../../tools/portal/build.ts'
import { launchBrowser } from '../../sign-in/browser.ts'
import { startLoginGateway } from '../../sign-in/login-app.ts'
import { ADMIN_PASSWORD, type GatewayOptions, type TestGateway } from '../../support/gateway.ts'

export type PortalGateway = TestGateway & { readonly idpId: string }

export interface PortalWorld {
  readonly gateway: PortalGateway
  readonly browser: Browser
  readonly stop: () => Promise<void>
}

/** One for all files of the process: contexts keep them apart, and starting a browser takes longer than opening one. */
let launched: Promise<Browser> | undefined

/** Builds the portal when its sources have changed, starts a gateway with the simulator's identity provider, and a browser. */
export async function startPortalWorld(options: GatewayOptions = {}): Promise<PortalWorld> {
  await buildPortal()
  const gateway = await startLoginGateway(options)
  launched ??= launchBrowser()
  const browser = await launched
  return {
    gateway,
    browser,
    stop: async () => {
      // The browser itself ends with the process.
      await Promise.all(browser.contexts().map((context) => context.close()))
      await gateway.stop()
    },
  }
}

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Console errors, page errors, dialogs, and requests to other origins than the gateway's and the provider's. */
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>

/** A fresh browser profile. */
export async function newVisitor(world: PortalWorld, options: ContextOptions = {}): Promise<Visitor> {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  // Only ends a wait for something that never comes.
  page.setDefaultTimeout(120_000)
  const complaints: string[] = []
  const own = [world.gateway.url, world.gateway.simulator.oidcUrl]
  page.on('request', (request) => {
    if (!own.some((origin) => request.url().startsWith(origin))) complaints.push(`asked for ${request.url()}`)
  })
  page.on('console', (message) => {
    // Chromium reports every answer that is not a success; the pages show them, and the journeys look at that.
    if (message.type() === 'error' && !/status of [45]\d\d|net::ERR_/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, context, complaints, close: () => context.close() }
}

/** Signed in by password as the administrator, on this page of the portal. */
export async function asAdministrator(world: PortalWorld, path = '/', options: ContextOptions = {}): Promise<Visitor> {
  const visitor = await newVisitor(world, options)
  const answer = await visitor.context.request.post(`${world.gateway.url}/auth/login`, {
    data: { username: 'admin', password: ADMIN_PASSWORD },
  })
  assert.equal(answer.status(), 200)
  await visit(world, visitor, path)
  return visitor
}

/** Signed in through the identity provider, as a person who is made a member by it. */
export async function asMember(
  world: PortalWorld,
  path = '/',
  user = 'alice@example.com',
  options: ContextOptions = {},
): Promise<Visitor> {
  const visitor = await newVisitor(world, options)
  await visitor.page.goto(`${world.gateway.url}/portal`)
  await visitor.page.getByRole('link', { name: 'Continue with Example SSO' }).click()
  await visitor.page.locator(`button[value="${user}"]`).click()
  await visitor.page.waitForURL(/\/portal#\//)
  await visit(world, visitor, path)
  return visitor
}

/** Opens a page of the portal and waits until nothing on it is loading. */
export async function visit(world: PortalWorld, { page }: Visitor, path: string): Promise<void> {
  await page.goto(`${world.gateway.url}/portal#${path}`)
  await settled(page)
}

export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

const axeRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The only rule whose result depends on the theme. */
const themeRules = { type: 'rule', values: ['color-contrast'] }

/** Breaches of WCAG 2.2 AA in the page as it stands, or in a part of it, one line each; empty when there are none. */
export async function accessibilityProblems(
  page: Page,
  part?: string,
  runOnly: typeof axeRules | typeof themeRules = axeRules,
): Promise<string[]> {
  // Through the debugger, since the policy of the page forbids script elements.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource)
  const where = part === undefined ? 'document' : `{ include: [${JSON.stringify([part])}] }`
  // Telling what is sound, element by element, takes longer than finding it out.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const found = await page.evaluate(`axe.run(${where}, ${options}).then(({ violations }) => violations)`)
  return (found as readonly AxeViolation[]).flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} — ${failureSummary.slice(0, 200)}`),
  )
}

/** Everything is checked in the first theme. */
const themes = [
  ['light', axeRules],
  ['dark', themeRules],
] as const

/** What is open over the page is clean for assistive technology in both themes. Fails when nothing of the kind is open. */
export async function assertSoundWindow(page: Page, where: string, part = '[role=dialog], [role=alertdialog]') {
  await page.locator(part).first().waitFor()
  for (const [colorScheme, rules] of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const selector of part.split(', '))
      if ((await page.locator(selector).count()) > 0)
        assert.deepEqual(await accessibilityProblems(page, selector, rules), [], `${where} ${colorScheme}`)
  }
}

/** What makes the page scroll sideways, with where it ends; nothing when it does not scroll. */
const WIDER_THAN_SCREEN = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const isHeld = (part) => part !== document.body && (getComputedStyle(part).overflowX !== 'visible' || isHeld(part.parentElement))
  return [String(document.documentElement.scrollWidth), ...[...document.querySelectorAll('body *')]
    .filter((part) => part.getBoundingClientRect().right > innerWidth && !isHeld(part.parentElement))
    .map((part) => part.outerHTML.slice(0, 160) + ' to ' + part.getBoundingClientRect().right)]
})()`

/** Holds on every page: clean for assistive technology in both themes, no wider than a phone, no complaint of the browser. */
export async function assertSoundPage(world: PortalWorld, visitor: Visitor, path: string): Promise<void> {
  const { page, complaints } = visitor
  for (const [colorScheme, rules] of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await visit(world, visitor, path)
      const where = `${path} ${colorScheme} ${width}`
      assert.deepEqual(await accessibilityProblems(page, undefined, rules), [], where)
      assert.deepEqual(await page.evaluate(WIDER_THAN_SCREEN), [], `${where} scrolls sideways`)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  assert.deepEqual(complaints, [], path)
}
