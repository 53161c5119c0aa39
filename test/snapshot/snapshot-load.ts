/** Loads a snapshot of many keys and measures the work of this thread meanwhile. */
import { sql } from 'kysely'
import { readSnapshot } from '../../src/app/snapshot-sections.ts'
import type { Database } from '../../src/foundation/database/database.ts'

export async function addManyKeys({ kysely }: Database): Promise<void> {
  await sql`insert into users (id, subject, role)
    select gen_random_uuid(), 'user' || n || '@example.com', 'member' from generate_series(1, 1000) n`.execute(kysely)
  await sql`insert into virtual_keys (id, name, hash, prefix, user_id, created_by, rate_limit_rpm, allowed_models)
    select gen_random_uuid(), 'key ' || n, sha256(n::text::bytea), 'sk-proxy-' || n, (select id from users limit 1),
      'test', 60, array['claude-sonnet-5', 'claude-opus-5'] from generate_series(1, 10000) n`.execute(kysely)
}

export interface SnapshotLoad {
  readonly keys: number
  readonly durationMs: number
  /** Processor time of this thread. A pause on the clock might be the work of another program. */
  readonly workMs: number
  /** The longest piece of it between two turns of the event loop. */
  readonly longestWorkMs: number
}

export async function measureLoad(database: Database): Promise<SnapshotLoad> {
  const first = process.threadCpuUsage()
  let last = first
  let longestWorkMs = 0
  let isWatching = true
  const watch = (): void => {
    const now = process.threadCpuUsage()
    longestWorkMs = Math.max(longestWorkMs, millisecondsBetween(last, now))
    last = now
    if (isWatching) setImmediate(watch)
  }
  watch()
  const startedMs = performance.now()
  const snapshot = await readSnapshot(database)
  const durationMs = performance.now() - startedMs
  const workMs = millisecondsBetween(first, process.threadCpuUsage())
  isWatching = false
  return { keys: snapshot.keysByHash.size, durationMs, workMs, longestWorkMs }
}

function millisecondsBetween(before: NodeJS.CpuUsage, after: NodeJS.CpuUsage): number {
  return (after.user + after.system - before.user - before.system) / 1_000
}
