import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_EXPORT_ROWS, readAllRows, toCsv } from './table-export.ts'

interface Row {
  readonly name: string
  readonly usd: number | null
}

const columns = [
  { header: 'Name', value: (row: Row) => row.name },
  { header: 'Spend', value: (row: Row) => row.usd },
]

test('cells are quoted where they must be, and no text becomes a formula', () => {
  const rows = [
    { name: 'plain', usd: -1.5 },
    { name: 'a "quoted", one', usd: null },
    { name: '=HYPERLINK("x")', usd: 0 },
    { name: '@cmd', usd: 1 },
    { name: '\n=1', usd: 1 },
    { name: '＝1', usd: 1 },
  ]
  assert.equal(
    toCsv(columns, rows),
    'Name,Spend\r\nplain,-1.5\r\n"a ""quoted"", one",\r\n"\'=HYPERLINK(""x"")",0\r\n\'@cmd,1\r\n"\'\n=1",1\r\n\'＝1,1\r\n',
  )
})

test('every page is read, and a list without an end is cut off and told', async () => {
  const pages = [
    { data: [1, 2], next_cursor: 'b' },
    { data: [3], next_cursor: null },
  ]
  const asked: (string | undefined)[] = []
  const all = await readAllRows(async ({ cursor }) => {
    asked.push(cursor)
    return pages[cursor === undefined ? 0 : 1] ?? { data: [], next_cursor: null }
  })
  assert.deepEqual([all, asked], [{ rows: [1, 2, 3], isWhole: true }, [undefined, 'b']])
  const endless = await readAllRows(async ({ limit }) => ({ data: Array(limit).fill(0), next_cursor: 'more' }))
  assert.deepEqual([endless.rows.length, endless.isWhole], [MAX_EXPORT_ROWS, false])
})
