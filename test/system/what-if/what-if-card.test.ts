/** Questions of finance and management: another model, the cost of a person a day, and how far people have come. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { costAt } from '../../../src/foundation/domain/price.ts'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import {
  accessibilityProblems,
  asAdministrator,
  asMember,
  assertSoundPage,
  type PortalWorld,
  settled,
  startPortalWorld,
  visit,
} from '../portal/journey.ts'

if (chromiumPath !== undefined) describe('what if, a day of a person, and adoption', valueTests)

const HOUR_MS = 3_600_000
const rates = { input: 40, output: 200, cacheRead: 4, cacheWrite5m: 50, cacheWrite1h: 80 }

function valueTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
    const alice = await asMember(world)
    await alice.close()
    const { database } = world.gateway
    assert.ok(database !== undefined)
    const found = await asAdmin(world.gateway, 'GET', '/admin/users?q=alice')
    const { data } = (await found.json()) as { readonly data: readonly { readonly id: string }[] }
    await asAdmin(world.gateway, 'POST', '/admin/users', { subject: 'later@example.com' })
    const call = (model: string, inputTokens: number) => {
      const usage = { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 }
      return aSpendRecord({
        atMs: Date.now(),
        userId: data[0]?.id ?? null,
        teamId: null,
        keyId: null,
        model,
        hostedModel: `global.anthropic.${model}`,
        usage,
        rates,
        costNanoUsd: costAt(usage, rates),
        flags: [],
      })
    }
    await createSpendLog(database.kysely).appendBatch([
      call('claude-opus-5-5', 1_000_000),
      call('claude-haiku-5-5', 500_000),
    ])
  })

  after(() => world.stop())

  test('two models and a share make one sentence, and all of it is in the address', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const { page } = visitor
    const card = page.getByRole('region', { name: 'What if' })
    await card.getByText(/^If 30% of the calls to Claude Opus 5\.5 had gone to Claude Sonnet/).waitFor()
    await card.getByLabel('had gone to').selectOption('claude-haiku-5-5')
    await card.getByText(/had gone to Claude Haiku 5\.5/).waitFor()
    assert.match(page.url(), /instead=claude-haiku-5-5/)
    await card.getByLabel('Share of the calls', { exact: true }).press('End')
    await card.getByText(/^If 100% of the calls/).waitFor()
    await card.getByLabel('Share of the calls in percent').fill('50')
    await page.waitForURL(/share=50/)
    // A million tokens for $40, of which half at the $0.50 that long prompts cost, beside the $20 of the other call.
    const sentence =
      'If 50% of the calls to Claude Opus 5.5 had gone to Claude Haiku 5.5, this period would have cost $40.25 instead of $60.00: $19.75 less (33%).'
    await card.getByText(sentence).waitFor()
    await page.reload()
    await settled(page)
    await card.getByText(sentence).waitFor()
    await card.getByText(/^Tokens, prices and assumptions/).click()
    const input = card.getByRole('row').filter({ hasText: /^Input/ })
    assert.match(await input.innerText(), /Global, long prompts\s+1M\s+\$\S+\s+\$0\.50/)
    await card.getByText('Nothing is said about the quality of the answers.').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      assert.deepEqual(await accessibilityProblems(page), [], colorScheme)
    }
    await card.getByRole('button', { name: 'Suggest models' }).click()
    await card.getByText(/^If 50% of the calls to Claude Opus 5\.5 had gone to Claude Sonnet/).waitFor()
    assert.doesNotMatch(page.url(), /instead=/)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('what cannot be compared says why, and another choice is at hand', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const { page } = visitor
    const card = page.getByRole('region', { name: 'What if' })
    await card.getByText(/^If 30%/).waitFor()
    await card.getByLabel('had gone to').selectOption('claude-opus-5-5')
    await card.getByRole('alert').filter({ hasText: 'must be another model than claude-opus-5-5' }).waitFor()
    await card.getByLabel('had gone to').selectOption('claude-haiku-5-5')
    await card.getByText(/had gone to Claude Haiku 5\.5/).waitFor()
    await card.getByLabel('Calls to').selectOption('claude-haiku-5-5')
    await card.getByRole('alert').filter({ hasText: 'must be another model' }).waitFor()
    await card.getByRole('button', { name: 'Suggest models' }).click()
    await card.getByText(/^If 30%/).waitFor()
    await visit(world, visitor, '/org-analytics?from=2025-01-01&to=2025-01-07')
    await card.getByText('No call in this range went to a model.').waitFor()
    await page
      .getByRole('region', { name: 'Cost of a person on an active day' })
      .getByText(/Nobody had a call in this range/)
      .waitFor()
    await visitor.close()
  })

  test('a day of a person stands beside the marks, and the time before', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const card = visitor.page.getByRole('region', { name: 'Cost of a person on an active day' })
    await card.getByText('$60.00', { exact: true }).waitFor()
    await card.getByText(/nobody was active before\. \$60\.00 over 1 active day of people\./).waitFor()
    await card.getByText(/^\$13\.00 .*average.*You are \$47\.00 above\.$/).waitFor()
    await card.getByText(/^\$30\.00 .*nine of ten.*You are \$30\.00 above\.$/).waitFor()
    assert.equal(await card.getByRole('meter').getAttribute('aria-valuetext'), '$60.00')
    await visitor.close()
  })

  test('far below they are asked for after a rest, and at once when they are near', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7')
    const { page } = visitor
    await settled(page)
    // From here on, time passes in the page only when the test says so: a slow machine changes nothing.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + HOUR_MS)
    const passedMs = async (choice: string, stepMs: number): Promise<number> => {
      let isAsked = false
      const below = page.waitForRequest(/\/unit-price/).then(() => {
        isAsked = true
      })
      await page.getByLabel('Range', { exact: true }).selectOption(choice)
      let passed = 0
      for (; !isAsked; passed += stepMs) {
        await page.clock.runFor(stepMs)
        // A request that was sent is heard of a moment later.
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await below
      return passed
    }
    await page.setViewportSize({ width: 1280, height: 500 })
    const rested = await passedMs('14', 50)
    assert.ok(rested >= 900, `asked after ${rested} ms`)
    await page.setViewportSize({ width: 1280, height: 5_000 })
    const near = await passedMs('30', 1)
    assert.ok(near < 900, `asked after ${near} ms`)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('every stage from invited to active leads to its people', async () => {
    const visitor = await asAdministrator(world, '/org-analytics?days=7&tab=activity')
    const { page } = visitor
    const card = page.getByRole('region', { name: 'From invited to active' })
    await card.getByRole('listitem').filter({ hasText: 'Active in the last 7 days' }).waitFor()
    await card.getByRole('link', { name: 'Invited' }).click()
    await page.getByRole('cell', { name: 'later@example.com' }).first().waitFor()
    assert.match(page.url(), /#\/users\?adoption=invited/)
    await page.getByLabel('Stage').selectOption('active')
    await page.getByRole('cell', { name: 'later@example.com' }).first().waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'alice@example.com' }).first().waitFor()
    assert.match(page.url(), /adoption=active/)
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('each of them fails alone, in words, and is asked again', async () => {
    const visitor = await asAdministrator(world, '/teams')
    const { page } = visitor
    for (const [route, path, healed] of [
      ['what-if', '/org-analytics?days=7', /^If 30%/],
      ['unit-price', '/org-analytics?days=7', /over 1 active day of people/],
      ['adoption', '/org-analytics?days=7&tab=activity', 'Invited'],
    ] as const) {
      await page.route(`**/admin/analytics/${route}?*`, (asked) => asked.fulfill({ status: 400, json: refusal }))
      await page.route(`**/admin/analytics/${route}`, (asked) => asked.fulfill({ status: 400, json: refusal }))
      await page.goto('about:blank')
      await visit(world, visitor, path)
      const alert = page.getByRole('alert').filter({ hasText: 'It is not to be.' })
      await alert.waitFor()
      assert.equal(await page.getByRole('alert').count(), 1, route)
      await page.unrouteAll()
      await alert.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(healed).first().waitFor()
    }
    await visitor.close()
  })

  for (const path of ['/org-analytics?tab=activity', '/users?adoption=active'])
    test(`${path} is sound in both themes and at every width`, async () => {
      const visitor = await asAdministrator(world, path)
      await assertSoundPage(world, visitor, path)
      await visitor.close()
    })
}

const refusal = {
  type: 'error',
  error: { type: 'invalid_request_error', message: 'It is not to be.', code: 'invalid_parameter' },
  request_id: 'req_1',
}
