/** What gateway and database have used: processor time of whole families of processes, statements, memory. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/foundation/database/database.ts'
import { cpuMicros, rssKilobytes } from '../machine.ts'

/** A process and all of its children; they do not have any of their own here. */
function listFamily(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readParent(name) === pid)
  return [pid, ...children.map(Number)]
}

function readParent(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
  } catch {
    // It ended between the listing and the reading.
    return undefined
  }
}

export function readPostmaster(directory: string): number {
  return Number.parseInt(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8'), 10)
}

function cpuByProcess(roots: readonly number[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const pid of roots.flatMap(listFamily)) {
    try {
      found.set(pid, cpuMicros(pid))
    } catch {
      // It has ended: what it used before is lost, which only a connection that is closed in between can cause.
    }
  }
  return found
}

export interface Used {
  readonly seconds: number
  readonly gatewayMicros: number
  readonly databaseMicros: number
  readonly statements: number
}

export interface Meters {
  readonly database: Database
  readonly postmaster: number
}

/** What both used while the work was done. The database's own bookkeeping for this measurement is not counted. */
export async function measureUse<R>(
  { database, postmaster }: Meters,
  gatewayPids: readonly number[],
  work: () => Promise<R>,
): Promise<{ readonly used: Used; readonly result: R }> {
  await database.pool.query('select pg_stat_statements_reset()')
  const gatewayBefore = cpuByProcess(gatewayPids)
  const databaseBefore = cpuByProcess([postmaster])
  const startedMs = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedMs) / 1000
  const gatewayMicros = grown(gatewayBefore, cpuByProcess(gatewayPids))
  const databaseMicros = grown(databaseBefore, cpuByProcess([postmaster]))
  const { rows } = await database.pool.query<{ calls: number }>(
    `select coalesce(sum(calls), 0)::float8 as calls from pg_stat_statements where query not like '%pg_stat_statements%'`,
  )
  return { result, used: { seconds, gatewayMicros, databaseMicros, statements: rows[0]?.calls ?? 0 } }
}

function grown(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number {
  return [...after].reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0), 0)
}

/** The statements that are sent most often, for a look at what they are. */
export async function topStatements({ database }: Meters): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select calls || ' × ' || regexp_replace(left(query, 110), '\\s+', ' ', 'g') as line from pg_stat_statements
     where query not like '%pg_stat_statements%' order by calls desc limit 8`,
  )
  return rows.map(({ line }) => line)
}

/** Megabytes of each process that serves calls: with workers, their supervisor is left out. */
export function memoryMb(pids: readonly number[], processes: number): readonly number[] {
  const all = pids.flatMap(listFamily).map((pid) => rssKilobytes(pid) / 1024)
  return all
    .sort((a, b) => b - a)
    .slice(0, processes)
    .map(Math.round)
}
