/** Reads CSV as its bytes come and keeps only the columns that are asked for: a file of any size needs the memory of one row. */
import { finished } from 'node:stream/promises'
import { CsvError as ParseError, parse } from 'csv-parse'

export interface CsvHandlers {
  /** Gets the names of the columns and says which of them rows are wanted of, by their places in ascending order. */
  readonly header: (names: readonly string[]) => readonly number[]
  /** The wanted cells in the order of the columns, and the line on which the row begins. */
  readonly row: (cells: readonly string[], line: number) => void
}

export interface CsvReader {
  /** Throws a CsvError for bytes that are no CSV. */
  readonly push: (bytes: Buffer) => void
  readonly end: () => Promise<void>
}

export class CsvError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CsvError'
  }
}

/** A quote that is never closed would make one row of the rest of the file. */
const MAX_ROW_BYTES = 1024 * 1024
const MAX_COLUMNS = 20_000

export function createCsvReader(handlers: CsvHandlers): CsvReader {
  let columns = 0
  /** Undefined until the header is read. */
  let wanted: readonly number[] | undefined
  let pushedBytes = 0
  /** Of what was read as rows. The parser's own count takes a line break of two bytes within quotes for two lines. */
  let read = { bytes: 0, lines: 0, emptyLines: 0 }

  const nextLine = (): number => read.lines + 1 + parser.info.empty_lines - read.emptyLines

  const takeRow = (cells: readonly string[], line: number): void => {
    if (cells.length > MAX_COLUMNS) throw new CsvError(`line ${line} has more than ${MAX_COLUMNS} columns`)
    if (wanted === undefined) {
      columns = cells.length
      wanted = handlers.header(cells)
      return
    }
    if (cells.length !== columns)
      throw new CsvError(`line ${line} has ${cells.length} columns and the header ${columns}`)
    handlers.row(
      wanted.map((place) => cells[place] ?? ''),
      line,
    )
  }

  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    // A quote in the middle of a cell is a letter like others.
    relax_quotes: true,
    skip_empty_lines: true,
    on_record: (cells: readonly string[], { bytes, empty_lines: emptyLines }) => {
      const line = nextLine()
      takeRow(cells, line)
      read = { bytes, lines: line + countLineBreaks(cells), emptyLines }
      return null
    },
  })
  // Nobody reads the rows from the stream: without this it would never end.
  parser.resume()
  // An error is thrown by the call that caused it.
  parser.on('error', () => {})

  const write = (bytes: Buffer): void => {
    pushedBytes += bytes.length
    parser.write(bytes)
    if (parser.errored !== null) throw toCsvError(parser.errored, nextLine())
    if (pushedBytes - read.bytes > MAX_ROW_BYTES)
      throw new CsvError(`line ${nextLine()} is longer than 1 MiB, as when a quote is never closed`)
  }

  return {
    push: (bytes) => {
      const binary = bytes.indexOf(0)
      write(binary < 0 ? bytes : bytes.subarray(0, binary))
      if (binary >= 0) throw new CsvError(`line ${nextLine()} has bytes that are no text`)
    },
    end: async () => {
      parser.end()
      try {
        await finished(parser)
      } catch (error) {
        throw toCsvError(error, nextLine())
      }
    },
  }
}

function countLineBreaks(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells) for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) count++
  return count
}

/** Without limits the parser has one error of its own; those of the handlers stay as they are. */
function toCsvError(error: unknown, line: number): unknown {
  if (!(error instanceof ParseError)) return error
  return new CsvError(`line ${line} has a quote that is never closed, so the file is not complete`)
}
