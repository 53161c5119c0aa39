/**
 * Measures analytics in the portal over a large log: `node bench/portal.ts --rows 1000000`. Fills an embedded Postgres (or
 * takes the one in --directory, filled before), starts the gateway on it, opens the page in Chromium, and takes the time from
 * a choice in the filter bar to the frame after the last change of the page that it causes.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/foundation/database/embedded/embedded-postgres.ts'
import { launchBrowser } from '../test/sign-in/browser.ts'
import { type ChoiceTime, timeChoices } from '../test/system/portal/filter-time.ts'
import { buildPortal } from '../tools/portal/build.ts'
import { prepareDatabase } from './analytics/prepare.ts'
import { busyShare, loadAverage, machineFacts, quantile } from './machine.ts'
import { launchCauseway } from './targets/causeway.ts'
import { startStub } from './upstream/stub.ts'

const GOAL_MS = 350
/** Of each filter. */
const CHOICES = 6
/** Enough for what 95 of 100 are. */
const ROUNDS = 3

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    directory: { type: 'string' },
    save: { type: 'boolean', default: true },
  },
  allowNegative: true,
})

const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const say = (line: string): void => console.log(line)
await buildPortal()
const before = { usedByOthers: await busyShare(), load: loadAverage() }
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
const choices: ChoiceTime[] = []
for (let round = 0; round < ROUNDS; round += 1) {
  // A fresh page has kept no answer.
  await page.goto('about:blank')
  await page.goto(`${url}/portal#/org-analytics`)
  await page.getByRole('heading', { name: 'Spend by team' }).waitFor({ timeout: 30_000 })
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  choices.push(...(await timeChoices(page, CHOICES)))
}
for (const { filter, choice, ms } of choices) say(`${filter.padEnd(9)} ${choice.padEnd(40)} ${ms.toFixed(0)} ms`)
const timesMs = choices.map(({ ms }) => ms)
const result = {
  at: new Date().toISOString(),
  machine: machineFacts(),
  rows: prepared.rows,
  usedByOthersBefore: before.usedByOthers,
  loadAverageBefore: before.load,
  goalMs: GOAL_MS,
  medianMs: Math.round(quantile(timesMs, 0.5)),
  p95Ms: Math.round(quantile(timesMs, 0.95)),
  choices: choices.map(({ ms, ...choice }) => ({ ...choice, ms: Math.round(ms) })),
}
say(JSON.stringify({ ...result, choices: choices.length }, null, 2))
await browser.close()
await target.stop()
await stub.stop()
await postgres.stop()
if (values.save) {
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  const file = join(results, `${result.at.slice(0, 10)}-${result.machine.commit}-portal-${prepared.rows}.json`)
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  say(`kept as ${file}`)
}
process.exitCode = result.p95Ms > GOAL_MS ? 1 : 0
