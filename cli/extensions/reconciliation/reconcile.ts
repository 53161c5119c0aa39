/** `causeway analytics reconcile`: whether the cloud bill has the dollars that the gateway counted, and why not. */
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { InvalidArgumentError } from 'commander'
import type { Leaf } from '../../command/command.ts'
import { type Context, printInner, printRecord } from '../../command/context.ts'
import { columnKit } from '../../output/columns.ts'
import { isDocumentFormat, isForPeople, type Row } from '../../output/render.ts'
import { money } from '../../output/shown.ts'
import { type Column, harmless } from '../../output/table.ts'
import { CliError, usageError, withoutTrace } from '../../terminal/cli-error.ts'

const DEFAULT_TOLERANCE = 1

export const reconcile: Leaf = {
  name: 'reconcile',
  summary: 'compare a report of the cloud bill with what the gateway counted',
  kind: 'read',
  routes: ['POST /admin/analytics/reconciliation'],
  args: [
    { name: '<file>', text: 'a Cost and Usage Report or a file of Cost Explorer, as CSV or .gz; - is standard input' },
  ],
  options: [
    { flags: '--from <date>', text: 'first day of UTC, YYYY-MM-DD; with --to. Default: the days of the report' },
    { flags: '--to <date>', text: 'last day, YYYY-MM-DD' },
    { flags: '--tolerance <percent>', text: 'difference that is still fine; default 1', parse: percentage },
  ],
  about:
    'The file goes to the gateway and nowhere else, which reads it as it comes and keeps nothing of it. Ends with 8 when the whole differs by more than the tolerance.',
  examples: [
    'analytics reconcile october.csv.gz',
    'analytics reconcile costs.csv --from 2026-10-01 --to 2026-10-31 --tolerance 0.5',
    'analytics reconcile - --json < october.csv.gz',
  ],
  run: async (context, [file], values) => {
    const client = await context.client()
    const { from, to, tolerance = DEFAULT_TOLERANCE } = values
    const report = await openReport(context, file)
    const result = await client.upload('/admin/analytics/reconciliation', { from, to }, report)
    await print(context, result)
    const { difference_usd: difference, difference_percent: percent } = result.totals
    // Dollars that were counted and of which nothing is billed differ by more than any percentage.
    const isFine = difference === 0 || (percent !== null && Math.abs(percent) <= tolerance)
    if (isFine) return
    throw new CliError(
      `the bill and the gateway differ by ${money(difference)}${percent === null ? '' : ` (${percent} %)`}, more than ${tolerance} %`,
      { exit: 'checkFailed', next: 'the causes above say where it comes from' },
    )
  },
}

function percentage(text: string): number {
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number such as 1 or 0.5.')
  return value
}

/** Opened before anything is sent: a name that is wrong must not look like a fault of the network. */
async function openReport({ io }: Context, file: string): Promise<Readable> {
  if (file === '-') return io.openInput()
  const handle = await open(file).catch((error: unknown) => {
    throw withoutTrace(error)
  })
  if ((await handle.stat()).isDirectory()) {
    await handle.close()
    throw usageError(`${file} is a folder`, 'name the report in it')
  }
  return handle.createReadStream()
}

async function print(context: Context, result: Row): Promise<void> {
  const { format } = context.output
  if (isDocumentFormat(format)) return printRecord(context, result, [])
  const total = { model: 'all', ...result.totals }
  await printInner(context, {
    document: result,
    rows: [...result.by_model, total],
    columns: buildColumns(context),
    empty: '  nothing',
  })
  if (isForPeople(format)) context.io.out(`${words(context, result).join('\n')}\n`)
}

function buildColumns(context: Context): readonly Column<Row>[] {
  const { text, usd, percent, status } = columnKit(context.output)
  const tokens = (name: string, side: 'billed' | 'counted'): Column<Row> => {
    const sum = (row: Row): number | null =>
      row.tokens[side] === null ? null : Object.values<number>(row.tokens[side]).reduce((all, one) => all + one, 0)
    return { name, value: sum, shown: (row) => sum(row)?.toLocaleString('en-US') ?? '-', right: true, wide: true }
  }
  return [
    text('model'),
    usd('billed', 'billed_usd'),
    usd('gateway', 'gateway_usd'),
    usd('difference', 'difference_usd'),
    percent('percent', 'difference_percent'),
    status('status'),
    tokens('billed tokens', 'billed'),
    tokens('counted tokens', 'counted'),
  ]
}

function words({ paint }: Context, { range, report, totals, causes, left_out }: Row): string[] {
  const line = (usd: number, sentence: string): string => `  ${money(usd).padStart(12)}  ${harmless(sentence)}`
  return [
    '',
    paint.dim(`${range.from} to ${range.to}, days of UTC; ${report.used_lines} of ${report.lines} lines compared`),
    ...(report.note === null ? [] : [report.note]),
    ...(causes.length === 0 ? [] : ['', paint.bold('Where the difference comes from')]),
    ...causes.map((cause: Row) => line(cause.usd, cause.text)),
    ...(causes.length === 0 || totals.unexplained_usd === 0
      ? []
      : [line(totals.unexplained_usd, 'Differences that are too small for a line of their own.')]),
    ...(left_out.length === 0 ? [] : ['', paint.bold('Left out of the comparison')]),
    ...left_out.map((part: Row) => line(part.usd, `${part.text} (${part.lines.toLocaleString('en-US')})`)),
  ]
}
