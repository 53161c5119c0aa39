import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CsvError, createCsvReader } from './csv-reader.ts'

async function read(chunks: readonly Buffer[], wanted?: readonly number[]): Promise<readonly (readonly string[])[]> {
  const rows: string[][] = []
  const reader = createCsvReader({
    header: (names) => {
      rows.push([...names])
      return wanted ?? names.map((_, place) => place)
    },
    row: (cells) => rows.push([...cells]),
  })
  for (const chunk of chunks) reader.push(chunk)
  await reader.end()
  return rows
}

function written(rows: readonly (readonly string[])[], end: string): Buffer {
  const cell = (text: string): string =>
    /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text
  return Buffer.from(rows.map((row) => row.map(cell).join(',')).join(end))
}

const cells = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '漢', '😀', '0'), maxLength: 6 })
const tables = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cells, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))

test('what was written is read, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      tables,
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.boolean(),
      async (rows, end, hasMark, endsOpen) => {
        const bytes = Buffer.concat([
          hasMark ? Buffer.from([0xef, 0xbb, 0xbf]) : Buffer.alloc(0),
          written(rows, end),
          Buffer.from(endsOpen ? '' : end),
        ])
        assert.deepEqual(await read([bytes]), rows)
        assert.deepEqual(await read([...bytes].map((byte) => Buffer.from([byte]))), rows)
        for (let cut = 0; cut <= bytes.length; cut++)
          assert.deepEqual(await read([bytes.subarray(0, cut), bytes.subarray(cut)]), rows)
      },
    ),
  )
})

test('only the wanted columns are given', async () => {
  await fc.assert(
    fc.asyncProperty(tables, fc.infiniteStream(fc.boolean()), async (rows, choices) => {
      const places = (rows[0] ?? []).map((_, place) => place).filter(() => choices.next().value)
      const [header = [], ...rest] = rows
      const expected = [header, ...rest.map((row) => places.map((place) => row[place] ?? ''))]
      assert.deepEqual(await read([written(rows, '\n')], places), expected)
    }),
  )
})

test('any bytes give rows or a reason, and the same ones however they are cut', async () => {
  const outcome = async (chunks: readonly Buffer[]): Promise<unknown> => {
    try {
      return await read(chunks)
    } catch (error) {
      assert.ok(error instanceof CsvError)
      return error.message
    }
  }
  const bytes = fc.array(fc.constantFrom(0x22, 0x2c, 0x0a, 0x0d, 0x61, 0xef, 0xbb, 0xbf, 0x00), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(bytes, async (list) => {
      const whole = await outcome([Buffer.from(list)])
      assert.deepEqual(await outcome(list.map((byte) => Buffer.from([byte]))), whole)
    }),
  )
})

test('blank lines are no rows, and a single letter is one', async () => {
  assert.deepEqual(await read([Buffer.from('\na,b\n\n\r\n1,2\n\n')]), [
    ['a', 'b'],
    ['1', '2'],
  ])
  assert.deepEqual(await read([Buffer.from('a\nb\n""\nc')]), [['a'], ['b'], [''], ['c']])
})

test('quotes that do not enclose a cell belong to its text', async () => {
  assert.deepEqual(await read([Buffer.from('a,b\n1"2,"1"2\n')]), [
    ['a', 'b'],
    ['1"2', '"1"2'],
  ])
})

test('ten thousand columns are read', async () => {
  const names = Array.from({ length: 10_000 }, (_, place) => `column ${place}`)
  const rows = await read(
    [Buffer.from(`${names.join(',')}\n${names.map((_, place) => place).join(',')}\n`)],
    [0, 9_999],
  )
  assert.deepEqual(rows[1], ['0', '9999'])
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['a,b\n1\n', /line 2 has 1 columns and the header 2/],
  ['a,b\n"1,2\n3,4\n', /line 2 has a quote that is never closed/],
  ['a\u0000,b\n', /line 1 has bytes that are no text/],
  [`a,b\n"${'x'.repeat(1_100_000)}`, /line 2 is longer than 1 MiB/],
  [`${','.repeat(20_001)}\n`, /more than 20000 columns/],
]
for (const [text, reason] of refused)
  test(`refused: ${reason.source}`, async () => {
    await assert.rejects(read([Buffer.from(text)]), reason)
  })

test('lines are counted through cells that have line breaks', async () => {
  const lines: number[] = []
  const reader = createCsvReader({ header: () => [0], row: (_, line) => lines.push(line) })
  reader.push(Buffer.from('a\n"1\r\n2\n3"\n\nb\n'))
  await reader.end()
  assert.deepEqual(lines, [2, 6])
})
