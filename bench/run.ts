/** The benchmark: Causeway beside nginx and Portkey, in one run, on one machine. See README.md. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../test/support/database.ts'
import { createPlainLoader, hasWrk, wrkHint } from './load/plain-load.ts'
import { busyShare, loadAverage, machineFacts, moveToOtherCore } from './machine.ts'
import { printRun, saveRun } from './report.ts'
import { firstByte } from './scenarios/first-byte.ts'
import { idleStreams } from './scenarios/memory.ts'
import type { Bench, Row } from './scenarios/scenario.ts'
import { startToReady } from './scenarios/start.ts'
import { fastStreams, pacedStreams } from './scenarios/streams.ts'
import { wholeCalls } from './scenarios/whole-calls.ts'
import { launchCauseway, storeKeys } from './targets/causeway.ts'
import { findNginx, launchNginx, nginxHint, nginxVersion } from './targets/nginx.ts'
import { findPortkey, launchPortkey, PORTKEY_NODE_VERSION, PORTKEY_VERSION } from './targets/portkey.ts'
import type { Launch, Target, TargetName } from './targets/target.ts'
import { startStub } from './upstream/stub.ts'

const scenarios: Readonly<Record<string, (bench: Bench) => Promise<readonly Row[]>>> = {
  calls: wholeCalls,
  streams: async (bench) => [await fastStreams(bench)],
  paced: async (bench) => [await pacedStreams(bench)],
  'first-byte': firstByte,
  memory: idleStreams,
  start: async (bench) => [await startToReady(bench)],
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(scenarios).join(',') },
    without: { type: 'string', default: '' },
    'cpu-prof': { type: 'string' },
    save: { type: 'boolean', default: true },
  },
  allowNegative: true,
})

const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
moveToOtherCore()

const at = new Date().toISOString()
const machine = machineFacts()
const startedMs = performance.now()
const before = { usedByOthers: await busyShare(), load: loadAverage() }
console.log(
  `before the run: load average ${before.load}, ${Math.round(before.usedByOthers * 100)} % of the machine in use`,
)

const postgres = await startTestPostgres()
const stub = await startStub(folder)
const keys = await storeKeys(postgres.url)
const compared: Record<string, string> = {}
const launches = findLaunches()
const targets: Target[] = []
for (const launch of Object.values(launches)) targets.push(await launch())
const withWrk = hasWrk()
if (!withWrk) console.log(`NO WRK: whole calls are made by the slower client in bench/load. ${wrkHint}`)

const bench: Bench = {
  stub,
  targets,
  launches,
  plainLoad: createPlainLoader(folder, withWrk),
  rounds: options.quick ? 2 : 5,
  seconds: options.quick ? 1 : 2,
  quick: options.quick,
  say: (line) => console.log(`${String(Math.round((performance.now() - startedMs) / 1000)).padStart(4)} s  ${line}`),
}

/** These start processes of their own: the others would share the core with them. */
const alone = new Set(['memory', 'start'])

const rows: Row[] = []
for (const name of options.only.split(',')) {
  const scenario = scenarios[name]
  if (scenario === undefined) throw new Error(`there is no scenario ${name}: ${Object.keys(scenarios).join(', ')}`)
  if (alone.has(name)) for (const target of targets.splice(0)) await target.stop()
  rows.push(...(await scenario(bench)))
}
for (const target of targets) await target.stop()
await stub.stop()
await postgres.stop()

const run = {
  at,
  quick: options.quick,
  machine,
  compared,
  usedByOthers: { before: before.usedByOthers, after: await busyShare() },
  loadAverage: { before: before.load, after: loadAverage() },
  rows,
}
console.log('')
printRun(run)
if (options.save) {
  const results = join(import.meta.dirname, 'results')
  mkdirSync(results, { recursive: true })
  console.log(`kept as ${saveRun(run, results)}`)
}

/** Whatever cannot be had is left out, aloud: a ratio that is missing must not look like one that is good. */
function findLaunches(): Partial<Record<TargetName, Launch>> {
  const unwanted = options.without.split(',')
  const nodeFlags = options['cpu-prof'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options['cpu-prof']}`]
  const found: Partial<Record<TargetName, Launch>> = {
    causeway: launchCauseway({ folder, upstreamPort: stub.port, databaseUrl: postgres.url, keys, nodeFlags }),
  }
  compared['causeway'] =
    'POST /v1/messages, virtual key, rate limit, budgets of user and team, spend record, text log at info to a file'
  const nginx = findNginx()
  if (unwanted.includes('nginx')) console.log('without nginx, as asked')
  else if (nginx === undefined) console.log(`NO NGINX: there will be no ratio to it. ${nginxHint}`)
  else {
    found.nginx = launchNginx(nginx, stub.port, folder)
    compared['nginx'] = `${nginxVersion(nginx)}, the same calls in the hosted form, passed on unchanged, no access log`
  }
  const portkey = unwanted.includes('portkey') ? undefined : findPortkey()
  if (portkey !== undefined) {
    found.portkey = launchPortkey(portkey, stub.port, folder)
    compared['portkey'] =
      `@portkey-ai/gateway ${PORTKEY_VERSION} on Node ${PORTKEY_NODE_VERSION}, POST /v1/messages with the provider bedrock and x-portkey-custom-host: ` +
      'it turns Messages into Converse, signs, and turns the answer back; no keys, limits or spend records'
  } else if (!unwanted.includes('portkey')) console.log('NO PORTKEY: npm could not install it, so it is left out')
  return found
}
