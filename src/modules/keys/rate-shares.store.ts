/** The admitted calls of the last minute of rate-limited keys, shared by instances, and which instances there are. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'

export interface RateGrant {
  readonly granted: number
  /** Over all instances, the granted ones included. */
  readonly used: number
  /** Until the next place is free; 0 when one is. */
  readonly freeInMs: number
}

export interface UsedPlaces {
  readonly subject: string
  /** How long ago each call was, oldest first. */
  readonly agesMs: readonly number[]
}

/** An instance that has not been seen for so long does not count. */
const ALIVE_SECONDS = 5

export function createRateShares(db: Kysely<Schema>) {
  return {
    take: async (subject: string, instanceId: string, limitRpm: number, wanted: number): Promise<RateGrant> => {
      const { rows } = await sql<{ granted: number; used: number; free_in_ms: number }>`
        select * from take_rate(${subject}, ${instanceId}::uuid, ${limitRpm}::integer, ${wanted}::integer)`.execute(db)
      const row = rows[0]
      if (row === undefined) throw new Error('take_rate gave no row')
      return { granted: row.granted, used: row.used, freeInMs: row.free_in_ms }
    },

    /** The newest place of this instance is free again. */
    giveBack: async (subject: string, instanceId: string): Promise<void> => {
      await sql`
        update rate_shares set used_at = used_at[1:cardinality(used_at) - 1]
        where subject = ${subject} and instance_id = ${instanceId}::uuid and cardinality(used_at) > 0`.execute(db)
    },

    /** What an instance admitted while it was alone, for the others. */
    publish: async (instanceId: string, places: readonly UsedPlaces[]): Promise<void> => {
      const subjects = places.flatMap(({ subject, agesMs }) => agesMs.map(() => subject))
      const agesMs = places.flatMap((used) => used.agesMs)
      // In the place of what it told before it was alone: the given ages are those of its whole minute.
      await sql`
        insert into rate_shares (subject, instance_id, used_at, updated_at)
        select subject, ${instanceId}::uuid,
          array_agg(present - make_interval(secs => age / 1000) order by age desc), present
        from unnest(${subjects}::text[], ${agesMs}::float8[]) as given (subject, age),
          (select clock_timestamp() as present) as now
        group by subject, present
        on conflict (subject, instance_id) do update set
          used_at = excluded.used_at, updated_at = excluded.updated_at`.execute(db)
    },

    /** Adds places that were used without a question, and answers how many all instances have used. */
    tell: async (
      instanceId: string,
      news: readonly { readonly subject: string; readonly places: number }[],
    ): Promise<ReadonlyMap<string, number>> => {
      const subjects = news.map(({ subject }) => subject)
      await sql`
        insert into rate_shares as known (subject, instance_id, used_at, updated_at)
        select subject, ${instanceId}::uuid, array_fill(present, array[places]), present
        from unnest(${subjects}::text[], ${news.map(({ places }) => places)}::integer[]) as told (subject, places),
          (select clock_timestamp() as present) as now
        on conflict (subject, instance_id) do update set
          used_at = array(select one from unnest(known.used_at) as one where one > excluded.updated_at - interval '60 seconds')
            || excluded.used_at,
          updated_at = excluded.updated_at`.execute(db)
      const { rows } = await sql<{ subject: string; used: number }>`
        select subject, count(*)::integer as used from rate_shares, unnest(used_at) as one
        where subject = any(${subjects}::text[]) and one > clock_timestamp() - interval '60 seconds'
        group by subject`.execute(db)
      return new Map(rows.map(({ subject, used }) => [subject, used]))
    },

    /** Says that this instance is alive; answers how many are. */
    beat: async (instanceId: string): Promise<number> => {
      const { rows } = await sql<{ alive: number }>`
        with own as (
          insert into live_instances (instance_id, seen_at) values (${instanceId}::uuid, clock_timestamp())
          on conflict (instance_id) do update set seen_at = excluded.seen_at
        )
        select 1 + count(*) as alive from live_instances
        where instance_id <> ${instanceId}::uuid
          and seen_at > clock_timestamp() - make_interval(secs => ${ALIVE_SECONDS}::float8)`.execute(db)
      return rows[0]?.alive ?? 1
    },

    forgetInstance: async (instanceId: string): Promise<void> => {
      await sql`delete from live_instances where instance_id = ${instanceId}::uuid`.execute(db)
    },

    forgetOld: async (): Promise<void> => {
      await sql`delete from live_instances where seen_at < clock_timestamp() - interval '1 minute'`.execute(db)
      await sql`delete from rate_shares where updated_at < clock_timestamp() - interval '2 minutes'`.execute(db)
    },
  }
}

export type RateShares = ReturnType<typeof createRateShares>
