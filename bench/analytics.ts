/**
 * Measures analytics over a large log: `node bench/analytics.ts --rows 1000000`. Fills an embedded Postgres (or takes the
 * one in --directory, filled before), starts the gateway on it, and asks every route with several zones and filters; then
 * exports everything while calls are served, and looks at the memory of the gateway and at the calls.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/foundation/database/embedded/embedded-postgres.ts'
import { askRoutes, signIn } from './analytics/ask-routes.ts'
import { compareFilters } from './analytics/compare-filters.ts'
import { exportBesideCalls } from './analytics/export-beside-calls.ts'
import { prepareDatabase } from './analytics/prepare.ts'
import { busyShare, loadAverage, machineFacts, quantile } from './machine.ts'
import { launchCauseway } from './targets/causeway.ts'
import { startStub } from './upstream/stub.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    directory: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    save: { type: 'boolean', default: true },
    only: { type: 'string', default: 'routes,filters,export' },
    // Says what ran while calls were slow; looking at every process makes some of them slow, so it is no measurement.
    watch: { type: 'boolean', default: false },
  },
  allowNegative: true,
})

const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const say = (line: string): void => console.log(line)
const directory = values.directory ?? join(folder, 'database')
const before = { usedByOthers: await busyShare(), load: loadAverage() }
const postgres = await startEmbeddedPostgres({ directory })
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

const isWanted = (step: string): boolean => values.only.split(',').includes(step)
const routes = isWanted('routes')
  ? await askRoutes({ port: target.port, password, rounds: Number(values.rounds), ...prepared })
  : []
for (const row of routes)
  say(`${row.route.padEnd(10)} ${row.question.padEnd(34)} p50 ${row.p50Ms.toFixed(0)} p95 ${row.p95Ms.toFixed(0)} ms`)

const analytics = `http://127.0.0.1:${target.port}/admin/analytics/org`
const token = await signIn(`http://127.0.0.1:${target.port}`, password)
const ask = async (path: string): Promise<number> => {
  const response = await fetch(`${analytics}/${path}`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}
const filters = isWanted('filters') ? await compareFilters(ask) : undefined

const exported = isWanted('export')
  ? await exportBesideCalls({ target, url: `${analytics}/export?days=90`, token, isWatched: values.watch })
  : undefined

const result = {
  at: new Date().toISOString(),
  machine: machineFacts(),
  rows: prepared.rows,
  usedByOthers: { before: before.usedByOthers, after: await busyShare() },
  loadAverage: { before: before.load, after: loadAverage() },
  routes: routes.map(({ all: _all, ...row }) => row),
  p95MsByRoute: Object.fromEntries(
    [...Map.groupBy(routes, ({ route }) => route)].map(([route, list]) => [
      route,
      Math.round(
        quantile(
          list.flatMap(({ all }) => all),
          0.95,
        ),
      ),
    ]),
  ),
  export: exported,
  filters,
}
console.log(JSON.stringify({ ...result, routes: undefined }, null, 2))
await target.stop()
await stub.stop()
await postgres.stop()
if (values.save) {
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  const file = join(results, `${result.at.slice(0, 10)}-${result.machine.commit}-analytics-${prepared.rows}.json`)
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  console.log(`kept as ${file}`)
}
