/** Forgets contexts that no record of the spend log has any more. Names of betas come from callers, who may invent any number. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'

/** A context in use is marked again after so many days, not with every batch: nearly all batches only look at it. */
export const MARKED_DAYS = 7
/** For clocks that are ahead of that of the database, and zones. */
const SLACK_DAYS = 2
/** However short records are kept: the release before, which marks nothing, may run beside this one for some time. */
const SHORTEST_DAYS = 35
const AT_ONCE = 10_000

/**
 * By the mark and not by looking for records, which have no index for it. Who stores a record marks its context first, and
 * stores it again if it is gone; one that is being marked is passed over here. So no record is left without its context.
 */
export async function forgetUnusedContexts(db: Kysely<Schema>, keptDays: number): Promise<number> {
  const days = Math.max(keptDays, SHORTEST_DAYS) + MARKED_DAYS + SLACK_DAYS
  const isUnused = sql`last_used < current_date - ${days}::integer`
  // Of the release before, which marks nothing.
  await sql`
    insert into spend_context_marks select id, current_date from spend_contexts as context
    where not exists (select from spend_context_marks as mark where mark.id = context.id)
    on conflict (id) do nothing`.execute(db)
  const { rows } = await sql<{ id: string }>`select id::text from spend_context_marks where ${isUnused}`.execute(db)
  let forgotten = 0
  for (let first = 0; first < rows.length; first += AT_ONCE) {
    const ids = rows.slice(first, first + AT_ONCE).map(({ id }) => id)
    const deleted = await sql`
      with gone as (
        delete from spend_context_marks where id in (
          select id from spend_context_marks where id = any(${ids}::bigint[]) and ${isUnused}
          order by id for update skip locked)
        returning id
      )
      delete from spend_contexts using gone where spend_contexts.id = gone.id`.execute(db)
    forgotten += Number(deleted.numAffectedRows ?? 0n)
  }
  return forgotten
}
