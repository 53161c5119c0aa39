/**
 * Measures analytics in the portal over a large log: `node bench/portal.ts --rows 1000000`. Fills an embedded Postgres (or
 * takes the one in --directory, filled before), starts the gateway on it, opens the page in Chromium, and takes the time from
 * a choice in the filter bar to the last change of the page that it causes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { startEmbeddedPostgres } from '../src/stores/embedded-postgres.ts'
import { launchBrowser } from '../test/login/browser.ts'
import { buildPortal } from '../tools/portal/build.ts'
import { prepareDatabase } from './analytics/prepare.ts'
import { busyShare, quantile } from './machine.ts'
import { launchCauseway } from './targets/causeway.ts'
import { startStub } from './upstream/stub.ts'

const GOAL_MS = 350

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    directory: { type: 'string' },
    days: { type: 'string', default: '30' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const say = (line: string): void => console.log(line)
await buildPortal()
const usedByOthers = await busyShare()
const postgres = await startEmbeddedPostgres({ directory: values.directory ?? join(folder, 'database') })
const prepared = await prepareDatabase(postgres.url, Number(values.rows), say)
const stub = await startStub(folder)
const password = 'bench-password'
const target = await launchCauseway({
  folder,
  upstreamPort: stub.port,
  databaseUrl: postgres.url,
  keys: [prepared.key],
  nodeFlags: [],
  env: { ADMIN_PASSWORD: password },
})()
const browser = await launchBrowser()
const url = `http://127.0.0.1:${target.port}`
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
await context.request.post(`${url}/auth/login`, { data: { username: 'admin', password } })
const page = await context.newPage()
await page.goto(`${url}/portal#/org-analytics?days=${values.days}`)
await page.getByRole('heading', { name: 'Spend by team' }).waitFor({ timeout: 30_000 })
await page.locator('.skeleton').first().waitFor({ state: 'detached' })

const timesMs: number[] = []
for (const label of ['Team', 'Model', 'Endpoint'])
  for (const choice of (await choicesOf(page, label)).slice(0, 6)) {
    const ms = await timeOfChoice(page, label, choice)
    timesMs.push(ms)
    say(`${label.padEnd(9)} ${(choice === '' ? 'all' : choice).padEnd(40)} ${ms.toFixed(0)} ms`)
  }
const p95Ms = quantile(timesMs, 0.95)
say(
  `${prepared.rows} rows, ${values.days} days, ${timesMs.length} choices: median ${quantile(timesMs, 0.5).toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms (goal ${GOAL_MS} ms); others used ${(usedByOthers * 100).toFixed(0)} % of the machine before`,
)
await browser.close()
await target.stop()
await stub.stop()
await postgres.stop()
process.exitCode = p95Ms > GOAL_MS ? 1 : 0

/** Without "all", whose answer the page has already. */
async function choicesOf(of: Page, label: string): Promise<string[]> {
  const options = of.getByLabel(label, { exact: true }).locator('option')
  const names = await options.evaluateAll((list) => list.map((option) => option.getAttribute('value') ?? ''))
  return names.filter((name) => name !== '')
}

/** Inside of the page, so that nothing but the page is measured: from the event to the last change that follows it. */
async function timeOfChoice(of: Page, label: string, choice: string): Promise<number> {
  const select = of.getByLabel(label, { exact: true })
  await of.evaluate(`
    window.lastChangeMs = 0
    window.watching?.disconnect()
    window.watching = new MutationObserver(() => { window.lastChangeMs = performance.now() })
    window.watching.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
    performance.clearResourceTimings()
  `)
  const startedMs = (await of.evaluate('performance.now()')) as number
  await select.selectOption(choice)
  const endedMs = (await of.evaluate(`new Promise((done) => {
    const look = () => {
      const asked = performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/analytics/org/'))
      const isAnswered = asked.length > 0 && asked.every((entry) => entry.responseEnd > 0)
      if (isAnswered && performance.now() - window.lastChangeMs > 400) done(window.lastChangeMs)
      else requestAnimationFrame(look)
    }
    look()
  })`)) as number
  return endedMs - startedMs
}
