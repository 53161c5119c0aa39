/** Does it match the cloud bill? A report is chosen or dropped, and the page says where a difference comes from and what mends it. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { lineItems, opusCharges } from '../../reconciliation/bill.ts'
import { chromiumPath } from '../../sign-in/browser.ts'
import {
  accessibilityProblems,
  asAdministrator,
  type PortalWorld,
  settled,
  startPortalWorld,
  type Visitor,
} from '../portal/journey.ts'

if (chromiumPath !== undefined) describe('reconciliation in the portal', reconcileTests)

const PATH = '/org-analytics?tab=reconcile'

function reconcileTests(): void {
  let world: PortalWorld
  before(async () => {
    world = await startPortalWorld()
  })
  after(() => world.stop())

  const choose = ({ page }: Visitor, ...texts: readonly string[]) =>
    page
      .getByLabel('Report of the bill')
      .setInputFiles(
        texts.map((text, place) => ({ name: `bill-${place}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) })),
      )

  test('a report is compared; causes lead to what mends them, and the rows are saved as a file', async () => {
    const visitor = await asAdministrator(world, PATH)
    const { page } = visitor
    assert.equal(await page.getByLabel('Team', { exact: true }).count(), 0)
    await page.getByText('Do not filter to Amazon Bedrock').waitFor()
    const elsewhere = { account: '999900001111', region: 'eu-west-1' }
    await choose(visitor, lineItems(opusCharges()), lineItems(opusCharges(elsewhere)))
    const causes = page.getByRole('region', { name: 'Where the difference comes from' })
    await causes.getByText('Account 999900001111, region eu-west-1 has no endpoint of the gateway').waitFor()
    await page.getByRole('heading', { name: '2 files' }).waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Days as CSV' }).click()
    const text = await readFile(await (await file).path(), 'utf8')
    assert.match(
      text,
      /^day,model,is_final,billed_usd,gateway_usd,.*\r\n2026-10-10,anthropic\.claude-opus-5-5,true,24\.2,0,24\.2,100,differs,2000000,0,/,
    )
    assert.deepEqual(await accessibilityProblems(page), [])
    // Another tab and back: the result is still there.
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('tab', { name: 'Reconcile' }).click()
    await causes.getByRole('link', { name: 'See the endpoints' }).click()
    await page.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.close()
  })

  test('a report without a charge for a model says so, and another one can be chosen', async () => {
    const visitor = await asAdministrator(world, PATH)
    const { page } = visitor
    await choose(visitor, lineItems([]))
    await page.getByText('There is nothing to compare').waitFor()
    assert.deepEqual(await accessibilityProblems(page), [])
    await page.getByRole('button', { name: 'Compare another' }).click()
    await page.getByRole('button', { name: 'Choose a report' }).waitFor()
    await visitor.close()
  })

  test('while a report is sent it shows how much, and can be stopped', async () => {
    const visitor = await asAdministrator(world, PATH)
    const { page } = visitor
    await page.route('**/admin/analytics/reconciliation', () => undefined)
    await choose(visitor, lineItems(opusCharges()))
    await page.getByRole('progressbar', { name: 'How much of the report is sent' }).waitFor()
    assert.deepEqual(await accessibilityProblems(page), [])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Choose a report' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await settled(page)
    await visitor.close()
  })

  test('a file can be dropped', async () => {
    const visitor = await asAdministrator(world, PATH)
    const { page } = visitor
    const report = JSON.stringify(lineItems(opusCharges()))
    await page.evaluate(`{
      const data = new DataTransfer()
      data.items.add(new File([${report}], 'dropped.csv', { type: 'text/csv' }))
      document.querySelector('input[type=file]').parentElement
        .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    }`)
    await page.getByRole('heading', { name: 'dropped.csv' }).waitFor()
    await visitor.close()
  })
}
