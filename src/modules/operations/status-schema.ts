/** The answer of the status page. */
import { z } from 'zod'

const time = z.iso.datetime()
const count = z.int().min(0)
const seconds = z.number().min(0)

const ledger = z.object({
  waiting: count,
  lag_seconds: seconds,
  journal_bytes: count,
  journal_failing: z.boolean(),
  quarantined: count,
  last_flush_at: time.nullable(),
})

const instance = z.object({
  id: z.uuid(),
  is_self: z.boolean(),
  status: z.enum(['alive', 'silent']),
  version: z.string(),
  started_at: time,
  seen_at: time,
  cache_version: count,
  in_flight: count,
  ledger,
})

const database = z.object({
  status: z.enum(['ok', 'away', 'none']),
  error: z.string().nullable(),
  server_version: z.string().nullable(),
  latency_ms: z.number().nullable(),
  connections: z.object({ open: count, idle: count, waiting: count }).nullable(),
  cache_version: count.nullable(),
})

const endpoint = z.object({
  id: z.uuid(),
  name: z.string(),
  region: z.string(),
  enabled: z.boolean(),
  is_default: z.boolean(),
  health_status: z.enum(['healthy', 'unhealthy', 'unknown']),
  health_reason: z.string().nullable(),
  last_checked_at: time.nullable(),
  requests_1h: count,
  errors_1h: count,
})

const loop = z.object({
  name: z.string(),
  interval_seconds: seconds,
  running: z.boolean(),
  last_run_at: time.nullable(),
  last_success_at: time.nullable(),
  last_error_at: time.nullable(),
  last_error: z.string().nullable(),
  lag_seconds: seconds,
})

const unpricedModel = z.object({
  model: z.string(),
  hosted_model_id: z
    .string()
    .nullable()
    .describe(
      'The model that a price is set for; null when an application profile does not tell which one is behind it.',
    ),
  requests: count.describe(
    'Requests of the last 30 days to the model while it had no price. They were charged at an estimate.',
  ),
  last_at: time.nullable(),
  has_price: z.boolean().describe('Whether it has a price by now; the calls before stay as they were recorded.'),
})

export const statusSchema = z.object({
  instances: z.array(instance),
  database,
  endpoints: z.array(endpoint),
  loops: z.array(loop),
  ledger: ledger.describe('Over all instances: sums, the largest lag, the oldest last flush.'),
  unpriced_models: z.array(unpricedModel),
  prices_refreshed_at: time
    .nullable()
    .describe('When the answering instance last read the price list; null when it has not since its start.'),
  uncounted_records: count
    .nullable()
    .describe(
      'Stored records that no chart counts, because the database refuses them in its sums; null while it is away.',
    ),
  unclosed_periods: count
    .nullable()
    .describe('Days and blocks of days whose sums the database refuses to put together; charts read their parts.'),
})
