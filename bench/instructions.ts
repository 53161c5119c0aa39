/**
 * How many instructions a call takes, counted by valgrind: the same again and again, where times swing by a quarter. It
 * says where work is, not how long it takes. See README.md.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../test/support/database.ts'
import { type CountedFunction, readProfile } from './instructions/read-profile.ts'
import { closedLoop } from './load/stream-client.ts'
import { launchCauseway, storeKeys } from './targets/causeway.ts'
import { requestBytes, type Wire } from './targets/target.ts'
import { startStub } from './upstream/stub.ts'

const { values: options } = parseArgs({
  options: {
    bytes: { type: 'string', default: '2048' },
    warm: { type: 'string', default: '24000' },
    calls: { type: 'string', default: '3000' },
    stream: { type: 'boolean', default: false },
    top: { type: 'string', default: '40' },
    callers: { type: 'string' },
    checkout: { type: 'string', default: path.resolve(import.meta.dirname, '..') },
  },
})

/** A timer would fire between almost all calls of a program that valgrind slows down; its clock is slowed down with it. */
const CLOCK_RATE = 0.02
const CONNECTIONS = 16
const ENOUGH_SECONDS = 1_200

/** Collections come once in thousands of calls: whether one is counted is chance. */
const COLLECTING =
  /Mark(?:ing|Compact)|Scaveng|RecordWrite|RecordSlot|WriteBarrier|Evacuat|Sweep|BodyDescriptor|RootVisitor|IterateObjectCache|Safepoint/

const fakedClock = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]
if (spawnSync('valgrind', ['--version']).error !== undefined || fakedClock === undefined)
  throw new Error('valgrind and libfaketime are needed (Debian: apt-get install valgrind faketime)')

const folder = mkdtempSync(path.join(tmpdir(), 'causeway-instructions-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const calls = Number(options.calls)
/** So many until the compilers of V8 are done. */
const warmCalls = Number(options.warm)
if (!(calls > 0 && warmCalls > 0)) throw new Error('--calls and --warm take a number above 0')
const profile = path.join(folder, 'profile')

const postgres = await startTestPostgres()
const stub = await startStub(folder)
const gateway = await launchCauseway({
  folder,
  checkout: path.resolve(options.checkout),
  upstreamPort: stub.port,
  databaseUrl: postgres.url,
  keys: await storeKeys(postgres.url),
  nodeFlags: ['--perf-basic-prof', `--perf-basic-prof-path=${folder}`],
  under: [
    'valgrind',
    '--tool=callgrind',
    '--instr-atstart=no',
    '--smc-check=all-non-file',
    '--separate-threads=yes',
    '--dump-instr=yes',
    '--compress-pos=no',
    '--compress-strings=no',
    `--callgrind-out-file=${profile}`,
  ],
  env: { LD_PRELOAD: fakedClock, FAKETIME: `+0 x${CLOCK_RATE}` },
  readyWithinMs: 300_000,
})()

await make(warmCalls)
control('--instr=on')
// What is counted is translated once more by valgrind.
await make(200)
control('--zero')
await make(calls)
control('--dump')
control('--instr=off')
print(await readProfile(findMainThread(profile), buildMapPath(gateway.pid)))
await gateway.stop()
await stub.stop()
await postgres.stop()

async function make(count: number): Promise<void> {
  const wire: Wire = (options.stream ? gateway.stream : gateway.plain)(Number(options.bytes))
  const requests = requestBytes(gateway.port, wire)
  const load = { connections: CONNECTIONS, seconds: ENOUGH_SECONDS, calls: count }
  const { completed } = await closedLoop(gateway.port, requests, load)
  if (completed !== count) throw new Error(`${completed} of ${count} calls were answered`)
}

function control(what: string): void {
  execFileSync('callgrind_control', [what, String(gateway.pid)], { stdio: 'ignore' })
}

/** Other threads collect garbage and compile: whenever it suits them, and not for each call. */
function findMainThread(file: string): string {
  const [found] = globSync(`${file}.*-01`)
  if (found === undefined) throw new Error('callgrind has written no profile')
  return found
}

function buildMapPath(pid: number | undefined): string {
  return path.join(folder, `perf-${pid}.map`)
}

/** The first that fits. */
function findPlace(name: string): string {
  const ours = /(?:^| )(src\/[^/]+)\//.exec(name)?.[1]
  if (ours !== undefined) return ours
  if (/(?:^| )node:/.test(name)) return 'JavaScript of Node'
  if (/node_modules\//.test(name)) return 'packages'
  if (/^RegExp\b/.test(name)) return 'regular expressions'
  if (COLLECTING.test(name)) return 'collecting garbage'
  if (/compiler|maglev|Turboshaft|Deoptimiz|interpreter::/.test(name)) return 'compiling'
  if (name.startsWith('Builtins_')) return 'built-in functions of V8'
  if (/sha256|SHA256/.test(name)) return 'SHA-256'
  if (/^(?:EVP|OPENSSL|CRYPTO|ossl)_|ncrypto|node::crypto/.test(name)) return 'the rest of OpenSSL'
  if (/v8::/.test(name)) return 'C++ of V8'
  if (/node::|llhttp|^uv_/.test(name)) return 'C++ of Node'
  return 'libraries of C'
}

function print(functions: readonly CountedFunction[]): void {
  const places = Object.entries(Object.groupBy(functions, ({ name }) => findPlace(name))).map(
    ([place, counted = []]) => [place, counted.reduce((sum, { instructions }) => sum + instructions, 0)] as const,
  )
  const kept = places.filter(([place]) => place !== 'collecting garbage' && place !== 'compiling')
  const total = kept.reduce((sum, [, instructions]) => sum + instructions, 0)
  const line = (instructions: number, what: string): void =>
    console.log(
      `${Math.round(instructions / calls)
        .toLocaleString('en')
        .padStart(9)}  ${((instructions / total) * 100).toFixed(1).padStart(5)} %  ${what}`,
    )
  line(total, 'a call, without collecting garbage and compiling')
  console.log('')
  for (const [place, instructions] of places.sort((a, b) => b[1] - a[1])) line(instructions, place)
  console.log('')
  const dearest = functions.toSorted((a, b) => b.instructions - a.instructions).slice(0, Number(options.top))
  for (const { name, instructions } of dearest) line(instructions, name.slice(0, 120))
  for (const { name, callers } of options.callers === undefined ? [] : functions) {
    if (!name.includes(options.callers ?? '')) continue
    console.log(`\n${name.slice(0, 120)}, called by`)
    const byCost = [...callers].sort((a, b) => b[1].instructions - a[1].instructions).slice(0, 12)
    for (const [caller, { calls: times, instructions }] of byCost)
      line(instructions, `${(times / calls).toFixed(1)} times by ${caller.slice(0, 100)}`)
  }
}
