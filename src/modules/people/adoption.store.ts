/** How far people have come: may sign in, have connected a client, made a call in the last seven days. */
import { type RawBuilder, sql } from 'kysely'

export const adoptionStages = ['invited', 'connected', 'active'] as const
export type AdoptionStage = (typeof adoptionStages)[number]

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/**
 * A condition on `users`; each stage has those of the next in it. The administrator that the gateway makes for itself is
 * nobody who was invited. Whoever made a call, has had the models listed, or is signed in at a terminal has connected.
 */
export function hasReached(stage: AdoptionStage, nowMs: number): RawBuilder<boolean> {
  const invited = sql<boolean>`(users.active and not users.bootstrap)`
  if (stage === 'invited') return invited
  const called = hasCalledSince(nowMs - WEEK_MS)
  if (stage === 'active') return sql<boolean>`(${invited} and ${called})`
  return sql<boolean>`(${invited} and (
    users.models_listed_at is not null
    or users.id in (select user_id from first_calls)
    or users.id in (select user_id from sign_ins where via in ('cli', 'device'))))`
}

/** To the quarter of an hour, as days of people are kept. */
function hasCalledSince(timeMs: number): RawBuilder<boolean> {
  const firstMs = Math.floor(timeMs / QUARTER_MS) * QUARTER_MS
  const day = new Date(firstMs).toISOString().slice(0, 10)
  const place = (firstMs % DAY_MS) / QUARTER_MS
  const slots = '0'.repeat(place) + '1'.repeat(96 - place)
  return sql<boolean>`users.id in (
    select user_id from person_days
    where day > ${day}::date or (day = ${day}::date and slots & ${slots}::text::bit(96) <> B'0'::bit(96)))`
}
