/** The Grafana dashboard, made from a table of panels so that its layout needs no hand and its queries can be checked. */

export interface Query {
  readonly expr: string
  readonly legend: string
}

interface Panel {
  readonly title: string
  readonly unit: string
  readonly kind: 'timeseries' | 'stat'
  readonly text: string
  readonly queries: readonly Query[]
}

const ours = 'job=~"$job", instance=~"$instance"'

const one = (expr: string, legend = ''): readonly Query[] => [{ expr, legend }]

const lines = (title: string, unit: string, queries: readonly Query[], text = ''): Panel => ({
  title,
  unit,
  kind: 'timeseries',
  text,
  queries,
})

const stat = (title: string, unit: string, expr: string, text = ''): Panel => ({
  title,
  unit,
  kind: 'stat',
  text,
  queries: one(expr),
})

const quantile = (share: number, metric: string): Query => ({
  expr: `histogram_quantile(${share}, sum by (le) (rate(${metric}_bucket{${ours}}[$__rate_interval])))`,
  legend: `p${share * 100}`,
})

const quantiles = (metric: string): readonly Query[] => [0.5, 0.95, 0.99].map((share) => quantile(share, metric))

const rateBy = (label: string, metric: string, filter = ''): readonly Query[] =>
  one(`sum by (${label}) (rate(${metric}{${ours}${filter}}[$__rate_interval]))`, `{{${label}}}`)

const rows: Readonly<Record<string, readonly Panel[]>> = {
  'At a glance': [
    stat(
      'Calls that end well',
      'percentunit',
      `1 - (sum(increase(gateway_requests_total{${ours}, outcome="error"}[$__range])) or vector(0)) / sum(increase(gateway_requests_total{${ours}, outcome!~"rejected|limited"}[$__range]))`,
      'Over the shown time; the objective is 99.5 %.',
    ),
    stat('Spend', 'currencyUSD', `sum(increase(gateway_cost_usd_total{${ours}}[$__range]))`, 'Over the shown time.'),
    stat('In flight', 'short', `sum(gateway_in_flight{${ours}})`),
    stat('Open streams', 'short', `sum(gateway_open_streams{${ours}})`),
    stat('Healthy endpoints', 'percentunit', `avg(gateway_endpoint_healthy{${ours}})`),
    stat('Ledger lag', 's', `max(gateway_spend_oldest_seconds{${ours}})`),
  ],
  Calls: [
    lines('Calls by outcome', 'reqps', rateBy('outcome', 'gateway_requests_total')),
    lines('Calls by model', 'reqps', rateBy('model', 'gateway_requests_total')),
    lines('Refusals by code', 'reqps', rateBy('code', 'gateway_refusals_total')),
    lines(
      'Duration',
      's',
      quantiles('gen_ai_server_request_duration_seconds'),
      'Streams last as long as the model writes.',
    ),
    lines('Time to first token', 's', quantiles('gen_ai_server_time_to_first_token_seconds')),
    lines('Time per output token', 's', quantiles('gen_ai_server_time_per_output_token_seconds')),
  ],
  'Tokens and money': [
    lines('Tokens by kind', 'short', rateBy('kind', 'gateway_tokens_total')),
    lines(
      'Spend a minute by model',
      'currencyUSD',
      one(`sum by (model) (rate(gateway_cost_usd_total{${ours}}[$__rate_interval])) * 60`, '{{model}}'),
    ),
    lines(
      'Cache hit rate',
      'percentunit',
      one(
        `sum(rate(gateway_tokens_total{${ours}, kind="cache_read"}[$__rate_interval])) / sum(rate(gateway_tokens_total{${ours}, kind!="output"}[$__rate_interval]))`,
        'read from the cache',
      ),
    ),
    lines(
      'Prompt size',
      'short',
      [0.5, 0.95].map((share) => ({
        expr: `histogram_quantile(${share}, sum by (le) (rate(gen_ai_client_token_usage_bucket{${ours}, gen_ai_token_type="input"}[$__rate_interval])))`,
        legend: `p${share * 100}`,
      })),
    ),
    lines(
      'Calls without a price',
      'short',
      one(`sum by (model) (increase(gateway_unpriced_requests_total{${ours}}[1h]))`, '{{model}}'),
    ),
    lines('Tool calls', 'short', rateBy('tool', 'gateway_tool_calls_total')),
  ],
  'Hosted service': [
    lines('Calls by endpoint', 'reqps', rateBy('endpoint', 'gateway_upstream_attempts_total')),
    lines(
      'Errors by endpoint and kind',
      'reqps',
      one(
        `sum by (endpoint, kind) (rate(gateway_upstream_errors_total{${ours}}[$__rate_interval])) > 0`,
        '{{endpoint}} {{kind}}',
      ),
    ),
    lines('Failovers', 'reqps', rateBy('endpoint', 'gateway_failovers_total')),
    lines('Health', 'short', one(`min by (endpoint) (gateway_endpoint_healthy{${ours}})`, '{{endpoint}}')),
    lines('Repairs', 'short', rateBy('kind', 'gateway_repairs_total')),
    lines('Web searches', 'short', one(`sum(rate(gateway_web_searches_total{${ours}}[$__rate_interval]))`, 'searches')),
  ],
  'Doors and limits': [
    lines('Refused credentials', 'reqps', rateBy('reason', 'gateway_auth_failures_total')),
    lines(
      'Rate limits',
      'reqps',
      one(
        `sum by (limit, decision) (rate(gateway_rate_limit_decisions_total{${ours}}[$__rate_interval]))`,
        '{{limit}} {{decision}}',
      ),
    ),
    lines('Budgets', 'reqps', rateBy('decision', 'gateway_budget_decisions_total')),
  ],
  'State and process': [
    lines('Spend that waits', 'short', one(`gateway_spend_waiting{${ours}}`, '{{instance}}')),
    lines('Journal', 'bytes', one(`gateway_spend_journal_bytes{${ours}}`, '{{instance}}')),
    lines('Notifications that wait', 'short', [
      { expr: `max(gateway_outbox_waiting{${ours}})`, legend: 'waiting' },
      { expr: `sum by (status) (increase(gateway_notification_attempts_total{${ours}}[5m]))`, legend: '{{status}}' },
    ]),
    lines('Snapshot age', 's', one(`gateway_snapshot_age_seconds{${ours}}`, '{{instance}}')),
    lines(
      'Loops that are late',
      's',
      one(
        `gateway_loop_age_seconds{${ours}} > 2 * gateway_loop_interval_seconds{${ours}} + 10`,
        '{{instance}} {{loop}}',
      ),
    ),
    lines(
      'Loop errors',
      'short',
      one(`sum by (loop) (increase(gateway_loop_errors_total{${ours}}[5m])) > 0`, '{{loop}}'),
    ),
    lines('Database connections', 'short', [
      { expr: `sum by (state) (gateway_database_connections{${ours}})`, legend: '{{state}}' },
      { expr: `sum(gateway_database_waiting{${ours}})`, legend: 'waiting' },
    ]),
    lines('Event loop delay', 's', one(`max by (at) (gateway_event_loop_delay_seconds{${ours}})`, '{{at}}')),
    lines('Event loop in use', 'percentunit', one(`gateway_event_loop_utilization{${ours}}`, '{{instance}}')),
    lines('Memory', 'bytes', one(`gateway_memory_bytes{${ours}, kind="resident"}`, '{{instance}}')),
    lines('Processor', 'short', one(`rate(gateway_cpu_seconds_total{${ours}}[$__rate_interval])`, '{{instance}}')),
    lines('Price list age', 's', one(`min(gateway_price_list_age_seconds{${ours}})`, 'age')),
  ],
}

export const dashboardQueries: readonly Query[] = Object.values(rows).flatMap((panels) =>
  panels.flatMap(({ queries }) => queries),
)

const WIDTH = 24
const datasource = { type: 'prometheus', uid: '$datasource' }

export function dashboardPage(): string {
  let nextId = 1
  let top = 0
  const panels = Object.entries(rows).flatMap(([title, members]) => {
    const isGlance = members.every(({ kind }) => kind === 'stat')
    const width = isGlance ? WIDTH / members.length : WIDTH / 3
    const height = isGlance ? 4 : 8
    const row = {
      id: nextId++,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y: top++, w: WIDTH, h: 1 },
      panels: [],
    }
    const perLine = WIDTH / width
    const placed = members.map((panel, index) => ({
      id: nextId++,
      type: panel.kind,
      title: panel.title,
      description: panel.text,
      datasource,
      gridPos: { x: (index % perLine) * width, y: top + Math.floor(index / perLine) * height, w: width, h: height },
      fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
      targets: panel.queries.map(({ expr, legend }, place) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + place),
        datasource,
        expr,
        legendFormat: legend,
      })),
    }))
    top += Math.ceil(members.length / perLine) * height
    return [row, ...placed]
  })
  return `${JSON.stringify({ ...frame, panels }, null, 2)}\n`
}

const variable = (name: string, label: string) => ({
  name,
  label: name,
  type: 'query',
  datasource,
  query: { query: label, refId: name },
  refresh: 2,
  includeAll: true,
  allValue: '.*',
  multi: true,
  current: { text: 'All', value: '$__all' },
})

const frame = {
  uid: 'causeway',
  title: 'Causeway',
  tags: ['causeway'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  timezone: 'browser',
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {} },
      variable('job', 'label_values(gateway_build_info, job)'),
      variable('instance', 'label_values(gateway_build_info{job=~"$job"}, instance)'),
    ],
  },
  annotations: { list: [] },
}
