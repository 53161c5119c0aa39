/**
 * Aligned columns on a terminal, tab-separated full values in a pipe.
 * Tables and CSV take a few lines each; a dependency would be larger.
 */
import type { Paint } from './paint.ts'

export interface Column<R> {
  readonly name: string
  readonly value: (record: R) => string | number | boolean | null | undefined
  /** Looks up what `shown` needs for these records. */
  readonly prepare?: (records: readonly R[]) => Promise<void>
  /** For a person; default: the value. */
  readonly shown?: (record: R) => string
  readonly paint?: (text: string, record: R) => string
  /** Only with `-o wide`, and always in a pipe. */
  readonly wide?: boolean
  readonly right?: boolean
}

const GAP = '  '

export function tableLines<R>(
  records: readonly R[],
  columns: readonly Column<R>[],
  look: { readonly paint: Paint; readonly wide: boolean; readonly columns: number },
): string[] {
  const chosen = columns.filter((column) => look.wide || column.wide !== true)
  const cells = records.map((record) => chosen.map((column) => shownCell(column, record)))
  const widths = chosen.map((column, index) =>
    Math.max(column.name.length, ...cells.map((row) => measureWidth(row[index] ?? ''))),
  )
  const header = chosen.map((column, index) =>
    pad(column.name.toUpperCase(), widths[index] ?? 0, column.right === true),
  )
  return [
    look.paint.dim(header.join(GAP).trimEnd()),
    ...cells.map((row, at) =>
      chosen
        .map((column, index) => {
          const text = pad(row[index] ?? '', widths[index] ?? 0, column.right === true)
          const record = records[at]
          return column.paint === undefined || record === undefined ? text : column.paint(text, record)
        })
        .join(GAP)
        .trimEnd(),
    ),
  ]
}

export function tabLine<R>(record: R, columns: readonly Column<R>[]): string {
  return columns.map((column) => tabCell(column.value(record))).join('\t')
}

/** A value in a line whose parts are told apart by tabs. */
export function tabCell(value: Parameters<typeof plain>[0]): string {
  return plain(value).replace(/[\t\n\r]/g, ' ')
}

export function csvLine(cells: readonly string[]): string {
  // A cell that a spreadsheet would run as a formula is quoted with an apostrophe.
  const safe = cells.map((cell) =>
    /^[=+\-@\t\r\n＝＋－＠]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell,
  )
  return safe.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
}

export function plain(value: string | number | boolean | null | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

function shownCell<R>(column: Column<R>, record: R): string {
  const text = column.shown === undefined ? plain(column.value(record)) : column.shown(record)
  return text === '' ? '-' : harmless(text)
}

/** For a terminal. Names and models come from people: a control character must not move the cursor, or do worse. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}

/** East Asian letters and pictures take two places on a terminal (Unicode, UAX 11). */
const isWide =
  /\p{Emoji_Presentation}|\ufe0f|^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

/** In places on a terminal: an accent of its own takes none, and what is joined to one picture takes those of one. */
function measureWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) width += isWide.test(segment) ? 2 : 1
  return width
}

function pad(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - measureWidth(text)))
  return right ? `${blanks}${text}` : `${text}${blanks}`
}
