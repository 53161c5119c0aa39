/**
 * Every metric of the gateway: the registry, the reference page and the checks of the dashboard and the alerts read this
 * table. No label ever carries text that a client made up.
 */

export interface InstrumentSpec {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** As OpenTelemetry writes units; empty for plain counts. */
  readonly unit: '' | 's' | 'By' | '{token}' | 'USD'
  readonly labels: readonly string[]
  readonly text: string
  /** Upper ends, for histograms only. */
  readonly buckets?: readonly number[]
}

/** The conventions' own steps, and three more: an answer may stream for a quarter of an hour. */
const DURATION_BUCKETS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68, 655.36,
]
const FIRST_TOKEN_BUCKETS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 20, 40, 80]
const OUTPUT_TOKEN_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1]
const TOKEN_BUCKETS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304]

const callLabels = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model']

const counter = (labels: readonly string[], text: string, unit: InstrumentSpec['unit'] = ''): InstrumentSpec => ({
  kind: 'counter',
  unit,
  labels,
  text,
})

const gauge = (labels: readonly string[], text: string, unit: InstrumentSpec['unit'] = ''): InstrumentSpec => ({
  kind: 'gauge',
  unit,
  labels,
  text,
})

export const instrumentTable = {
  'gen_ai.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    labels: [...callLabels, 'error.type'],
    text: 'From the first byte of a recorded call to the end of its answer, for each round of one that searches the web. `error.type` is there when it did not end well.',
    buckets: DURATION_BUCKETS,
  },
  'gen_ai.server.time_to_first_token': {
    kind: 'histogram',
    unit: 's',
    labels: callLabels,
    text: 'From the first byte of a streamed call to the first event of its answer.',
    buckets: FIRST_TOKEN_BUCKETS,
  },
  'gen_ai.server.time_per_output_token': {
    kind: 'histogram',
    unit: 's',
    labels: callLabels,
    text: 'Mean time for a token after the first, for each streamed answer.',
    buckets: OUTPUT_TOKEN_BUCKETS,
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    labels: [...callLabels, 'gen_ai.token.type'],
    text: 'Tokens of a served call, prompt (`input`, cached tokens included) and answer (`output`).',
    buckets: TOKEN_BUCKETS,
  },

  gateway_requests: counter(
    ['model', 'status', 'streaming', 'outcome'],
    'Calls to the message routes by how they ended: `ok`, `aborted` by the client, `limited`, `rejected`, or `error`, which is also a stream that broke after its 200. A request that searches the web counts once, and once more when a later round does not end well.',
  ),
  gateway_refusals: counter(
    ['code'],
    'Calls to the message routes that the gateway itself refused, by catalogue code.',
  ),
  gateway_in_flight: gauge([], 'Calls being served now.'),
  gateway_open_streams: gauge([], 'Streams being answered now.'),
  gateway_tokens: counter(['model', 'kind'], 'Tokens by kind, as they are billed.'),
  gateway_cost_usd: counter(['model'], 'Cost of served calls in US dollars.', 'USD'),
  gateway_unpriced_requests: counter(
    ['model'],
    'Served requests for models without a price. Their cost is an estimate.',
  ),
  gateway_tool_calls: counter(
    ['tool'],
    'Tool calls in answers; only tools that are well known have a name, all others are `mcp` or `other`.',
  ),
  gateway_web_searches: counter([], 'Web searches made for calls.'),
  gateway_repairs: counter(
    ['kind'],
    'Betas (`beta`) and body fields (`field`) that were left out or rewritten so that the hosted service takes a request.',
  ),

  gateway_auth_failures: counter(['reason'], 'Refused credentials, sign-ins and roles, by catalogue code.'),
  gateway_rate_limit_decisions: counter(
    ['limit', 'decision'],
    'Decisions on rate limits: of a key (`key`) or of a person slowed by a budget (`shape`), `taken` or `limited`.',
  ),
  gateway_budget_decisions: counter(
    ['decision'],
    'Decisions on budgets: `none` applies, `ok`, `warning`, `shaped`, `blocked`, `busy` (reserved by running calls) or `unknown` (nobody can say what is spent).',
  ),

  gateway_upstream_attempts: counter(['endpoint'], 'Calls to the hosted service.'),
  gateway_upstream_errors: counter(
    ['endpoint', 'kind'],
    'Failed calls to the hosted service: `throttled`, `timeout`, `server`, `rejected`, `unreachable`, `broken` or `credentials`.',
  ),
  gateway_failovers: counter(['endpoint'], 'Calls that left this endpoint for the next one.'),
  gateway_endpoint_healthy: gauge(
    ['endpoint'],
    'Whether the last check of an enabled endpoint passed: 1 or 0; no series before the first check.',
  ),

  gateway_spend_waiting: gauge([], 'Spend records that the database has not confirmed.'),
  gateway_spend_oldest_seconds: gauge([], 'Age of the oldest waiting record: the lag of the ledger.', 's'),
  gateway_spend_journal_bytes: gauge([], 'Size of the local journal.', 'By'),
  gateway_spend_journal_failing: gauge([], '1 while the local journal cannot be written.'),
  gateway_spend_rejected: counter(
    [],
    'Spend records that the database refuses in every form and that are in quarantine.',
  ),

  gateway_usage_uncounted_records: gauge(
    [],
    'Stored spend records that no chart counts, because the database refuses them in its sums; of all instances together.',
  ),
  gateway_usage_unclosed_periods: gauge(
    [],
    'Days and blocks of days whose sums the database refuses to put together, so that charts read their parts.',
  ),

  gateway_notification_attempts: counter(['status'], 'Attempts to deliver a notification, by what came of them.'),
  gateway_outbox_waiting: gauge([], 'Notifications that wait to be delivered, of all instances together.'),
  gateway_outbox_oldest_seconds: gauge([], 'Age of the oldest of them.', 's'),

  gateway_snapshot_age_seconds: gauge([], 'Time since this instance last knew that its snapshot is current.', 's'),
  gateway_snapshot_version: gauge(
    ['section'],
    'Version of each part of the snapshot; equal on all instances within 5 seconds.',
  ),
  gateway_price_list_age_seconds: gauge(
    [],
    'Time since the price list was last read, or since the start while it was not. No series when the refresh is off.',
    's',
  ),
  gateway_loop_age_seconds: gauge(
    ['loop'],
    'Time since a background loop last ended well, or since it was started.',
    's',
  ),
  gateway_loop_interval_seconds: gauge(['loop'], 'How often the loop should run.', 's'),
  gateway_loop_errors: counter(['loop'], 'Runs of a background loop that failed.'),

  gateway_database_connections: gauge(['state'], 'Connections of the pool, `in_use` and `idle`.'),
  gateway_database_connections_max: gauge(
    [],
    'The most connections the pool may open; those it has while the server gives no more.',
  ),
  gateway_database_waiting: gauge([], 'Queries that wait for a connection.'),

  gateway_event_loop_delay_seconds: gauge(
    ['at'],
    'How late timers ran in the last half minute, beyond their grain: `p50`, `p99` and `max`.',
    's',
  ),
  gateway_event_loop_utilization: gauge([], 'Share of the last half minute in which the event loop was busy.'),
  gateway_memory_bytes: gauge(['kind'], 'Memory of the process: `resident`, `heap` and `external`.', 'By'),
  gateway_cpu_seconds: counter([], 'Processor time of the process.', 's'),
  gateway_start_time_seconds: gauge([], 'When the process was started, as a Unix time.', 's'),
  gateway_tls_expiry_time_seconds: gauge(
    [],
    'When the certificate of the HTTPS listener expires, as a Unix time. No series without that listener.',
    's',
  ),
  gateway_build_info: gauge(['version', 'node'], 'Always 1; the labels say which build runs.'),
} as const satisfies Record<string, InstrumentSpec>

export type InstrumentName = keyof typeof instrumentTable

/** As the scrape shows it: dots become underscores, the unit ends the name, counters end in `_total`. */
export function prometheusName(name: string, { kind, unit }: InstrumentSpec): string {
  const plain = name.replaceAll('.', '_')
  const suffix = unit === 's' ? '_seconds' : unit === 'By' ? '_bytes' : ''
  const withUnit = plain.endsWith(suffix) ? plain : `${plain}${suffix}`
  return kind === 'counter' ? `${withUnit}_total` : withUnit
}
