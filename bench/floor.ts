/** What the parts of a call cost: the steps of `floor/step-server.ts` beside nginx, Portkey and the gateway. See README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../test/support/database.ts'
import { messagesForm, requestBody } from './load/bodies.ts'
import { clientHeaders } from './load/client-headers.ts'
import { createPlainLoader, hasWrk } from './load/plain-load.ts'
import { busyShare, loadAverage, MEASURED_CORE, machineFacts, moveToOtherCore } from './machine.ts'
import { freePort, start, untilOk } from './processes.ts'
import { cpuPer, interleaved, type Row, undisturbed, warmUp } from './scenarios/scenario.ts'
import { launchCauseway, storeKeys } from './targets/causeway.ts'
import { findNginx, launchNginx, nginxHint } from './targets/nginx.ts'
import { findPortkey, launchPortkey } from './targets/portkey.ts'
import type { FloorStep, Target, TargetName } from './targets/target.ts'
import { startStub } from './upstream/stub.ts'

const ROUNDS = 5
const SECONDS = 2
const WARM_SECONDS = 8

const steps = {
  pass: 'takes a call and passes it on',
  hash: 'and hashes the body, as a signature needs it',
  sign: 'and signs, and reads and translates the answer',
  journal: 'and has a small record on the disk before it answers',
} as const satisfies Record<FloorStep, string>

const sizes = [
  { title: '2 KB call', bytes: 2_048, connections: 16, ofPortkey: 15 },
  { title: '500 KB call', bytes: 512_000, connections: 8, ofPortkey: 20 },
] as const

type Measured = Pick<Row, 'title' | 'values' | 'rounds'>

const { values: options } = parseArgs({ options: { save: { type: 'boolean', default: false } } })
const folder = mkdtempSync(join(tmpdir(), 'causeway-floor-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
moveToOtherCore()
const nginx = findNginx()
if (nginx === undefined) throw new Error(`nginx is needed. ${nginxHint}`)
const portkey = findPortkey()
if (portkey === undefined) throw new Error('Portkey is needed, and npm could not install it')

const at = new Date().toISOString()
const usedByOthers = await busyShare()
const load = createPlainLoader(folder, hasWrk())
const postgres = await startTestPostgres()
const stub = await startStub(folder)
const keys = await storeKeys(postgres.url)
const gatewayParts = { folder, upstreamPort: stub.port, databaseUrl: postgres.url, keys, nodeFlags: [] }
const targets: Target[] = [
  await launchNginx(nginx, stub.port, folder)(),
  await launchPortkey(portkey, stub.port, folder)(),
  await launchCauseway(gatewayParts)(),
]
for (const step of Object.keys(steps) as FloorStep[]) targets.push(await launchStep(step))

const rows: Measured[] = []
for (const { title, bytes, connections, ofPortkey } of sizes) {
  const run = (target: Target, seconds: number) => load(target, { wire: target.plain(bytes), connections, seconds })
  for (const target of targets) await warmUp(WARM_SECONDS, (seconds) => run(target, seconds))
  const measured = await interleaved({ rounds: ROUNDS }, targets, (target) =>
    undisturbed(() => cpuPer(target, () => run(target, SECONDS))),
  )
  rows.push({ title, ...measured })
  print({ title, ...measured }, ofPortkey)
}
for (const target of targets) await target.stop()
await stub.stop()
await postgres.stop()

if (options.save) {
  const machine = machineFacts()
  const file = join(import.meta.dirname, 'results', `floor-${at.slice(0, 10)}-${machine.commit}.json`)
  const run = { at, machine, usedByOthers, loadAverage: loadAverage(), steps, rows }
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
  console.log(`kept as ${file}`)
}

function print({ title, values }: Measured, ofPortkey: number): void {
  const of = (name: TargetName): number => values[name] ?? 0
  const line = (what: string, micros: number): void =>
    console.log(
      `  ${micros.toFixed(0).padStart(6)} µs  ${(micros / of('nginx')).toFixed(1).padStart(4)} × nginx  ${what}`,
    )
  console.log(title)
  line('nginx', of('nginx'))
  for (const step of Object.keys(steps) as FloorStep[]) line(`${step}: ${steps[step]}`, of(step))
  line('the gateway: with keys, limits, budgets, routes, notes, the database, a log and metrics', of('causeway'))
  line(`the goal: 1/${ofPortkey} of Portkey, which takes ${of('portkey').toFixed(0)} µs`, of('portkey') / ofPortkey)
}

async function launchStep(step: FloorStep): Promise<Target> {
  const port = await freePort()
  const journal = join(folder, 'journal')
  mkdirSync(journal, { recursive: true })
  const program = join(import.meta.dirname, 'floor/step-server.ts')
  const server = start(process.execPath, [program, step, String(port), String(stub.port), journal], {
    core: MEASURED_CORE,
    logFile: join(folder, `${step}.log`),
  })
  await untilOk(port, '/', server)
  const plain = (bytes: number) => ({
    path: '/v1/messages',
    headers: [{ authorization: 'Bearer sk-proxy-example', ...clientHeaders }],
    body: requestBody(messagesForm(false), bytes),
  })
  return { name: step, port, pid: server.pid, plain, stream: plain, stop: server.stop }
}
