/**
 * Probe verdicts and probe times of all instances. Everything is timed by the database's clock, so that instances with
 * different clocks agree on what is due. No section of the snapshot: instances read it with their own probe loop.
 */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { CapabilityKey } from '../../foundation/domain/capability.ts'

export interface ProbeRow extends CapabilityKey {
  /** Null while no probe has settled it. */
  readonly settled: {
    readonly verdict: 'supported' | 'unsupported'
    readonly atMs: number
    readonly ageMs: number
  } | null
  readonly isDue: boolean
  /** An instance is asking right now. */
  readonly isClaimed: boolean
}

/** Long enough for one slow call; an instance that died gives its claims back after it. */
const CLAIM_SECONDS = 90
/** Profiles that are gone and features nobody sends any more. */
const FORGOTTEN_AFTER_DAYS = 1

export function createCapabilityProbeStore(db: Kysely<Schema>) {
  const matchRow = (key: CapabilityKey) => sql`
    endpoint_id = ${key.endpointId}::uuid and profile_id = ${key.profileId} and feature = ${key.feature}`

  return {
    list: async (endpointId: string): Promise<readonly ProbeRow[]> => {
      const rows = await db
        .selectFrom('capability_probes')
        .select(['profile_id', 'feature', 'verdict', 'settled_at'])
        .select([
          sql<number>`extract(epoch from now() - settled_at)::float8 * 1000`.as('age_ms'),
          sql<boolean>`next_at <= now()`.as('is_due'),
          sql<boolean>`coalesce(claimed_until > now(), false)`.as('is_claimed'),
        ])
        .where('endpoint_id', '=', endpointId)
        .execute()
      return rows.map((row) => ({
        endpointId,
        profileId: row.profile_id,
        feature: row.feature,
        settled:
          row.verdict === null || row.settled_at === null
            ? null
            : { verdict: row.verdict, atMs: row.settled_at.getTime(), ageMs: Math.max(0, row.age_ms) },
        isDue: row.is_due,
        isClaimed: row.is_claimed,
      }))
    },

    /** Of these keys (each once) those that are due and that nobody else is asking about; they are now the caller's. */
    claim: async (keys: readonly CapabilityKey[]): Promise<readonly CapabilityKey[]> => {
      if (keys.length === 0) return []
      const claimed = await sql<{ endpoint_id: string; profile_id: string; feature: string }>`
        insert into capability_probes (endpoint_id, profile_id, feature, next_at, claimed_until)
        select endpoints.id, profile_id, feature, now(), now() + make_interval(secs => ${CLAIM_SECONDS})
        from unnest(
          ${keys.map((key) => key.endpointId)}::uuid[],
          ${keys.map((key) => key.profileId)}::text[],
          ${keys.map((key) => key.feature)}::text[]
        ) as wanted (endpoint_id, profile_id, feature)
        join endpoints on endpoints.id = wanted.endpoint_id
        order by endpoints.id, profile_id, feature
        on conflict (endpoint_id, profile_id, feature) do update set claimed_until = excluded.claimed_until
        where capability_probes.next_at <= now() and coalesce(capability_probes.claimed_until <= now(), true)
        returning endpoint_id, profile_id, feature`.execute(db)
      return claimed.rows.map((row) => ({
        endpointId: row.endpoint_id,
        profileId: row.profile_id,
        feature: row.feature,
      }))
    },

    /** When it was settled, by the database's clock; undefined when the endpoint is gone. */
    settle: async (
      key: CapabilityKey,
      verdict: 'supported' | 'unsupported',
      nextInMs: number,
    ): Promise<number | undefined> => {
      const settled = await sql<{ settled_at: Date }>`
        update capability_probes set verdict = ${verdict}, settled_at = now(), claimed_until = null, failure = null,
          next_at = now() + make_interval(secs => ${nextInMs / 1000})
        where ${matchRow(key)}
        returning settled_at`.execute(db)
      return settled.rows[0]?.settled_at.getTime()
    },

    /** The probe told nothing: an earlier verdict stays. */
    postpone: async (key: CapabilityKey, nextInMs: number, failure: string): Promise<void> => {
      await sql`
        update capability_probes set claimed_until = null, failure = ${failure},
          next_at = now() + make_interval(secs => ${nextInMs / 1000})
        where ${matchRow(key)}`.execute(db)
    },

    forgetOld: async (): Promise<void> => {
      await sql`
        delete from capability_probes
        where greatest(settled_at, next_at) < now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS})`.execute(db)
    },
  }
}

export type CapabilityProbeStore = ReturnType<typeof createCapabilityProbeStore>
