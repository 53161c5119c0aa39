/** How many people have reached each stage of adoption. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import { type AdoptionStage, adoptionStages, hasReached } from '../people/adoption.store.ts'
import { nobody } from '../spend/usage/usage-source.store.ts'

export type AdoptionCounts = Readonly<Record<AdoptionStage, number>>

export async function countAdoption(
  db: Kysely<Schema>,
  nowMs: number,
  teamIds: readonly string[] | undefined,
): Promise<AdoptionCounts> {
  const counted = adoptionStages.map(
    (stage) => sql`count(*) filter (where ${hasReached(stage, nowMs)}) as ${sql.ref(stage)}`,
  )
  const among = teamIds === undefined ? sql`true` : sql`coalesce(team_id, ${nobody}::uuid) = any(${teamIds}::uuid[])`
  const { rows } = await sql<AdoptionCounts>`
    select ${sql.join(counted)} from users where ${among}`.execute(db)
  return rows[0] ?? { invited: 0, connected: 0, active: 0 }
}
