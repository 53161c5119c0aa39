/**
 * Notifications that wait to be delivered. Everything is timed by the database's clock, so that instances with different
 * clocks agree on what is due. A claim is a lease and no open transaction: a slow receiver would hold a connection.
 */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import {
  type Dedupe,
  type EventCategory,
  findCategory,
  type NotificationEvent,
  type OnceDedupe,
} from '../../foundation/domain/notification.ts'

export interface ClaimedEvent {
  readonly event: NotificationEvent
  readonly category: EventCategory
  /** 1 for the first. */
  readonly attempt: number
  readonly ageMs: number
}

export interface OutboxDepth {
  readonly waiting: number
  readonly oldestSeconds: number
}

export interface FailedAttempt {
  /** Null gives up. */
  readonly nextInMs: number | null
  readonly wasOutage: boolean
}

/** Longer than the longest attempt; an instance that died gives its claims back after it. */
const LEASE_SECONDS = 15
/** Longer than the longest budget period, in which a threshold must not be told again, and than a key is told before its end. */
export const EVENT_KEPT_DAYS = 45
/** Of rate limits, which come often. */
export const RATE_LIMIT_KEPT_DAYS = 2
/** After an outage the waiting events come back within this time, and not all in the same moment. */
const RETURN_SECONDS = 5

/** False when the same was told before. Safe inside the transaction that makes the event true, and then exactly as durable. */
export async function enqueueEvent(db: Kysely<Schema>, event: NotificationEvent, dedupe: Dedupe): Promise<boolean> {
  const values = sql`${event.id}::uuid, ${toJson(event)}::jsonb, ${findCategory(event.type)}`
  const result =
    dedupe.kind === 'once'
      ? await sql`
          insert into notification_outbox (dedupe_key, id, event, category) values (${dedupe.key}, ${values})
          on conflict do nothing`.execute(db)
      : await sql`
          with told as (
            insert into notification_intervals as last (key, fired_at) values (${dedupe.key}, now())
            on conflict (key) do update set fired_at = now()
            where last.fired_at <= now() - make_interval(secs => ${dedupe.seconds})
            returning key
          )
          insert into notification_outbox (dedupe_key, id, event, category)
          select told.key || ' ' || ${event.id}, ${values} from told
          on conflict do nothing`.execute(db)
  return (result.numAffectedRows ?? 0n) > 0n
}

/** Whether an event that is told once was told, whatever became of it. */
export async function isTold(db: Kysely<Schema>, { key }: OnceDedupe): Promise<boolean> {
  const { rows } = await sql`select from notification_outbox where dedupe_key = ${key}`.execute(db)
  return rows.length > 0
}

/** jsonb has no NUL, and half a surrogate pair is no text at all; a name with either must not keep its event back. */
function toJson(event: NotificationEvent): string {
  return JSON.stringify(event, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\u{fffd}') : part,
  )
}

export function createOutboxStore(db: Kysely<Schema>) {
  return {
    /** Due events that nobody else is sending, new ones before repetitions and the newest first; they are now the caller's. */
    claim: async (limits: { readonly fresh: number; readonly repeated: number }): Promise<readonly ClaimedEvent[]> => {
      // Rounded as the stored times are: what became due in this very millisecond may have been rounded up.
      const present = sql`now()::timestamptz(3)`
      const due = sql`state = 'pending' and next_attempt_at <= ${present} and coalesce(claimed_until <= ${present}, true)`
      const { rows } = await sql<{
        event: NotificationEvent
        category: EventCategory
        attempts: number
        age_ms: number
      }>`
        with fresh as (
          select id from notification_outbox where ${due} and attempts = 0
          order by created_at desc limit ${limits.fresh} for update skip locked
        ), repeated as (
          select id from notification_outbox where ${due} and attempts > 0
          order by created_at desc limit ${limits.repeated} for update skip locked
        )
        update notification_outbox set attempts = attempts + 1,
          claimed_until = now() + make_interval(secs => ${LEASE_SECONDS})
        where id in (select id from fresh union all select id from repeated)
        returning event, category, attempts, extract(epoch from now() - created_at)::float8 * 1000 as age_ms`.execute(
        db,
      )
      return rows.map((row) => ({
        event: row.event,
        category: row.category,
        attempt: row.attempts,
        ageMs: row.age_ms,
      }))
    },

    settle: async (eventId: string, state: 'delivered' | 'dropped'): Promise<void> => {
      await sql`
        update notification_outbox set state = ${state}, claimed_until = null
        where id = ${eventId}::uuid`.execute(db)
    },

    /** An event that another instance has delivered meanwhile stays delivered. */
    postpone: async (eventId: string, { nextInMs, wasOutage }: FailedAttempt): Promise<void> => {
      await sql`
        update notification_outbox set claimed_until = null, was_outage = ${wasOutage},
          state = ${nextInMs === null ? 'failed' : 'pending'},
          next_attempt_at = now() + make_interval(secs => ${(nextInMs ?? 0) / 1000})
        where id = ${eventId}::uuid and state = 'pending'`.execute(db)
    },

    /** The destination answers again: what waited for that need not sit out its pause. */
    hasten: async (): Promise<void> => {
      await sql`
        update notification_outbox set next_attempt_at = now() + make_interval(secs => random() * ${RETURN_SECONDS})
        where state = 'pending' and was_outage
          and next_attempt_at > now() + make_interval(secs => ${RETURN_SECONDS})`.execute(db)
    },

    /** There is a new destination: whatever failed at the old one is due now. */
    retryAll: async (): Promise<void> => {
      await sql`
        update notification_outbox set next_attempt_at = now()
        where state = 'pending' and next_attempt_at > now()`.execute(db)
    },

    depth: async (): Promise<OutboxDepth> => {
      const { rows } = await sql<{ waiting: number; oldest_seconds: number }>`
        select count(*) as waiting,
          coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest_seconds
        from notification_outbox where state = 'pending'`.execute(db)
      return { waiting: rows[0]?.waiting ?? 0, oldestSeconds: rows[0]?.oldest_seconds ?? 0 }
    },

    forgetOld: async (): Promise<void> => {
      await sql`
        delete from notification_outbox
        where state <> 'pending'
          and created_at < now() - make_interval(days => case category when 'rate_limit' then ${RATE_LIMIT_KEPT_DAYS}::int else ${EVENT_KEPT_DAYS}::int end)`.execute(
        db,
      )
      await sql`delete from notification_intervals where fired_at < now() - interval '2 days'`.execute(db)
    },
  }
}

export type OutboxStore = ReturnType<typeof createOutboxStore>
