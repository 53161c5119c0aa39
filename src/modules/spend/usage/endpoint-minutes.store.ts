/** What each endpoint answered, minute by minute, from the records of calls. */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../foundation/database/schema.ts'
import { nameIn } from './usage-names.store.ts'

export interface EndpointMinute {
  readonly endpointId: string
  /** Also of one that was deleted since. */
  readonly name: string
  readonly at: Date
  readonly requests: number
  readonly errors: number
  readonly throttled: number
  readonly firstTokenP95Ms: number | null
}

/** Minutes without a call have no row. A call counts where its last attempt went, at the time it began. */
export async function readEndpointMinutes(
  db: Kysely<Schema>,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly EndpointMinute[]> {
  const { rows } = await sql<EndpointMinute>`
    select endpoint_id as "endpointId", ${nameIn('endpoint', 'endpoint_id')} as name, at, requests, errors, throttled,
      "firstTokenP95Ms"
    from (
      select endpoint_id, date_trunc('minute', at) as at, count(*)::integer as requests,
        (count(*) filter (where status >= 500))::integer as errors,
        (count(*) filter (where status = 429))::integer as throttled,
        percentile_disc(0.95) within group (order by first_token_ms) as "firstTokenP95Ms"
      from spend_log
      where at >= ${new Date(range.fromMs)} and at < ${new Date(range.toMs)} and endpoint_id is not null
      group by 1, 2
    ) as minutes
    order by name, at`.execute(db)
  return rows
}
