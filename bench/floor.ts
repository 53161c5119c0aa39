/** What the parts of a call cost: the steps of `floor/step-server.ts` beside nginx, Portkey and the gateway. See README.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../test/support/database.ts'
import { messagesForm, requestBody } from './load/bodies.ts'
import { createPlainLoader, hasWrk } from './load/plain-load.ts'
import { busyShare, cpuMicros, loadAverage, MEASURED_CORE, machineFacts, median, moveToOtherCore } from './machine.ts'
import { freePort, start, untilOk } from './processes.ts'
import { warmUp } from './scenarios/scenario.ts'
import { launchCauseway, storeKeys } from './targets/causeway.ts'
import { findNginx, launchNginx, nginxHint } from './targets/nginx.ts'
import { findPortkey, launchPortkey } from './targets/portkey.ts'
import type { Target } from './targets/target.ts'
import { startStub } from './upstream/stub.ts'

const ROUNDS = 5
const SECONDS = 2
const WARM_SECONDS = 8

const steps = {
  pass: 'takes a call and passes it on',
  hash: 'and hashes the body, as a signature needs it',
  sign: 'and signs, and reads and translates the answer',
  journal: 'and has a small record on the disk before it answers',
} as const
type Step = keyof typeof steps

/** Those of the gateway, from `bin/causeway.js`. */
const flags = ['--no-concurrent-marking', '--no-memory-reducer', '--heap-growing-percent=100']

const sizes = [
  { title: '2 KB call', bytes: 2_048, connections: 16, ofPortkey: 15 },
  { title: '500 KB call', bytes: 512_000, connections: 8, ofPortkey: 20 },
] as const

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
const measured: { readonly name: Step | 'nginx' | 'portkey' | 'causeway'; readonly target: Target }[] = [
  { name: 'nginx', target: await launchNginx(nginx, stub.port, folder)() },
  { name: 'portkey', target: await launchPortkey(portkey, stub.port, folder)() },
  { name: 'causeway', target: await launchCauseway(gatewayParts)() },
]
for (const name of Object.keys(steps) as Step[]) measured.push({ name, target: await launchStep(name) })

const rows: { readonly title: string; readonly rounds: Readonly<Record<string, readonly number[]>> }[] = []
for (const { title, bytes, connections, ofPortkey } of sizes) {
  const run = (target: Target, seconds: number) => load(target, { wire: target.plain(bytes), connections, seconds })
  for (const { target } of measured) await warmUp(WARM_SECONDS, (seconds) => run(target, seconds))
  const rounds: Record<string, number[]> = {}
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { name, target } of measured) {
      const before = cpuMicros(target.pid ?? 0)
      const calls = await run(target, SECONDS)
      ;(rounds[name] ??= []).push((cpuMicros(target.pid ?? 0) - before) / calls)
    }
  rows.push({ title, rounds })
  print(title, rounds, ofPortkey)
}
for (const { target } of measured) await target.stop()
await stub.stop()
await postgres.stop()

if (options.save) {
  const machine = machineFacts()
  const file = join(import.meta.dirname, 'results', `floor-${at.slice(0, 10)}-${machine.commit}.json`)
  const run = { at, machine, usedByOthers, loadAverage: loadAverage(), steps, rows }
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
  console.log(`kept as ${file}`)
}

function print(title: string, rounds: Readonly<Record<string, readonly number[]>>, ofPortkey: number): void {
  const of = (name: string): number => median(rounds[name] ?? [])
  const line = (what: string, micros: number): void =>
    console.log(
      `  ${micros.toFixed(0).padStart(6)} µs  ${(micros / of('nginx')).toFixed(1).padStart(4)} × nginx  ${what}`,
    )
  console.log(title)
  line('nginx', of('nginx'))
  for (const [name, what] of Object.entries(steps)) line(`${name}: ${what}`, of(name))
  line('the gateway: with keys, limits, budgets, routes, notes, the database, a log and metrics', of('causeway'))
  line(`the goal: 1/${ofPortkey} of Portkey, which takes ${of('portkey').toFixed(0)} µs`, of('portkey') / ofPortkey)
}

async function launchStep(step: Step): Promise<Target> {
  const port = await freePort()
  const journal = join(folder, 'journal')
  mkdirSync(journal, { recursive: true })
  const program = join(import.meta.dirname, 'floor/step-server.ts')
  const server = start(process.execPath, [...flags, program, step, String(port), String(stub.port), journal], {
    core: MEASURED_CORE,
    logFile: join(folder, `${step}.log`),
  })
  await untilOk(port, '/', server)
  const plain = (bytes: number) => ({
    path: '/v1/messages',
    headers: [{ authorization: 'Bearer sk-proxy-example', 'anthropic-version': '2023-06-01' }],
    body: requestBody(messagesForm(false), bytes),
  })
  return { name: 'direct', port, pid: server.pid, plain, stream: plain, stop: server.stop }
}
