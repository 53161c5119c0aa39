/** Forgets roll-ups that no chart can reach any more. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../foundation/database/schema.ts'
import { ROLL_UP_LOCK } from './usage-rollup.store.ts'
import { nobody } from './usage-source.store.ts'

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

/** Sessions are shown with their calls, and are no part of a chart. */
export async function deleteUsageBefore(db: Kysely<Schema>, timeMs: number, sessionsMs: number): Promise<void> {
  const time = new Date(timeMs).toISOString()
  const day = time.slice(0, 10)
  await sql`delete from spend_hours where hour < ${time}::timestamptz`.execute(db)
  await sql`delete from spend_quarters where quarter < ${time}::timestamptz`.execute(db)
  await sql`delete from org_hours where hour < ${time}::timestamptz`.execute(db)
  await sql`delete from team_hours where hour < ${time}::timestamptz`.execute(db)
  await sql`delete from team_quarters where quarter < ${time}::timestamptz`.execute(db)
  await sql`delete from org_days where day < ${day}::date`.execute(db)
  await sql`delete from person_days where day < ${day}::date`.execute(db)
  const daysOfPeople = await sql`delete from usage_days where day < ${day}::date`.execute(db)
  await sql`delete from latency_days where day < ${day}::date`.execute(db)
  await sql`delete from tool_days where day < ${day}::date`.execute(db)
  for (const table of [
    'latency_marks',
    'charged_days',
    'dropped_days',
    'person_latency_days',
    'team_latency_days',
    'path_tool_days',
    'team_tool_days',
  ])
    await sql`delete from ${sql.table(table)} where day < ${day}::date`.execute(db)
  let forgotten = daysOfPeople.numAffectedRows ?? 0n
  for (const table of blockTables) {
    const old = await sql`delete from ${sql.table(table)} where block + 8 <= ${day}::date`.execute(db)
    forgotten += old.numAffectedRows ?? 0n
  }
  await sql`delete from uncounted_records where at < ${time}::timestamptz`.execute(db)
  await sql`delete from unclosed_periods where first_day < ${day}::date`.execute(db)
  await sql`delete from spend_sessions where last_at < ${new Date(sessionsMs)}`.execute(db)
  if (forgotten > 0n) await forgetUnusedFacets(db)
}

/** Hours and quarters go before their day does, and what is by tool or latency of somebody is in the days of people too. */
const facetTables = [
  'usage_days',
  'usage_blocks',
  'org_days',
  'org_blocks',
  'latency_days',
  'latency_blocks',
  'path_tool_days',
  'path_tool_blocks',
]

const FACETS_AT_ONCE = 10_000

/**
 * Names of models come from callers, who may invent any number: they go with the last sum that has them. Looking through
 * the sums takes long, so nothing waits for it. What has come back meanwhile is in the hours of people, and that is asked
 * while nothing is being counted: a facet that is there would not be stored again.
 */
async function forgetUnusedFacets(db: Kysely<Schema>): Promise<void> {
  const unused = facetTables.map((table) => sql`not exists (select from ${sql.table(table)} where facet_id = facet.id)`)
  const { rows } = await sql<{ id: string }>`
    select id::text from spend_facets as facet where ${sql.join(unused, sql` and `)}`.execute(db)
  for (let first = 0; first < rows.length; first += FACETS_AT_ONCE) {
    const ids = rows.slice(first, first + FACETS_AT_ONCE).map(({ id }) => id)
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${ROLL_UP_LOCK})`.execute(tx)
      await sql`
        delete from spend_facets as facet where id = any(${ids}::bigint[]) and not exists (
          select from spend_facets as finer where finer.endpoint_id = facet.endpoint_id and finer.model = facet.model
            and facet.team_id in (finer.team_id, ${nobody}::uuid) and facet.user_id in (finer.user_id, ${nobody}::uuid)
            and exists (select from spend_hours where facet_id = finer.id))`.execute(tx)
    })
  }
}
