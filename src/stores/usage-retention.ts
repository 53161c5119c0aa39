/** Forgets roll-ups that no chart can reach any more. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** The closed ones first: a block is not read any more when its sums go. */
const blockTables = [
  'closed_blocks',
  'usage_blocks',
  'org_blocks',
  'person_blocks',
  'tool_blocks',
  'person_tool_blocks',
  'path_tool_blocks',
  'team_tool_blocks',
  'latency_blocks',
  'team_latency_blocks',
]

export async function deleteUsageBefore(db: Kysely<Schema>, timeMs: number): Promise<void> {
  const time = new Date(timeMs).toISOString()
  const day = time.slice(0, 10)
  await sql`delete from spend_hours where hour < ${time}::timestamptz`.execute(db)
  await sql`delete from spend_quarters where quarter < ${time}::timestamptz`.execute(db)
  await sql`delete from org_hours where hour < ${time}::timestamptz`.execute(db)
  await sql`delete from team_hours where hour < ${time}::timestamptz`.execute(db)
  await sql`delete from team_quarters where quarter < ${time}::timestamptz`.execute(db)
  await sql`delete from org_days where day < ${day}::date`.execute(db)
  await sql`delete from person_days where day < ${day}::date`.execute(db)
  await sql`delete from usage_days where day < ${day}::date`.execute(db)
  await sql`delete from latency_days where day < ${day}::date`.execute(db)
  await sql`delete from tool_days where day < ${day}::date`.execute(db)
  for (const table of [
    'latency_marks',
    'dropped_days',
    'person_latency_days',
    'team_latency_days',
    'path_tool_days',
    'team_tool_days',
  ])
    await sql`delete from ${sql.table(table)} where day < ${day}::date`.execute(db)
  for (const table of blockTables)
    await sql`delete from ${sql.table(table)} where block + 8 <= ${day}::date`.execute(db)
  await sql`delete from uncounted_records where at < ${time}::timestamptz`.execute(db)
  await sql`delete from unclosed_periods where first_day < ${day}::date`.execute(db)
  await sql`delete from spend_sessions where last_at < ${time}::timestamptz`.execute(db)
}
