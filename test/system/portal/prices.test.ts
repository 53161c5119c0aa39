/** Prices: whoever is told that a model has none can set one, also for a model that nothing maps to. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSpendLog } from '../../../src/modules/spend/spend-log.store.ts'
import { aSpendRecord } from '../../database/samples.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import { asAdmin } from '../../sign-in/login-app.ts'
import { asAdministrator, assertSoundWindow, type PortalWorld, startPortalWorld } from './journey.ts'

if (chromiumPath !== undefined) describe('prices', priceTests)

interface Price {
  readonly scope: string
  readonly input_usd_per_mtok: number
  readonly cache_write_1h_usd_per_mtok: number | null
}

const unlisted = 'anthropic.claude-newest-9'

function priceTests(): void {
  let world: PortalWorld

  before(async () => {
    world = await startPortalWorld()
    const database = world.gateway.database
    assert.ok(database !== undefined)
    const record = aSpendRecord({ atMs: Date.now(), model: `eu.${unlisted}`, flags: ['price_estimated'] })
    const former = { model: 'claude-former', hostedModel: 'us.anthropic.claude-former-v1:0' }
    const unmapped = aSpendRecord({ atMs: Date.now(), ...former, flags: ['price_estimated'] })
    await createSpendLog(database.kysely).appendBatch([record, unmapped])
    while (!(await isToldUnpriced('claude-former'))) await new Promise((resolve) => setTimeout(resolve, 200))
  })

  after(() => world.stop())

  /** The sums that the status reads follow the records by some seconds. */
  async function isToldUnpriced(name: string): Promise<boolean> {
    const answer = await asAdmin(world.gateway, 'GET', '/admin/status')
    const { unpriced_models: models } = (await answer.json()) as { unpriced_models: { model: string }[] }
    return models.some(({ model }) => model === name)
  }

  async function listPrices(modelId: string): Promise<readonly Price[]> {
    const answer = await asAdmin(world.gateway, 'GET', `/admin/pricing?q=${modelId}`)
    return ((await answer.json()) as { data: Price[] }).data
  }

  test('a model that is called by its hosted name gets its price from the warning about it', async () => {
    assert.deepEqual(await listPrices(unlisted), [])
    const visitor = await asAdministrator(world, '/models?tab=prices', { reducedMotion: 'reduce' })
    const { page } = visitor
    await page.getByText(`eu.${unlisted}: the cost of 1 request is an estimate.`).waitFor()
    await page.getByRole('button', { name: `Set a price for eu.${unlisted}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a price' })
    assert.equal(await dialog.getByLabel('Hosted model').inputValue(), unlisted)
    for (const [label, value] of [
      ['Input', '3'],
      ['Output', '15'],
      ['Cache read', '0.3'],
      ['Cache write, 5 minutes', '3.75'],
    ] as const)
      await dialog.getByLabel(label, { exact: true }).fill(value)
    await assertSoundWindow(page, 'adding a price')
    await dialog.getByRole('button', { name: 'Save price' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(`eu.${unlisted}: the cost of 1 request is an estimate.`).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Change the price of ${unlisted}, global` }).waitFor()
    const prices = await listPrices(unlisted)
    assert.deepEqual(prices.map((one) => [one.scope, one.input_usd_per_mtok, one.cache_write_1h_usd_per_mtok]).sort(), [
      ['geo', 3, null],
      ['global', 3, null],
    ])
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('of a name that nothing maps to any more the last call tells the model to price', async () => {
    const visitor = await asAdministrator(world, '/models?tab=prices', { reducedMotion: 'reduce' })
    await visitor.page.getByRole('button', { name: 'Set a price for claude-former' }).click()
    const model = visitor.page.getByRole('dialog', { name: 'Add a price' }).getByLabel('Hosted model')
    assert.equal(await model.inputValue(), 'anthropic.claude-former-v1:0')
    await visitor.close()
  })

  test('a price is added by hand, and a model with the prefix of a region is refused at its field', async () => {
    const visitor = await asAdministrator(world, '/models?tab=prices', { reducedMotion: 'reduce' })
    const { page } = visitor
    await page.getByRole('button', { name: 'Add price' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a price' })
    await dialog.getByLabel('Hosted model').fill('us-gov.anthropic.claude-own-1')
    await dialog.getByRole('button', { name: 'Save price' }).click()
    await dialog.getByText('without a region').waitFor()
    await dialog.getByLabel('Hosted model').fill('anthropic.claude-own-1')
    await dialog.getByLabel('Scope').selectOption('us-gov')
    for (const label of ['Input', 'Output', 'Cache read', 'Cache write, 5 minutes', 'Cache write, 1 hour'])
      await dialog.getByLabel(label, { exact: true }).fill('2.5')
    await dialog.getByRole('button', { name: 'Save price' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(
      (await listPrices('anthropic.claude-own-1')).map((one) => [one.scope, one.cache_write_1h_usd_per_mtok]),
      [['us-gov', 2.5]],
    )
    await visitor.close()
  })
}
