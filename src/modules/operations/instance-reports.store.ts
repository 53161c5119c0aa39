/** The last word of every instance about itself. One that ends in order takes its word back; a crashed one falls silent. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../foundation/database/schema.ts'
import type { InstanceReport } from '../../foundation/domain/instance-report.ts'

export interface HeardInstance extends InstanceReport {
  readonly seenAt: string
  /** By the clock of the database, so that instances with different clocks agree. */
  readonly silentSeconds: number
}

/** A crashed instance is shown for so long. */
const REMEMBERED = '1 hour'

export function createInstanceReports(db: Kysely<Schema>) {
  return {
    put: async (report: InstanceReport): Promise<void> => {
      await sql`
        insert into instance_reports (instance_id, report, seen_at)
        values (${report.instanceId}::uuid, ${JSON.stringify(report)}::jsonb, clock_timestamp())
        on conflict (instance_id) do update set report = excluded.report, seen_at = excluded.seen_at`.execute(db)
    },

    /** The longest running first. */
    list: async (): Promise<readonly HeardInstance[]> => {
      const { rows } = await sql<{ report: InstanceReport; seen_at: Date; silent: number }>`
        select report, seen_at, extract(epoch from clock_timestamp() - seen_at)::float8 as silent
        from instance_reports order by report ->> 'startedAt', instance_id`.execute(db)
      return rows.map(({ report, seen_at: seenAt, silent }) => ({
        ...report,
        // Instances of an earlier release tell nothing of endpoints.
        endpoints: report.endpoints ?? {},
        seenAt: seenAt.toISOString(),
        silentSeconds: Math.max(0, silent),
      }))
    },

    remove: async (instanceId: string): Promise<void> => {
      await sql`delete from instance_reports where instance_id = ${instanceId}::uuid`.execute(db)
    },

    forgetOld: async (): Promise<void> => {
      await sql`delete from instance_reports
        where seen_at < clock_timestamp() - ${sql.lit(REMEMBERED)}::interval`.execute(db)
    },
  }
}
