/** `causeway analytics`: what the organization uses and spends. */
import { createWriteStream } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Leaf, Noun } from '../../command/command.ts'
import { printInner, printRecord } from '../../command/context.ts'
import { type ColumnKit, columnKit } from '../../output/columns.ts'
import { isDocumentFormat, type Row } from '../../output/render.ts'
import { milliseconds, money, share } from '../../output/shown.ts'
import type { Column } from '../../output/table.ts'
import { CliError, withoutTrace } from '../../terminal/cli-error.ts'
import { adoption } from './adoption.ts'
import { unitPrice } from './unit-price.ts'
import { usageOptions as options, toQuery } from './usage-options.ts'

const BASE = '/admin/analytics/org'

interface Section {
  readonly title: string
  readonly rows: (document: Row) => readonly Row[] | undefined
  readonly columns: readonly Column<Row>[]
}

/** Most tables show one list of the document. */
function section(title: string, field: string, columns: readonly Column<Row>[]): Section {
  return { title, rows: (document) => document[field], columns }
}

interface Report {
  readonly name: string
  readonly summary: string
  readonly examples: readonly string[]
  readonly sections: (kit: ColumnKit) => readonly Section[]
}

/** People get one table after the other; programs get the document. */
function reportLeaf({ name, summary, examples, sections }: Report): Leaf {
  return {
    name,
    summary,
    kind: 'read',
    routes: [`GET ${BASE}/${name}`],
    options,
    examples,
    run: async (context) => {
      const document = await (await context.client()).get(`${BASE}/${name}`, toQuery(context.values))
      const { format } = context.output
      if (isDocumentFormat(format)) return printRecord(context, document, [])
      for (const [index, { title, rows, columns }] of sections(columnKit(context.output)).entries()) {
        if (format === 'table' || format === 'wide')
          context.io.out(`${index === 0 ? '' : '\n'}${context.paint.bold(title)}\n`)
        await printInner(context, { document, rows: rows(document) ?? [], columns, empty: '  nothing' })
      }
    },
  }
}

function figure(name: string, value: Row): string {
  if (value === null || value === undefined) return '-'
  if (name.endsWith('_rate')) return share(value)
  const digits = name.endsWith('_usd') ? 2 : 0
  return Number(value).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** A call whose body could not be read has no model; it is named as calls without a team are. */
function modelColumn(field: string): Column<Row> {
  return { name: field, value: (row) => (row[field] === '' ? '(none)' : row[field]) }
}

/** Requests to models without a price are charged at an estimate, or not at all when no price is known. */
function modelSpend(spent: Column<Row>): Column<Row> {
  const shown = ({ spend_usd, unpriced_requests = 0 }: Row): string => {
    if (unpriced_requests === 0) return money(spend_usd)
    return spend_usd === 0 ? 'no price' : `${money(spend_usd)} (includes estimates)`
  }
  return { ...spent, shown }
}

const overview = reportLeaf({
  name: 'overview',
  summary: 'the most important figures, beside those of the time before',
  examples: ['analytics overview --days 7', 'analytics overview --team platform --json'],
  sections: () => [
    {
      title: 'Overview',
      rows: (document) =>
        Object.entries(document.totals).map(([name, value]) => ({ name, value, before: document.previous?.[name] })),
      columns: [
        { name: 'figure', value: (row) => row.name },
        { name: 'now', value: (row) => row.value, shown: (row) => figure(row.name, row.value), right: true },
        { name: 'before', value: (row) => row.before, shown: (row) => figure(row.name, row.before), right: true },
      ],
    },
  ],
})

const spend = reportLeaf({
  name: 'spend',
  summary: 'spend over time, by team, person and model, with budgets and a forecast',
  examples: ['analytics spend --days 30', 'analytics spend --from 2026-10-01 --to 2026-10-31 --json'],
  sections: ({ text, usd, number, percent, status, time }) => {
    const spent = usd('spend', 'spend_usd')
    const figures = [spent, number('requests', 'requests'), number('tokens', 'tokens')]
    const by = [text('name'), ...figures]
    return [
      section('By team', 'by_team', by),
      section('By person', 'by_user', by),
      section('By model', 'by_model', [modelColumn('name'), modelSpend(spent), ...figures.slice(1)]),
      section('Over time', 'timeseries', [text('bucket'), spent]),
      section('Budgets', 'budgets', [
        text('scope'),
        text('name'),
        spent,
        usd('limit', 'limit_usd'),
        usd('on top', 'top_up_usd'),
        percent('used', 'percent'),
        status('status'),
        time('resets', 'resets_at'),
      ]),
      {
        title: 'Forecast',
        rows: (document) => document.forecast?.points,
        columns: [text('bucket'), spent, usd('low', 'low_usd'), usd('high', 'high_usd')],
      },
    ]
  },
})

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const activity = reportLeaf({
  name: 'activity',
  summary: 'active people over time, and the hours of the week',
  examples: ['analytics activity --days 14'],
  sections: ({ text, number }) => [
    section('Active people', 'active_users', [
      text('bucket'),
      number('active', 'active'),
      number('new', 'new'),
      number('returning', 'returning'),
    ]),
    {
      title: 'Busiest hours',
      rows: (document) => [...document.heatmap].sort((a: Row, b: Row) => b.requests - a.requests).slice(0, 10),
      columns: [
        { name: 'weekday', value: (row) => row.weekday, shown: (row) => weekdays[row.weekday] ?? '' },
        { ...text('hour'), right: true },
        number('requests', 'requests'),
      ],
    },
  ],
})

function shareColumn(name: string, field: string): Column<Row> {
  return { name, value: (row) => row[field], shown: (row) => share(row[field]), right: true }
}

const models = reportLeaf({
  name: 'models',
  summary: 'model mix, latency, cache, tokens and endpoints',
  examples: ['analytics models --days 7'],
  sections: ({ text, number, usd, ms }) => {
    const [requests, spent, part] = [
      number('requests', 'requests'),
      usd('spend', 'spend_usd'),
      shareColumn('share', 'share'),
    ]
    return [
      section('Mix', 'mix', [modelColumn('model'), requests, modelSpend(spent), part]),
      section('Latency', 'latency', [
        modelColumn('model'),
        ms('p50', 'p50_ms'),
        ms('p95', 'p95_ms'),
        ms('p99', 'p99_ms'),
        ms('first token p50', 'first_token_p50_ms'),
        ms('first token p95', 'first_token_p95_ms'),
      ]),
      section('Tokens', 'tokens', [
        modelColumn('model'),
        number('input', 'input'),
        number('output', 'output'),
        number('cache read', 'cache_read'),
        number('cache write', 'cache_write'),
      ]),
      section('Cache', 'cache', [
        text('bucket'),
        number('prompt tokens', 'prompt_tokens'),
        shareColumn('hit rate', 'hit_rate'),
      ]),
      section('Endpoints', 'endpoints', [
        text('endpoint'),
        requests,
        number('errors', 'errors'),
        number('throttles', 'throttles'),
        number('failovers', 'failovers'),
        spent,
        part,
      ]),
    ]
  },
})

const tools = reportLeaf({
  name: 'tools',
  summary: 'tool servers and the tools that are called most',
  examples: ['analytics tools --days 30'],
  sections: ({ text, number }) => {
    const [calls, people] = [number('calls', 'calls'), number('people', 'users')]
    return [
      section('Servers', 'servers', [text('server'), number('tools', 'tools'), calls, people]),
      section('Tools', 'top_tools', [text('tool'), text('server'), calls, people]),
    ]
  },
})

const exploredMeasures = [
  'spend',
  'requests',
  'errors',
  'tokens',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_share',
  'p50',
  'p95',
  'p99',
  'first_token_p50',
  'first_token_p95',
]

const shownIn: Readonly<Record<string, (value: number) => string>> = {
  usd: money,
  share,
  ms: milliseconds,
  count: (value) => value.toLocaleString('en-US'),
}

const explore: Leaf = {
  name: 'explore',
  summary: 'one measure by team, person, model, endpoint or time',
  kind: 'read',
  routes: ['GET /admin/analytics/explore'],
  options: [
    { flags: '--measure <name>', text: 'spend by default', choices: exploredMeasures },
    { flags: '--by <group>', text: 'team by default', choices: ['team', 'user', 'model', 'endpoint', 'time'] },
    { flags: '--top <n>', text: 'how many by name, 10 by default; the rest stands together' },
    ...options,
  ],
  about: 'Percentiles go with model and endpoint.',
  examples: ['analytics explore --measure tokens --by user --top 20', 'analytics explore --measure p95 --by model'],
  run: async (context, _args, values) => {
    const { measure, by, top } = values
    const query = { ...toQuery(values), measure, by, top }
    const document = await (await context.client()).get('/admin/analytics/explore', query)
    const { rows, others, unit } = document
    const rest = others === null ? [] : [{ name: `(${others.groups} others)`, value: others.value }]
    await printInner(context, {
      document,
      rows: [...rows, ...rest],
      columns: [
        {
          name: document.by,
          value: (row) => (row.name === '' ? '(none)' : row.name),
        },
        {
          name: document.measure,
          value: (row) => row.value,
          shown: (row) => (row.value === null ? '-' : (shownIn[unit]?.(row.value) ?? String(row.value))),
          right: true,
        },
      ],
      empty: 'There is nothing in this range.',
    })
  },
}

const exportCsv: Leaf = {
  name: 'export',
  summary: 'stream the spend records of the range as CSV',
  kind: 'plain',
  routes: ['GET /admin/analytics/org/export'],
  options: [...options, { flags: '--file <path>', text: 'write to a file instead of standard output' }],
  examples: ['analytics export --days 30 --file spend.csv', 'analytics export --team platform | wc -l'],
  run: async (context, _args, values) => {
    const response = await (await context.client()).open(`${BASE}/export`, toQuery(values), 'text/csv')
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
    await pipeline(source, target).catch((error: NodeJS.ErrnoException) => {
      // Nothing was written yet, and another try would end as this one did.
      if (error.syscall === 'open') throw withoutTrace(error)
      throw new CliError(`the export broke off: ${error.message}`, {
        exit: 'failed',
        next: 'run it again; what was written is not complete',
        cause: error,
      })
    })
  },
}

const recount: Leaf = {
  name: 'recount',
  summary: 'count again what the sums of charts refused, after its cause was mended',
  kind: 'read',
  routes: ['POST /admin/usage/recount'],
  examples: ['analytics recount'],
  run: async (context) => {
    const result = await (await context.client()).send('POST', '/admin/usage/recount', {})
    const kit = columnKit(context.output)
    await printRecord(context, result, [
      kit.number('tried', 'tried_records'),
      kit.number('still in no chart', 'uncounted_records'),
      kit.number('periods not put together', 'unclosed_periods'),
    ])
    const [records, periods] = [result.uncounted_records, result.unclosed_periods]
    if (records + periods > 0)
      throw new CliError(`${records} records and ${periods} periods are still refused`, { exit: 'failed' })
  },
}

export const analytics: Noun = {
  name: 'analytics',
  summary: 'what the organization uses and spends',
  leaves: [overview, spend, activity, models, tools, explore, unitPrice, adoption, exportCsv, recount],
}
