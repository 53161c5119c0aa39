/**
 * What scaling out costs: an organisation of 50,000 in one Postgres, served by one process, by two workers, and by two
 * instances behind haproxy. `node bench/scale.ts [--people 50000] [--seconds 8] [--save]`
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/foundation/database/database.ts'
import { startEmbeddedPostgres } from '../src/foundation/database/embedded/embedded-postgres.ts'
import { migrateToLatest } from '../src/foundation/database/migrate.ts'
import { messagesForm, requestBody } from './load/bodies.ts'
import { clientHeaders } from './load/client-headers.ts'
import { closedLoop } from './load/stream-client.ts'
import { busyShare, loadAverage, machineFacts } from './machine.ts'
import { pause } from './processes.ts'
import { type Layout, startInstances, startWorkers } from './scale/layouts.ts'
import { type Meters, measureUse, memoryMb, readPostmaster, topStatements, type Used } from './scale/meters.ts'
import { fillOrganisation, formatKey } from './scale/organisation.ts'
import { allTables } from './scale/tables.ts'
import { requestBytes } from './targets/target.ts'
import { startStub } from './upstream/stub.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '50000' },
    seconds: { type: 'string', default: '8' },
    save: { type: 'boolean', default: false },
  },
})
const people = Number(values.people)
const seconds = Number(values.seconds)

const CALLERS = 1_000
const SMALL_BYTES = 2_048
const USUAL_BYTES = 51_200
/** Calls of two seconds each, so that this many connections make half as many calls a second. */
const PACED_CONNECTIONS = 100
const PACED_SECONDS = 2
const FEW_EVENTS = 20
const MANY_EVENTS = 100

const folder = mkdtempSync(join(tmpdir(), 'causeway-scale-'))
// Under root, Postgres runs as another user and must be able to pass.
chmodSync(folder, 0o755)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const machine = { ...machineFacts(), loadBefore: loadAverage(), othersBusy: await busyShare() }
const postgresFolder = join(folder, 'postgres')
const postgres = await startEmbeddedPostgres({
  directory: postgresFolder,
  settings: { shared_preload_libraries: 'pg_stat_statements', shared_buffers: '256MB', max_connections: '200' },
})
const database = await openDatabase({ kind: 'url', url: postgres.url, applicationName: 'bench' })
await migrateToLatest(database)
await database.pool.query('create extension if not exists pg_stat_statements')
await fillOrganisation(database, people)
say(`${people.toLocaleString('en')} people, teams, budgets and keys are stored`)
const stub = await startStub(folder)
const meters: Meters = { database, postmaster: readPostmaster(postgresFolder) }
const parts = { folder, databaseUrl: postgres.url, upstreamPort: stub.port }

function say(line: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`)
}

/** Spread over all people, so that they belong to many teams. */
function callerKey(index: number): string {
  return formatKey(1 + Math.floor((index * people) / CALLERS))
}

interface Load {
  readonly bytes: number
  readonly stream: boolean
  readonly connections: number
  readonly seconds: number
  readonly spreadMs?: number
}

async function callGateway({ port }: Layout, load: Load): Promise<number> {
  const headers = Array.from({ length: CALLERS }, (_, index) => ({
    authorization: `Bearer ${callerKey(index)}`,
    ...clientHeaders,
    'x-claude-code-session-id': `5f0c2c1e-6f1b-4a7e-9d2b-${String(index).padStart(12, '0')}`,
  }))
  // A large body is shared by all requests except for their heads, so few of them are enough.
  const used = load.bytes > 10_000 ? headers.filter((_, index) => index % 10 === 0) : headers
  const requests = requestBytes(port, {
    path: '/v1/messages',
    headers: used,
    body: requestBody(messagesForm(load.stream), load.bytes),
  })
  return (await closedLoop(port, requests, load)).completed
}

/** Sums for one call; a call that began before the end of the time is done by then or not counted. */
function perCall(used: Used, calls: number) {
  return {
    callsPerSecond: round(calls / used.seconds),
    gatewayMicrosPerCall: round(used.gatewayMicros / calls),
    databaseMicrosPerCall: round(used.databaseMicros / calls),
    statementsPer1000Calls: round((1000 * used.statements) / calls),
  }
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}

/** Everybody's first call asks the database for a part of their budgets; on a cold machine that may take too long for one. */
async function greetAll(port: number): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < CALLERS) {
      const authorization = `Bearer ${callerKey(next++)}`
      const body = requestBody(messagesForm(false), SMALL_BYTES)
      const headers = { authorization, 'content-type': 'application/json' }
      let triesLeft = 10
      for (let status = 0; status !== 200; triesLeft -= 1) {
        if (triesLeft === 0) throw new Error(`a first call was answered with ${status}`)
        const answer = await fetch(`http://127.0.0.1:${port}/v1/messages`, { method: 'POST', headers, body })
        await answer.arrayBuffer()
        status = answer.status
        if (status !== 200) await pause(1_000)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

async function measureLayout(layout: Layout) {
  const small = { bytes: SMALL_BYTES, stream: false, connections: 32 }
  for (let round = 0; round < layout.processes; round += 1) for (const port of layout.ownPorts) await greetAll(port)
  say(`${layout.name}: everybody has called once`)
  await callGateway(layout, { ...small, seconds: Math.max(4, seconds / 2) })
  const full = await measureUse(meters, layout.pids, () => callGateway(layout, { ...small, seconds }))
  say(`${layout.name}: small calls as fast as they go`)
  const paced = async (events: number) => {
    await stub.paced(events, events / PACED_SECONDS)
    const load = { bytes: USUAL_BYTES, stream: true, connections: PACED_CONNECTIONS, spreadMs: 1_000 * PACED_SECONDS }
    const { used, result } = await measureUse(meters, layout.pids, () =>
      callGateway(layout, { ...load, seconds: seconds + PACED_SECONDS }),
    )
    say(`${layout.name}: streams of ${events} events`)
    return perCall(used, result)
  }
  const few = await paced(FEW_EVENTS)
  const many = await paced(MANY_EVENTS)
  const most = await topStatements(meters)
  const memory = memoryMb(layout.pids, layout.processes)
  // What calls have left behind is written and leases have run out before nothing happens.
  await pause(5_000)
  const { used: idle } = await measureUse(meters, layout.pids, () => pause(2_000 * Math.max(4, seconds / 2)))
  say(`${layout.name}: at rest`)
  const perProcess = (value: number): number => round(value / idle.seconds / layout.processes)
  return {
    name: layout.name,
    processes: layout.processes,
    small: perCall(full.used, full.result),
    streamsOf20Events: few,
    streamsOf100Events: many,
    mostSentWithStreams: most,
    memoryMb: memory,
    idlePerProcess: {
      statementsPerSecond: perProcess(idle.statements),
      gatewayMicrosPerSecond: perProcess(idle.gatewayMicros),
      databaseMicrosPerSecond: perProcess(idle.databaseMicros),
    },
  }
}

const layouts = []
for (const launch of [() => startWorkers(parts, 1), () => startWorkers(parts, 2), () => startInstances(parts, 2)]) {
  const layout = await launch()
  layouts.push(await measureLayout(layout))
  await layout.stop()
}

const { rows } = await database.pool.query<{ bytes: number; count: number }>(`
  select (select sum(pg_total_relation_size(relid)) from pg_partition_tree('spend_log') where isleaf)::float8 as bytes,
    (select count(*) from spend_log)::float8 as count`)
const records = rows[0] ?? { bytes: 0, count: 1 }
await stub.stop()
await database.close()
await postgres.stop()

const report = {
  at: new Date().toISOString(),
  machine: { ...machine, loadAfter: loadAverage() },
  people,
  seconds,
  layouts,
  bytesPerRecord: Math.round(records.bytes / records.count),
}
console.log(JSON.stringify(report, null, 2))
for (const table of allTables(report)) console.log(`\n${table}`)
if (values.save) {
  const file = join(import.meta.dirname, 'results', `scale-${report.at.slice(0, 10)}-${machine.commit}.json`)
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  console.log(`kept as ${relative(process.cwd(), file)}; docs/scaling.md shows it`)
}
process.exit(0)
