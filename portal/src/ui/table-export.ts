/** The rows of a list as a file: every page of it, filtered and sorted as on the screen. */
export interface CsvColumn<Row> {
  readonly header: string
  readonly value: (row: Row) => string | number | null
}

interface ListPage<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

export type LoadPage<Row> = (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListPage<Row>>

/** Beyond this a file of the browser is the wrong tool; the API and the command line have no such end. */
export const MAX_EXPORT_ROWS = 20_000
const PAGE = 200

/** All rows up to the limit, and whether that was all. */
export async function readAllRows<Row>(load: LoadPage<Row>): Promise<{ rows: Row[]; isWhole: boolean }> {
  const rows: Row[] = []
  let cursor: string | null | undefined
  while (cursor !== null && rows.length < MAX_EXPORT_ROWS) {
    const page: ListPage<Row> = await load({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) })
    rows.push(...page.data)
    cursor = page.next_cursor
  }
  return { rows, isWhole: cursor === null }
}

export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ value }) => value(row)))]
  return `${lines.map((line) => line.map(writeCell).join(',')).join('\r\n')}\r\n`
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe, which it shows as text. */
function writeCell(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'number' ? String(value) : value.replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the file by then; before that the address must stay.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
