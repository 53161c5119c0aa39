/** Prints records in the form that was asked for. Standard output holds data and nothing else. */

import { usageError } from '../terminal/cli-error.ts'
import type { Io } from '../terminal/io.ts'
import { type Paint, paintStatus } from './paint.ts'
import { type Column, csvLine, harmless, plain, tabCell, tabLine, tableLines } from './table.ts'

export const formats = ['table', 'wide', 'tsv', 'json', 'jsonl', 'yaml', 'csv', 'id'] as const
export type Format = (typeof formats)[number]

/** Forms that carry a whole document, not one line a record. */
export function isDocumentFormat(format: Format): boolean {
  return format === 'json' || format === 'jsonl' || format === 'yaml'
}

export interface Output {
  readonly io: Io
  readonly paint: Paint
  readonly format: Format
}

/** Any JSON object of the API. */
// biome-ignore lint/suspicious/noExplicitAny: the gateway declares the shapes; commands pick fields by name.
export type Row = any

export function chooseFormat(asked: string | undefined, json: boolean, isTerminal: boolean): Format {
  if (json) return 'json'
  if (asked === undefined) return isTerminal ? 'table' : 'tsv'
  const found = formats.find((format) => format === asked)
  if (found === undefined) throw usageError(`there is no output format "${asked}"`, `one of ${formats.join(', ')}`)
  return found
}

export async function printDocument(output: Output, document: Row, columns: readonly Column<Row>[]): Promise<void> {
  const { io, format } = output
  if (format === 'json') io.out(`${JSON.stringify(document, null, 2)}\n`)
  else if (format === 'jsonl') io.out(`${JSON.stringify(document)}\n`)
  else if (format === 'yaml') io.out((await import('yaml')).stringify(document))
  else if (format === 'id') io.out(`${plain(idOf(document))}\n`)
  else if (format === 'csv')
    io.out(
      `${csvLine(columns.map(({ name }) => name))}\n${csvLine(columns.map((column) => plain(column.value(document))))}\n`,
    )
  else if (format === 'tsv')
    for (const column of columns) io.out(`${column.name}\t${tabCell(column.value(document))}\n`)
  else {
    await prepareAll(columns, [document])
    io.out(`${factLines(output.paint, document, columns).join('\n')}\n`)
  }
}

async function prepareAll(columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  for (const { prepare } of columns) await prepare?.(rows)
}

/** Calls go by the id that their answer carried. */
function idOf(record: Row): string | undefined {
  return record?.id ?? record?.request_id
}

function factLines(paint: Paint, document: Row, columns: readonly Column<Row>[]): string[] {
  const width = Math.max(...columns.map(({ name }) => name.length))
  return columns.map((column) => {
    const text = harmless(column.shown === undefined ? plain(column.value(document)) : column.shown(document))
    const painted = column.paint === undefined ? paintStatus(paint, text) : column.paint(text, document)
    return `${paint.dim(column.name.padEnd(width))}  ${text === '' ? '-' : painted}`
  })
}

/** Whether people look; everything else is read by programs and holds values as they are. */
export function isForPeople(format: Format): boolean {
  return format === 'table' || format === 'wide'
}

/** A document without columns, for programs: whole, or one line for each value under its path. */
export async function printValues(output: Output, document: Row): Promise<void> {
  const { io, format } = output
  if (isDocumentFormat(format)) return printDocument(output, document, [])
  if (format === 'csv') io.out(`${csvLine(['path', 'value'])}\n`)
  for (const [path, value] of valuesIn(document, ''))
    io.out(format === 'csv' ? `${csvLine([path, value])}\n` : `${path}\t${tabCell(value)}\n`)
}

function* valuesIn(value: Row, path: string): Generator<readonly [path: string, value: string]> {
  if (typeof value !== 'object' || value === null) return yield [path, plain(value)]
  for (const [name, part] of Object.entries(value)) yield* valuesIn(part, path === '' ? name : `${path}.${name}`)
}

/**
 * Pages are printed as they arrive, so that a long list needs no memory. The JSON is one valid document all the same.
 * Only what people look at waits for more, since columns line up in what is printed together.
 */
export async function printPages(
  output: Output,
  pages: AsyncIterable<Page>,
  columns: readonly Column<Row>[],
  empty: string,
): Promise<void> {
  const { io, format } = output
  let total = 0
  let last: Page = { data: [] }
  let isFirst = true
  for await (const page of isForPeople(format) ? joined(pages) : pages) {
    // Only now: when the first page fails, nothing must have been printed.
    if (isFirst) printHead(output, columns)
    isFirst = false
    await printRows(output, page.data, columns, total)
    total += page.data.length
    last = page
  }
  const { data: _, ...rest } = last
  if (format === 'json')
    io.out(
      `${total === 0 ? '' : '\n'}]${Object.entries(rest)
        .map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
        .join('')}}\n`,
    )
  else if ((format === 'table' || format === 'wide') && total === 0) io.err(`${empty}\n`)
  else if (format === 'table' && last.has_more === true)
    io.err(output.paint.dim(`There are more: --all shows every one, --limit N up to 200.\n`))
}

/** More rows than anybody reads on a terminal; whoever asks for them all the same gets them aligned part by part. */
const ROWS_TOGETHER = 2_000

async function* joined(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let waiting: Page | undefined
  for await (const page of pages) {
    waiting = { ...page, data: [...(waiting?.data ?? []), ...page.data] }
    if (waiting.data.length < ROWS_TOGETHER) continue
    yield waiting
    waiting = undefined
  }
  if (waiting !== undefined) yield waiting
}

function printHead({ io, format }: Output, columns: readonly Column<Row>[]): void {
  if (format === 'json') io.out('{"data":[')
  if (format === 'csv') io.out(`${csvLine(columns.map(({ name }) => name))}\n`)
}

export interface Page {
  readonly data: readonly Row[]
  readonly has_more?: boolean
  readonly next_cursor?: string | null
}

async function printRows(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  before: number,
): Promise<void> {
  const { io, format, paint } = output
  if (format === 'json')
    io.out(rows.map((row, index) => `${before + index === 0 ? '' : ','}\n${JSON.stringify(row)}`).join(''))
  else if (format === 'jsonl') for (const row of rows) io.out(`${JSON.stringify(row)}\n`)
  else if (format === 'yaml') {
    const { stringify } = await import('yaml')
    for (const row of rows) io.out(stringify([row]))
  } else if (format === 'id') for (const row of rows) io.out(`${plain(idOf(row) ?? columns[0]?.value(row))}\n`)
  else if (format === 'csv')
    for (const row of rows) io.out(`${csvLine(columns.map((column) => plain(column.value(row))))}\n`)
  else if (format === 'tsv') for (const row of rows) io.out(`${tabLine(row, columns)}\n`)
  else if (rows.length > 0) {
    await prepareAll(columns, rows)
    const lines = tableLines(rows, columns, { paint, wide: format === 'wide', columns: io.columns })
    io.out(`${(before === 0 ? lines : lines.slice(1)).join('\n')}\n`)
  }
}
