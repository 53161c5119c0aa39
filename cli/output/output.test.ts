import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Io } from '../terminal/io.ts'
import { createPaint, wantsColor } from './paint.ts'
import { printPages } from './render.ts'
import { milliseconds, money, parseMoment, relativeTime } from './shown.ts'
import { csvLine, tabLine, tableLines } from './table.ts'

const now = Date.parse('2027-01-01T00:00:00Z')

test('money, times and lengths are shown as people write them', () => {
  assert.deepEqual(
    [money(1234.5), money(0.0042), money(0.000018), money(0), money(null), money(-3)],
    ['$1,234.50', '$0.0042', '$0.000018', '$0.00', '-', '-$3.00'],
  )
  assert.deepEqual([milliseconds(999), milliseconds(1_300), milliseconds(null)], ['999 ms', '1.3 s', '-'])
  assert.equal(relativeTime('2026-12-31T23:55:00Z', now), '5 min ago')
  assert.equal(relativeTime('2027-01-04T00:00:00Z', now), 'in 3 d')
  assert.equal(relativeTime(null, now), '-')
})

test('a moment is a length of time or a date, and nothing else', () => {
  assert.equal(parseMoment('2h', now, 'ago'), '2026-12-31T22:00:00.000Z')
  assert.equal(parseMoment('90d', now, 'ahead'), '2027-04-01T00:00:00.000Z')
  assert.equal(parseMoment('2027-02-03', now, 'ago'), '2027-02-03T00:00:00.000Z')
  for (const text of ['yesterday', '', '2', 'h', '-2h', '2027', '2027-99-01'])
    assert.equal(parseMoment(text, now, 'ago'), undefined, text)
})

test('colours are for terminals whose owner wants them', () => {
  assert.equal(wantsColor(true, {}, true), true)
  for (const [isTerminal, environment, flag] of [
    [false, {}, true],
    [true, { NO_COLOR: '1' }, true],
    [true, { CLICOLOR: '0' }, true],
    [true, { TERM: 'dumb' }, true],
    [true, {}, false],
  ] as const)
    assert.equal(wantsColor(isTerminal, environment, flag), false)
  assert.equal(wantsColor(true, { NO_COLOR: '' }, true), true)
})

test('columns line up, wide ones are left out, and control characters of names do nothing', () => {
  const columns = [
    { name: 'name', value: (row: { name: string; n: number }) => row.name },
    { name: 'n', value: (row: { n: number }) => row.n, right: true },
    { name: 'id', value: () => 'x', wide: true },
  ]
  const rows = [
    { name: 'a\u001b[31m', n: 1 },
    { name: 'long name', n: 100 },
  ]
  const look = { paint: createPaint(false), wide: false, columns: 80 }
  assert.deepEqual(tableLines(rows, columns, look), ['NAME         N', 'a [31m       1', 'long name  100'])
  assert.equal(tabLine({ name: 'a\tb', n: 1 }, columns), 'a b\t1\tx')
})

test('the columns of a list that came in several pages line up', async () => {
  const said: string[] = []
  const io = { out: (text: string) => said.push(text), err: () => undefined, columns: 80 } as unknown as Io
  async function* pages() {
    yield { data: [{ name: 'ada', n: 1 }], has_more: true, next_cursor: 'x' }
    yield { data: [{ name: 'a longer name', n: 2 }], has_more: false, next_cursor: null }
  }
  const columns = [
    { name: 'name', value: (row: { name: string }) => row.name },
    { name: 'n', value: (row: { n: number }) => row.n },
  ]
  await printPages({ io, paint: createPaint(false), format: 'table' }, pages(), columns, 'none')
  assert.equal(said.join(''), 'NAME           N\nada            1\na longer name  2\n')
})

test('columns line up by the places that letters take on a terminal', () => {
  const look = { paint: createPaint(false), wide: false, columns: 80 }
  const columns = [
    { name: 'name', value: (name: string) => name },
    { name: 'n', value: () => 1 },
  ]
  const widths: Readonly<Record<string, number>> = {
    ada: 3,
    日本語: 6,
    한국: 4,
    ﾃｽﾄ: 3,
    'e\u0301te\u0301': 3,
    '👩‍👩‍👧 team': 7,
    '✔️': 2,
    'naïve →': 7,
  }
  for (const [name, width] of Object.entries(widths))
    assert.equal(tableLines([name, 'ten places'], columns, look)[1], `${name}${' '.repeat(12 - width)}1`, name)
})

test('cells of CSV are quoted, and formulas are made harmless', () => {
  assert.equal(csvLine(['a,b', 'say "x"', '=1+1', '-5', '@x']), `"a,b","say ""x""",'=1+1,-5,'@x`)
  for (const sign of ['\t', '＝', '＋', '－', '＠']) assert.equal(csvLine([`${sign}x`]), `'${sign}x`)
  for (const sign of ['\r', '\n']) assert.equal(csvLine([`${sign}=x`]), `"'${sign}=x"`)
})
