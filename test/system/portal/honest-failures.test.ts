/** Every write of the portal, answered with a refusal, a conflict, a fault, nothing, or silence: the error is shown and what was typed stays. On the way every window that writes is looked at with axe. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../../sign-in/browser.ts'
import type { FailureCase, Known } from './failure-cases/failure-case.ts'
import { startFailureWorld } from './failure-cases/failure-world.ts'
import { organizationCases } from './failure-cases/organization-cases.ts'
import { ownCases } from './failure-cases/own-cases.ts'
import { platformCases } from './failure-cases/platform-cases.ts'
import {
  asAdministrator,
  asMember,
  assertSoundWindow,
  newVisitor,
  type PortalWorld,
  settled,
  type Visitor,
  visit,
} from './journey.ts'

const sources = path.resolve(import.meta.dirname, '../../../portal/src')
/** An extension that was removed takes its writes with it. */
const cases: readonly FailureCase[] = [...ownCases, ...organizationCases, ...platformCases].filter(
  ({ site }) => !site.startsWith('extensions/') || existsSync(path.join(sources, path.dirname(site))),
)

/** Nothing is measured while it fades in. */
const calm = { reducedMotion: 'reduce' } as const

/** Longer than the portal waits for an answer. */
const BEYOND_THE_LIMIT_MS = 31_000

const failures = [
  { name: '403', status: 403, text: 'Your account may not do this.' },
  { name: '409', status: 409, text: 'Somebody has just changed this.' },
  { name: '500', status: 500, text: 'The gateway failed.' },
  { name: 'a broken connection', status: 'broken', text: 'cannot be reached' },
  { name: 'a time-out', status: 'silent', text: 'did not answer in time' },
] as const

test('every place of the portal that writes has a failure test, and no test is about a write that is gone', () => {
  const made = new Set<string>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: sources })) {
    const text = readFileSync(path.join(sources, file), 'utf8')
    const calls = [...text.matchAll(/\bapi\.(post|put|patch|delete|upload)\(\s*(?:'([^']+)')?/g)]
    for (const [whole, method = '', address] of calls) {
      assert.ok(address !== undefined, `${file}: the address of ${whole} is not written out`)
      made.add(`${file} ${method === 'upload' ? 'POST' : method.toUpperCase()} ${address}`)
    }
    // Another way to the gateway would be a write that nobody sees here. Files go by `api.upload`, which alone has this one.
    const isUpload = file === 'api/upload.ts'
    assert.doesNotMatch(text, isUpload ? /fetch\(|sendBeacon/ : /fetch\([^)]*method:|XMLHttpRequest|sendBeacon/, file)
    assert.ok(file === 'api/client.ts' || !/sendFile\(/.test(text) || isUpload, `${file} sends a file on its own`)
  }
  const tested = new Set(cases.map(({ site, operation }) => `${site} ${operation}`))
  assert.ok(made.size > 50)
  assert.deepEqual([...made].sort(), [...tested].sort())
})

if (chromiumPath !== undefined) describe('a write that fails', failureTests)

function failureTests(): void {
  let world: PortalWorld
  let known: Known
  let visitors: Readonly<Record<NonNullable<FailureCase['as']>, Visitor>>

  before(async () => {
    const started = await startFailureWorld()
    world = started.world
    known = started.known
    visitors = {
      administrator: await asAdministrator(world, '/', calm),
      member: await asMember(world, '/', 'alice@example.com', calm),
      nobody: await newVisitor(world, calm),
    }
    for (const { page } of Object.values(visitors)) {
      await page.clock.install()
      // The clock is there from the next load on; one page serves all cases of a person, which saves a load for each.
      await page.goto(`${world.gateway.url}/portal`)
      await page.reload()
      await settled(page)
    }
  })

  after(() => world.stop())

  for (const one of cases)
    test(`${one.operation} in ${one.site}`, async () => {
      const visitor = visitors[one.as ?? 'administrator']
      const { page } = visitor
      await page.bringToFront()
      // Away first: an address that stays the same would keep the window of the last case open.
      if (one.as !== 'nobody') await visit(world, visitor, '/me/requests')
      await visit(world, visitor, typeof one.path === 'string' ? one.path : one.path(known))
      await one.open?.(page)
      const hasWindow = (await page.locator('[role=dialog], [role=alertdialog]').count()) > 0
      await assertHonestFailures(page, one)
      if (hasWindow) await assertSoundWindow(page, 'with what was typed and the error')
      assert.deepEqual(visitor.complaints, [])
    })
}

/** Each failure in turn: the error is shown, nothing claims success, and what was there is there. */
async function assertHonestFailures(page: Page, { operation, act, kept }: FailureCase): Promise<void> {
  const [method = '', template = ''] = operation.split(' ')
  const address = new RegExp(`^https?://[^/]+${template.replace(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`)
  for (const { name, status, text } of failures) {
    const asked = Promise.withResolvers<void>()
    await page.route(address, (route) => {
      if (route.request().method() !== method) return route.fallback()
      asked.resolve()
      if (status === 'silent') return undefined
      if (status === 'broken') return route.abort('connectionreset')
      const error = { type: 'api_error', message: text, code: 'test' }
      return route.fulfill({ status, json: { type: 'error', error, request_id: 'req_test' } })
    })
    await page.evaluate(
      'document.querySelectorAll("[data-sonner-toast]").forEach((toast) => { toast.dataset.old = "yes" })',
    )
    await act(page)
    await asked.promise
    if (status === 'silent') await page.clock.fastForward(BEYOND_THE_LIMIT_MS)
    await page
      .getByRole('alert')
      .or(page.locator('[data-sonner-toast][data-type="error"]:not([data-old])'))
      .filter({ hasText: text })
      .first()
      .waitFor()
    const successes = page.locator('[data-sonner-toast][data-type="success"]:not([data-old])')
    assert.equal(await successes.count(), 0, `${name} looks like success`)
    await kept(page)
    await page.unroute(address)
  }
}
