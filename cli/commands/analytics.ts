/** `causeway analytics`: what the organization uses and spends. */
import { createWriteStream } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { CliError } from '../cli-error.ts'
import { commaList, type Leaf, type Noun, type Opt, type Values } from '../command.ts'
import { type Context, printInner, printRecord } from '../context.ts'
import { columnKit } from '../output/columns.ts'
import { isDocumentFormat, type Row } from '../output/render.ts'
import { share } from '../output/shown.ts'
import type { Column } from '../output/table.ts'

const BASE = '/admin/analytics/org'

export const rangeOptions: readonly Opt[] = [
  { flags: '--days <n>', text: 'relative range', choices: ['1', '7', '14', '30', '90'] },
  { flags: '--from <date>', text: 'first day, YYYY-MM-DD; with --to' },
  { flags: '--to <date>', text: 'last day, YYYY-MM-DD' },
  { flags: '--granularity <size>', text: 'size of time buckets', choices: ['auto', 'hour', 'day', 'week'] },
  { flags: '--tz <zone>', text: 'IANA name of the time zone; default UTC' },
]
const filterOptions: readonly Opt[] = [
  { flags: '--team <names>', text: 'only these teams, comma-separated', parse: commaList, values: 'teams' },
  { flags: '--user <users>', text: 'only these people', parse: commaList, values: 'users' },
  { flags: '--model <ids>', text: 'only these models', parse: commaList, values: 'models' },
  { flags: '--endpoint <names>', text: 'only these endpoints', parse: commaList, values: 'endpoints' },
]
const options = [...rangeOptions, ...filterOptions]

export function queryOf(values: Values): Readonly<Record<string, string | undefined>> {
  const joined = (name: string): string | undefined => values[name]?.join(',')
  const { days, from, to, granularity, tz } = values
  return {
    days,
    from,
    to,
    granularity,
    tz,
    team: joined('team'),
    user: joined('user'),
    model: joined('model'),
    endpoint: joined('endpoint'),
  }
}

interface Section {
  readonly title: string
  readonly rows: (document: Row) => readonly Row[] | undefined
  readonly columns: readonly Column<Row>[]
}

/** People get one table after the other; programs get the document. */
async function printSections(context: Context, path: string, sections: readonly Section[]): Promise<void> {
  const document = await (await context.client()).get(`${BASE}/${path}`, queryOf(context.values))
  if (isDocumentFormat(context.output.format)) return printRecord(context, document, [])
  const { format } = context.output
  for (const [index, section] of sections.entries()) {
    if (format === 'table' || format === 'wide')
      context.io.out(`${index === 0 ? '' : '\n'}${context.paint.bold(section.title)}\n`)
    await printInner(context, {
      document,
      rows: section.rows(document) ?? [],
      columns: section.columns,
      empty: '  nothing',
    })
  }
}

const overview: Leaf = {
  name: 'overview',
  summary: 'the most important figures, beside those of the time before',
  kind: 'read',
  options,
  examples: ['analytics overview --days 7', 'analytics overview --team platform --json'],
  run: async (context) => {
    const rows = (document: Row) =>
      Object.entries(document.totals).map(([name, value]) => ({ name, value, before: document.previous?.[name] }))
    const shown = (name: string, value: Row): string => {
      if (value === null || value === undefined) return '-'
      if (name.endsWith('_rate')) return share(value)
      const digits = name.endsWith('_usd') ? 2 : 0
      return Number(value).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    }
    await printSections(context, 'overview', [
      {
        title: 'Overview',
        rows,
        columns: [
          { name: 'figure', value: (row) => row.name },
          { name: 'now', value: (row) => row.value, shown: (row) => shown(row.name, row.value), right: true },
          { name: 'before', value: (row) => row.before, shown: (row) => shown(row.name, row.before), right: true },
        ],
      },
    ])
  },
}

const spend: Leaf = {
  name: 'spend',
  summary: 'spend over time, by team, person and model, with budgets and a forecast',
  kind: 'read',
  options,
  examples: ['analytics spend --days 30', 'analytics spend --from 2026-10-01 --to 2026-10-31 --json'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const by = [
      kit.text('name'),
      kit.usd('spend', 'spend_usd'),
      kit.number('requests', 'requests'),
      kit.number('tokens', 'tokens'),
    ]
    await printSections(context, 'spend', [
      { title: 'By team', rows: (document) => document.by_team, columns: by },
      { title: 'By person', rows: (document) => document.by_user, columns: by },
      { title: 'By model', rows: (document) => document.by_model, columns: by },
      {
        title: 'Over time',
        rows: (document) => document.timeseries,
        columns: [kit.text('bucket'), kit.usd('spend', 'spend_usd')],
      },
      {
        title: 'Budgets',
        rows: (document) => document.budgets,
        columns: [
          kit.text('scope'),
          kit.text('name'),
          kit.usd('spend', 'spend_usd'),
          kit.usd('limit', 'limit_usd'),
          kit.percent('used', 'percent'),
          kit.status('status'),
          kit.time('resets', 'resets_at'),
        ],
      },
      {
        title: 'Forecast',
        rows: (document) => document.forecast?.points,
        columns: [
          kit.text('bucket'),
          kit.usd('spend', 'spend_usd'),
          kit.usd('low', 'low_usd'),
          kit.usd('high', 'high_usd'),
        ],
      },
    ])
  },
}

const activity: Leaf = {
  name: 'activity',
  summary: 'active people over time, and the hours of the week',
  kind: 'read',
  options,
  examples: ['analytics activity --days 14'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
    await printSections(context, 'activity', [
      {
        title: 'Active people',
        rows: (document) => document.active_users,
        columns: [
          kit.text('bucket'),
          kit.number('active', 'active'),
          kit.number('new', 'new'),
          kit.number('returning', 'returning'),
        ],
      },
      {
        title: 'Busiest hours',
        rows: (document) => [...document.heatmap].sort((a: Row, b: Row) => b.requests - a.requests).slice(0, 10),
        columns: [
          { name: 'weekday', value: (row) => row.weekday, shown: (row) => days[row.weekday] ?? '' },
          { ...kit.text('hour'), right: true },
          kit.number('requests', 'requests'),
        ],
      },
    ])
  },
}

const models: Leaf = {
  name: 'models',
  summary: 'model mix, latency, cache, tokens and endpoints',
  kind: 'read',
  options,
  examples: ['analytics models --days 7'],
  run: async (context) => {
    const kit = columnKit(context.output)
    const part = (name: string, field: string): Column<Row> => ({
      name,
      value: (row) => row[field],
      shown: (row) => share(row[field]),
      right: true,
    })
    await printSections(context, 'models', [
      {
        title: 'Mix',
        rows: (document) => document.mix,
        columns: [
          kit.text('model'),
          kit.number('requests', 'requests'),
          kit.usd('spend', 'spend_usd'),
          part('share', 'share'),
        ],
      },
      {
        title: 'Latency',
        rows: (document) => document.latency,
        columns: [
          kit.text('model'),
          kit.ms('p50', 'p50_ms'),
          kit.ms('p95', 'p95_ms'),
          kit.ms('p99', 'p99_ms'),
          kit.ms('first token p50', 'first_token_p50_ms'),
          kit.ms('first token p95', 'first_token_p95_ms'),
        ],
      },
      {
        title: 'Tokens',
        rows: (document) => document.tokens,
        columns: [
          kit.text('model'),
          kit.number('input', 'input'),
          kit.number('output', 'output'),
          kit.number('cache read', 'cache_read'),
          kit.number('cache write', 'cache_write'),
        ],
      },
      {
        title: 'Cache',
        rows: (document) => document.cache,
        columns: [kit.text('bucket'), part('hit rate', 'hit_rate')],
      },
      {
        title: 'Endpoints',
        rows: (document) => document.endpoints,
        columns: [
          kit.text('endpoint'),
          kit.number('requests', 'requests'),
          kit.number('errors', 'errors'),
          kit.number('throttles', 'throttles'),
          kit.number('failovers', 'failovers'),
          kit.usd('spend', 'spend_usd'),
          part('share', 'share'),
        ],
      },
    ])
  },
}

const tools: Leaf = {
  name: 'tools',
  summary: 'tool servers and the tools that are called most',
  kind: 'read',
  options,
  examples: ['analytics tools --days 30'],
  run: async (context) => {
    const kit = columnKit(context.output)
    await printSections(context, 'tools', [
      {
        title: 'Servers',
        rows: (document) => document.servers,
        columns: [
          kit.text('server'),
          kit.number('tools', 'tools'),
          kit.number('calls', 'calls'),
          kit.number('people', 'users'),
        ],
      },
      {
        title: 'Tools',
        rows: (document) => document.top_tools,
        columns: [kit.text('tool'), kit.text('server'), kit.number('calls', 'calls'), kit.number('people', 'users')],
      },
    ])
  },
}

const exportCsv: Leaf = {
  name: 'export',
  summary: 'stream the spend records of the range as CSV',
  kind: 'plain',
  options: [...options, { flags: '--file <path>', text: 'write to a file instead of standard output' }],
  examples: ['analytics export --days 30 --file spend.csv', 'analytics export --team platform | wc -l'],
  run: async (context, _args, values) => {
    const response = await (await context.client()).open(`${BASE}/export`, queryOf(values), 'text/csv')
    if (response.body === null) return
    const target =
      values['file'] === undefined
        ? new Writable({
            write: (chunk: Buffer, _encoding, done) => {
              context.io.out(chunk.toString('utf8'))
              done()
            },
          })
        : createWriteStream(values['file'])
    // A chunk may end inside a letter, so text is decoded by the stream and not chunk by chunk.
    const source = Readable.fromWeb(response.body as ReadableStream).setEncoding('utf8')
    await pipeline(source, target).catch((error: Error) => {
      throw new CliError(`the export broke off: ${error.message}`, {
        exit: 'failed',
        next: 'run it again; what was written is not complete',
        cause: error,
      })
    })
  },
}

export const analytics: Noun = {
  name: 'analytics',
  summary: 'what the organization uses and spends',
  leaves: [overview, spend, activity, models, tools, exportCsv],
}
