import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../support/database.ts'

test('a cell that a spreadsheet could take for a formula is text, whatever it begins with; others stay as they are', async () => {
  const { database, drop } = await createTestDatabase()
  const findCell = async (value: string | null): Promise<string | undefined> =>
    (await sql<{ cell: string }>`select csv_cell(${value}) as cell`.execute(database.kysely)).rows[0]?.cell
  try {
    for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
      assert.equal(await findCell(`${sign}a"b`), `"'${sign}a""b"`, JSON.stringify(sign))
    for (const plain of ['a=1', 'ü＝', '“a”', '中文', '~', 'nFF1D', 'u', 'F', '1', '', '<', '.'])
      assert.equal(await findCell(plain), plain)
    assert.equal(await findCell('a\nb'), '"a\nb"')
    assert.equal(await findCell(null), '')
  } finally {
    await drop()
  }
})
