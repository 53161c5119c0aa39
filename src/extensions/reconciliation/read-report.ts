/**
 * Reads a report from the stream of the request, compressed or not, and adds it up. It stays a stream, and does not use the
 * reader of request bodies: a report may have 1 GiB, so each line is read, counted and forgotten.
 */
import type { Readable } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'
import { type Problem, problem } from '../../foundation/domain/errors.ts'
import { createBilledSums, type Report, type ReportForm, unreadable } from './billed-usage.ts'
import { findCostExplorerForm } from './cost-explorer.ts'
import { CsvError, type CsvReader, createCsvReader } from './csv-reader.ts'
import { findLineItemForm, neededColumns, toColumnName } from './line-items.ts'

/** Unpacked: a small file may unpack to any size. */
const MAX_BYTES = 1024 * 1024 * 1024
/** So many bytes at the beginning tell what kind of file it is. */
const MARK_BYTES = 4

/** What is unpacked and read at a time. */
const UNPACKED_BYTES = 16_384

/** What it works before it rests: pieces may be small, and each rest takes a millisecond at least. */
const WORK_MS = 2

export interface SentReport {
  readonly stream: Readable
  /** The header of that name. */
  readonly contentEncoding: string | undefined
  /** Days that lines are taken of; every one when left out. */
  readonly range: { readonly from: string; readonly to: string } | undefined
}

/** Listens instead of iterating: leaving an iteration early destroys the connection before the refusal is sent. */
export function readReport({ stream, contentEncoding, range }: SentReport): Promise<Report> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  if (!['', 'identity', 'gzip', 'x-gzip'].includes(encoding)) {
    stream.resume()
    return Promise.reject(unreadable('of content encodings only gzip is known; send it as it is or packed with gzip'))
  }
  // It may have left while its token was checked, before anybody listened: no event would ever come.
  if (stream.destroyed) return Promise.reject(endedEarly())
  const table = createTable(range)
  return new Promise((resolve, reject) => {
    let isOver = false
    let size = 0
    let workedMs = 0
    let head: Buffer | undefined = Buffer.alloc(0)
    let gunzip: Gunzip | undefined
    const fail = (error: unknown): void => {
      if (isOver) return
      isOver = true
      gunzip?.destroy()
      // What is left is read and thrown away, so that the sender gets the answer instead of a reset.
      stream.resume()
      reject(error instanceof CsvError ? unreadable(error.message, error) : error)
    }
    const take = (bytes: Buffer, source: Readable): void => {
      if (isOver) return
      size += bytes.length
      const startedMs = performance.now()
      try {
        if (size > MAX_BYTES) throw problem('body_too_large', { limit: '1 GiB' })
        table.reader.push(bytes)
        workedMs += performance.now() - startedMs
        if (workedMs < WORK_MS) return
        rest(source, workedMs)
        workedMs = 0
      } catch (error) {
        fail(error)
      }
    }
    const finish = async (): Promise<void> => {
      if (isOver) return
      try {
        await table.reader.end()
        const report = table.report()
        isOver = true
        resolve(report)
      } catch (error) {
        fail(error)
      }
    }
    const openGunzip = (): Gunzip => {
      const opened = createGunzip({ chunkSize: UNPACKED_BYTES })
      opened.on('data', (bytes: Buffer) => take(bytes, opened))
      opened.on('end', () => void finish())
      opened.on('drain', () => stream.resume())
      opened.on('error', (error: NodeJS.ErrnoException) =>
        fail(
          unreadable(
            error.code === 'Z_BUF_ERROR'
              ? 'the packed file ends before its end; send it again whole'
              : 'it is not packed with gzip, or damaged',
            error,
          ),
        ),
      )
      return opened
    }
    const forward = (bytes: Buffer): void => {
      if (gunzip === undefined) take(bytes, stream)
      else if (!gunzip.write(bytes)) stream.pause()
    }
    const begin = (bytes: Buffer): void => {
      head = undefined
      const refused = otherFile(bytes)
      if (refused !== undefined) fail(unreadable(refused))
      else if (encoding.endsWith('gzip') || isGzip(bytes)) gunzip = openGunzip()
      if (!isOver) forward(bytes)
    }
    stream.on('data', (bytes: Buffer) => {
      if (isOver) return
      if (head === undefined) forward(bytes)
      else if (head.length + bytes.length >= MARK_BYTES) begin(Buffer.concat([head, bytes]))
      else head = Buffer.concat([head, bytes])
    })
    stream.on('end', () => {
      if (head !== undefined) begin(head)
      if (gunzip === undefined) void finish()
      else gunzip.end()
    })
    stream.on('error', () => fail(endedEarly()))
    stream.on('close', () => {
      if (!stream.readableEnded) fail(endedEarly())
    })
  })
}

/**
 * As long as the work took: a file that comes faster than it is read would keep the process from every call in between, of
 * which each needs several turns.
 */
function rest(source: Readable, workedMs: number): void {
  source.pause()
  setTimeout(() => source.resume(), Math.ceil(workedMs))
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Forms in which exports are made too, and that are easily sent by mistake. */
function otherFile(bytes: Buffer): string | undefined {
  const mark = bytes.toString('latin1', 0, MARK_BYTES)
  if (mark === 'PAR1') return 'it is a Parquet file; have the export made as CSV packed with gzip'
  if (mark.startsWith('PK')) return 'it is a ZIP archive; unpack it and send the CSV that is in it'
  return undefined
}

interface Table {
  readonly reader: CsvReader
  readonly report: () => Report
}

function createTable(range: SentReport['range']): Table {
  const sums = createBilledSums(range)
  let form: ReportForm | undefined
  let headers: readonly string[] = []
  let lines = 0
  const reader = createCsvReader({
    header: (names) => {
      form = findLineItemForm(names) ?? findCostExplorerForm(names)
      if (form === undefined) throw unreadable(unknownColumns(names))
      headers = form.wanted.map((place) => names[place] ?? '')
      return form.wanted
    },
    row: (cells, line) => {
      // A month is often made in several files; put together, the header stands before each.
      if (cells[0] === headers[0] && headers.every((name, place) => cells[place] === name)) return
      lines++
      form?.row(cells, line, sums)
    },
  })
  return {
    reader,
    report: () => {
      if (form === undefined) throw unreadable('it is empty')
      const report = sums.report(form.form, lines)
      if (form.form === 'cost_explorer' && lines > 0 && isOneMonth(report))
        throw unreadable('its only row may be that of a month; choose the granularity Daily in Cost Explorer')
      return report
    },
  }
}

function isOneMonth({ covered }: Report): boolean {
  return covered !== undefined && covered.firstDay === covered.lastDay && covered.firstDay.endsWith('-01')
}

const SHOWN_COLUMNS = 12

function unknownColumns(names: readonly string[]): string {
  const found = names.map(toColumnName)
  const missing = neededColumns.filter((name) => !found.includes(name))
  const shown = names.slice(0, SHOWN_COLUMNS).map((name) => printable(name))
  const more = names.length > SHOWN_COLUMNS ? ` and ${names.length - SHOWN_COLUMNS} more` : ''
  return `its first line is not that of a Cost and Usage Report or of a file of Cost Explorer. It needs the columns ${missing.join(', ')}, or Service with a column for each service and Total costs($). It has ${shown.join(', ')}${more}`
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 40) || '(none)'
}

function endedEarly(): Problem {
  return problem('invalid_request_line', { reason: 'the body ended early' })
}
