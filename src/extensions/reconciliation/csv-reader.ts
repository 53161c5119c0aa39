/** Reads CSV (RFC 4180) as its bytes come and keeps only the columns that are asked for: a file of any size needs the memory of one line. */

export interface CsvHandlers {
  /** Gets the names of the columns and says which of them rows are wanted of, by their places in ascending order. */
  readonly header: (names: readonly string[]) => readonly number[]
  /** The wanted cells in the order of the columns. The list is used again for the next row. */
  readonly row: (cells: readonly string[], line: number) => void
}

export interface CsvReader {
  /** Throws a CsvError for bytes that are no CSV. */
  readonly push: (bytes: Buffer) => void
  readonly end: () => void
}

export class CsvError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CsvError'
  }
}

const [QUOTE, COMMA, LINE_FEED, RETURN] = [0x22, 0x2c, 0x0a, 0x0d]
/** A quote that is never closed would make one row of the rest of the file. */
const MAX_ROW_BYTES = 1024 * 1024
const MAX_COLUMNS = 20_000

type State = 'start' | 'plain' | 'quoted' | 'closed'

export function createCsvReader(handlers: CsvHandlers): CsvReader {
  /** Undefined until the header is read: every cell of it counts. */
  let wanted: readonly number[] | undefined
  let width = 0
  let state: State = 'start'
  let line = 1
  let rowLine = 1
  let column = 0
  let nextWanted = 0
  let rowBytes = 0
  let isBlank = true
  /** What came of the current cell in earlier chunks. */
  let kept: Buffer[] = []
  let cells: string[] = []
  let opening: Buffer | undefined = Buffer.alloc(0)

  const isWanted = (): boolean => wanted === undefined || wanted[nextWanted] === column

  const endCell = (bytes: Buffer, from: number, to: number): void => {
    if (isWanted()) {
      const isQuoted = state === 'closed'
      if (kept.length === 0) cells[nextWanted++] = textOf(bytes, from, to, isQuoted)
      else {
        const whole = Buffer.concat([...kept, bytes.subarray(from, to)])
        cells[nextWanted++] = textOf(whole, 0, whole.length, isQuoted)
      }
    }
    kept = []
    column++
    if (column > MAX_COLUMNS) throw new CsvError(`line ${rowLine} has more than ${MAX_COLUMNS} columns`)
    state = 'start'
  }

  const endRow = (): void => {
    const isHeader = wanted === undefined
    if (!isBlank) giveRow()
    if (isHeader) cells = []
    isBlank = true
    rowLine = line
    column = 0
    nextWanted = 0
    rowBytes = 0
  }

  const giveRow = (): void => {
    if (wanted === undefined) {
      width = column
      wanted = handlers.header(cells)
      return
    }
    if (column !== width) throw new CsvError(`line ${rowLine} has ${column} columns and the header ${width}`)
    handlers.row(cells, rowLine)
  }

  const read = (bytes: Buffer): void => {
    const { length } = bytes
    let from = 0
    for (let at = 0; at < length; ) {
      if (state === 'quoted') {
        const close = bytes.indexOf(QUOTE, at)
        const until = close < 0 ? length : close + 1
        for (
          let feed = bytes.indexOf(LINE_FEED, at);
          feed >= 0 && feed < until;
          feed = bytes.indexOf(LINE_FEED, feed + 1)
        )
          line++
        rowBytes += until - at
        at = until
        if (close >= 0) state = 'closed'
        if (rowBytes > MAX_ROW_BYTES) throw tooLong(rowLine)
        continue
      }
      if (state === 'plain') {
        const end = plainEnd(bytes, at)
        rowBytes += end - at
        at = end
        if (rowBytes > MAX_ROW_BYTES) throw tooLong(rowLine)
        if (at === length) break
      }
      const byte = bytes[at++]
      rowBytes++
      if (byte !== LINE_FEED && byte !== RETURN) isBlank = false
      if (byte === COMMA) {
        endCell(bytes, from, at - 1)
        from = at
      } else if (byte === LINE_FEED) {
        line++
        endCell(bytes, from, at - 1)
        endRow()
        from = at
      } else if (byte === QUOTE) {
        // Two of them within quotes are one; in the middle of a plain cell it is a letter like others.
        if (state !== 'plain') state = 'quoted'
      } else if (state === 'closed') {
        if (byte !== RETURN) throw new CsvError(`line ${rowLine} has a letter after a closing quote`)
      } else if (byte === 0) throw new CsvError(`line ${rowLine} has bytes that are no text`)
      else state = 'plain'
      if (rowBytes > MAX_ROW_BYTES) throw tooLong(rowLine)
    }
    // A copy: the chunk itself may be used again by whoever gave it.
    if (from < length && isWanted()) kept.push(Buffer.from(bytes.subarray(from)))
  }

  return {
    push: (bytes) => {
      const first = opening === undefined ? bytes : Buffer.concat([opening, bytes])
      if (opening !== undefined && first.length < BYTE_ORDER_MARK.length) {
        opening = first
        return
      }
      const isOpening = opening !== undefined
      opening = undefined
      read(isOpening ? withoutMark(first) : first)
    },
    end: () => {
      if (opening !== undefined) read(withoutMark(opening))
      opening = undefined
      if (state === 'quoted')
        throw new CsvError(`line ${rowLine} has a quote that is never closed, so the file is not complete`)
      if (rowBytes === 0) return
      endCell(Buffer.alloc(0), 0, 0)
      endRow()
    },
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes
}

/** Where a cell without quotes ends, or what is no text begins. */
function plainEnd(bytes: Buffer, start: number): number {
  const { length } = bytes
  let at = start
  for (; at < length; at++) {
    const byte = bytes[at]
    if (byte === COMMA || byte === LINE_FEED || byte === 0) break
  }
  return at
}

function textOf(bytes: Buffer, from: number, to: number, isQuoted: boolean): string {
  const text = bytes.toString('utf8', from, to > from && bytes[to - 1] === RETURN ? to - 1 : to)
  return isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text
}

function tooLong(line: number): CsvError {
  return new CsvError(`line ${line} is longer than 1 MiB, as when a quote is never closed`)
}
